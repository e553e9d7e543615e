"""Mine."""
