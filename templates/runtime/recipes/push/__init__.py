"""Webhooks that updates of tasks are pushed to, and which may be called."""
