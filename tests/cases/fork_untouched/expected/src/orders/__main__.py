"""Serves the agent: `python -m orders`."""

from orders.service.app import main

if __name__ == "__main__":
    main()
