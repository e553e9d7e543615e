"""The executor around ADK's: each request ends exactly once, safely, and in time."""
