"""From a spec of A2A interceptors to a typed, tested Google ADK service."""

__all__ = ["__version__"]

__version__ = "0.1.0"
