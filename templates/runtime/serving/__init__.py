"""The application: its routes, the way in to the executor, and its command line."""
