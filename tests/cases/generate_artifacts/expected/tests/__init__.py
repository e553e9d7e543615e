"""The tests of the service."""
