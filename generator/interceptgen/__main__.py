"""Runs the command line: `python -m interceptgen`."""

from interceptgen.cli import main

if __name__ == "__main__":
    main()
