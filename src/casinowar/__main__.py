"""Run the command line as `python -m casinowar`."""

from casinowar.cli import main

if __name__ == "__main__":
    main()
