"""Which columns of a table of preferences name the two systems of a line, and which one won.

There is no gold that would show a wrong guess, so what may mean two things is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ...core.cells import is_number
from ...core.errors import listed
from ...reading.table import Table
from .score_columns import refused
from .stated_scores import LEFT, LONG, RIGHT, WIDE, WINNER, StatedScores

#: What the two sides of preferences are called, and the column of outcomes, in small letters.
SIDES = (
    ("left", "right"),
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
)
#: What the column of prompts is called, in small letters, the likelier first.
PROMPTS = ("prompt", "prompt_id", "question_id", "question", "item", "instruction")
#: What the winner may be called beside the names in the line, in small letters; half wins of the
#: left one.
_OUTCOMES = {
    **dict.fromkeys(("left", "a", "model_a", "system_a", "model_1", "system_1"), 2),
    **dict.fromkeys(("right", "b", "model_b", "system_b", "model_2", "system_2"), 0),
    **dict.fromkeys(("tie", "draw", "both", "tie (bothbad)", "both bad", "both_bad"), 1),
    "bothbad": 1,
}
#: Outcomes that are also names, and then names only: systems are often called A and B.
LETTERS = frozenset("ab")
#: Columns that may say how often a line counts, in small letters.
_COUNTS = {
    *("count", "counts", "n", "votes", "n_votes", "num_votes", "times", "freq", "frequency"),
    *("weight", "weights"),
}
#: What other columns of verdicts are called.
_VERDICT = re.compile("winner|vote|choice|prefer|verdict|outcome", re.IGNORECASE)
#: So many first cells show whether columns hold names.
_SHOWN = 100


def name_preferences(columns: Iterable[str]) -> bool:
    """Whether the names of columns are those of preferences between two systems."""
    named = {name.casefold().strip() for name in columns}
    return WINNER in named and any(named >= {*pair} for pair in SIDES)


def half_wins(left: str, right: str, winner: str, names: Collection[str]) -> int | None:
    """Return the half wins of the left one; None for an unknown winner.

    ``names`` are the outcomes that are names of systems here.
    """
    if winner in (left, right):
        return 2 if winner == left else 0
    outcome = winner.strip().casefold()
    return None if outcome in names else _OUTCOMES.get(outcome)


@dataclass(frozen=True)
class Sides:
    """The columns of preferences; ``stated`` says whether the settings name them."""

    left: str
    right: str
    winner: str
    stated: bool = False

    @property
    def columns(self) -> tuple[str, str, str]:
        """The columns of the left system, of the right one, and of the winner."""
        return self.left, self.right, self.winner


def sides_of(table: Table, stated: StatedScores) -> Sides | None:
    """Return the columns of preferences in a table; None if it does not hold any.

    Raises
    ------
    Asked
        There are two columns of systems, and none says who won; or the table can be read in more
        than one way.
    """
    if stated.sides:
        if lacking := [role for role in (LEFT, RIGHT, WINNER) if role not in stated.sides]:
            raise refused(
                f"{table.file}: preferences need the columns {LEFT!r}, {RIGHT!r} and {WINNER!r}; "
                f"name {listed(map(repr, lacking))}, too, in 'columns' of 'submissions'"
            )
        left, right, winner = (stated.sides[role] for role in (LEFT, RIGHT, WINNER))
        sides = Sides(left, right, winner, stated=True)
        pairs: Sequence[tuple[str, str]] = [(LEFT, RIGHT)]
    elif stated.layout in (WIDE, LONG) or stated.roles:
        return None
    else:
        by_name = _sides_by_name(table, stated)
        if by_name is None:
            return None
        sides, pairs = by_name
    if doubt := _doubt(table, stated, sides, pairs):
        raise refused(f"{table.file}: line 1: {doubt}")
    return sides


def _sides_by_name(
    table: Table, stated: StatedScores
) -> tuple[Sides, Sequence[tuple[str, str]]] | None:
    columns = table.named
    named = {name.casefold().strip(): name for name in columns}
    pairs = [pair for pair in SIDES if named.keys() >= {*pair}]
    if not pairs:
        missing = next((pair for pair in SIDES if {*pair} & named.keys()), None)
        if missing is not None and WINNER in named:
            absent = next(name for name in missing if name not in named)
            raise refused(
                f"{table.file}: line 1: there are columns {missing[missing[0] == absent]!r} and "
                f"{WINNER!r}, but none {absent!r}; each line of preferences names both systems, "
                "so add it"
            )
        return None
    left, right = (named[name] for name in pairs[0])
    if WINNER in named:
        return Sides(left, right, named[WINNER]), pairs
    texts = [cell for name in (left, right) for cell in columns[name][:_SHOWN] if cell]
    if texts and not any(map(is_number, texts)):
        raise refused(
            f"{table.file}: line 1: the columns {left!r} and {right!r} name two systems, but no "
            f"column says which was preferred; add {WINNER!r}: a name, 'left', 'right' or 'tie'"
        )
    return None


def _doubt(
    table: Table, stated: StatedScores, sides: Sides, pairs: Sequence[tuple[str, str]]
) -> str:
    """Return why it is not certain what a table of preferences holds; nothing if it is."""
    columns = table.named
    left, right, winner = sides.columns
    if not sides.stated:
        used = {WINNER, *pairs[0]}
        if len(pairs) > 1:
            names = listed([name for pair in pairs for name in pair])
            return f"the columns {names} may all name systems; keep the two that do"
        if len([name for name in columns if name.casefold().strip() in used]) > len(used):
            return f"several columns are called {listed(sorted(used))}; keep one of each"
    systems = {*columns[left], *columns[right]} - {""}
    if systems and all(map(is_number, systems)):
        return (
            f"the columns {left!r} and {right!r} hold numbers; if they are systems, "
            "name them with letters, such as system_1; if they are scores, give the columns other "
            "names"
        )
    outcomes = {*_OUTCOMES} - LETTERS
    if words := sorted(side for side in systems if side.strip().casefold() in outcomes):
        return f"{listed(words)} may be a system or an outcome; give the system another name"
    beside = [name for name in columns if name not in stated.context]
    for name in beside:
        counts = {*columns[name]}
        if name.casefold().strip() in _COUNTS and counts != {"1"} and all(map(is_number, counts)):
            return (
                f"the column {name!r} may say how often a line counts; write each comparison on "
                "a line of its own, or give the column another name"
            )
    if not _names_win({*zip(*map(columns.__getitem__, sides.columns), strict=True)}):
        return "A and B may be systems or the sides of a line; give the systems other names"
    for name in beside:
        if name in sides.columns or sides.stated:
            continue
        lines = {*zip(columns[left], columns[right], columns[name], strict=True)}
        if _VERDICT.search(name) and all(half_wins(*line, set()) is not None for line in lines):
            return (
                f"the columns {winner!r} and {name!r} may both say who won; keep one of "
                "them, or write each verdict on a line of its own"
            )
    return ""


def _names_win(lines: Collection[tuple[str, str, str]]) -> bool:
    """Whether winners A and B are systems, not sides: others are named, too, or it is the same."""
    named = [line for line in lines if line[2] in line[:2]]
    letters = [line for line in named if line[2].strip().casefold() in LETTERS]
    return len(letters) < len(named) or all(
        half_wins(*line, ()) == _OUTCOMES[line[2].strip().casefold()] for line in letters
    )
