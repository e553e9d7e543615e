"""Ready-made interceptors, each with what it needs."""
