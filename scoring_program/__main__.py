"""``python -m scoring_program INPUT OUTPUT``: the entry point, as the platforms call it."""

from .commands.score import main

raise SystemExit(main())
