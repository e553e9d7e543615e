"""What must not leave: found and masked in all that does."""
