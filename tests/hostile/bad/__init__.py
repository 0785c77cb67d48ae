"""Bad inputs by kind: what each is, the exit status it must end with and what the message says.

``python -m tests.hostile.bad`` prints the table of docs/explanation/promises.md; test_bad_inputs.py
tries them all. Of data of other kinds than rows, test_mistakes_of_kinds.py tries `kinds.KINDS`.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from tests.hostile.bad import (
    archives,
    arrays,
    folders,
    json_files,
    metrics,
    organizer,
    rows,
    text,
)
from tests.hostile.bad.case import Bad
from tests.hostile.kinds import KINDS

BAD: tuple[Bad, ...] = tuple(
    bad
    for kinds in (rows, text, json_files, arrays, archives, folders, organizer, metrics)
    for bad in kinds.cases()
)


def table() -> str:
    """Return the documentation's table: bad inputs by kind with the number tried."""
    of_kinds = (kind for kind, case in KINDS.items() for _ in case.bad)
    counts = Counter(chain((bad.kind for bad in BAD), of_kinds))
    lines = [f"| {kind} | {count} |" for kind, count in counts.items()]
    total = f"| all | {counts.total()} |"
    return "\n".join(["| bad inputs | tried |", "|---|---:|", *lines, total])
