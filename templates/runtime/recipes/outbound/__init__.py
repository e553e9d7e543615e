"""What leaves with an answer."""
