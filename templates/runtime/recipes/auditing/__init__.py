"""What is written down of each request."""
