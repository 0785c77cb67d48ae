"""``python -m tests.hostile.bad``: the documentation's table of bad inputs."""

import sys

from tests.hostile.bad import table

sys.stdout.write(table() + "\n")
