"""How much a caller may have: calls, runs at once, tokens."""
