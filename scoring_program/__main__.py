"""``python -m scoring_program INPUT OUTPUT``: the entry point, as the platforms call it."""

from .commands.main import run_module

raise SystemExit(run_module())
