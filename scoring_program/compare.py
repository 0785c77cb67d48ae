"""``python -m scoring_program.compare``; nothing imports this module."""

import sys

from .commands.compare import main

if __name__ == "__main__":
    sys.exit(main())
