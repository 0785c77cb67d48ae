"""``python -m scoring_program.check``; nothing imports this module."""

import sys

from .commands.check import main

if __name__ == "__main__":
    sys.exit(main())
