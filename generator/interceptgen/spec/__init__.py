"""From the bytes of `interceptors.yaml` to a `Spec`, or to every problem."""
