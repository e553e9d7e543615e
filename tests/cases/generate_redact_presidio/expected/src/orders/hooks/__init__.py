"""The hooks of the interceptors: yours to write."""
