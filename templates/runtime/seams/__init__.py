"""What interceptors are made of: their hooks, what they see, and how they refuse."""
