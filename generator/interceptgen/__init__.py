"""From a spec of A2A interceptors to a typed, tested Google ADK service."""

__version__ = "0.1.0"
