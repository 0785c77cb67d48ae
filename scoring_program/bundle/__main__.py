"""``python -m scoring_program.bundle``."""

import sys

from ..commands.bundle import main

sys.exit(main())
