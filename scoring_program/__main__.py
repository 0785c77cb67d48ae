"""``python -m scoring_program INPUT OUTPUT``: the entry point, as the platforms call it."""

from scoring_program.cli import main

raise SystemExit(main())
