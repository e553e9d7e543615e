"""Who calls: settled before any A2A method is reached."""
