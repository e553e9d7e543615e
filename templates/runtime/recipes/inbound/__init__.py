"""What comes in: looked at before the agent runs."""
