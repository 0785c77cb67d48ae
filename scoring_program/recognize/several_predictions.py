"""What is asked of a file of which several columns may hold each of several predictions.

All of them are asked together, with one block of settings that answers all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..core.errors import listed
from ..core.phrases import Phrase
from .open_questions import Option, Unusable
from .statements import PREDICTION, ColumnName, PredictionName
from .usual_names import plain_name

#: The most ways to name the predictions that are shown; of more, the first one is.
_MOST_WAYS = 6


@dataclass
class SeveralFit(Unusable):
    """Why a file cannot be read: several ``columns`` may hold one prediction.

    ``role`` is what the settings call the prediction, and ``answers`` the gold's column.
    """

    role: str = PREDICTION
    answers: str = ""
    columns: Sequence[ColumnName] = field(default=())

    @property
    def predicted(self) -> str:
        """What is predicted, as people call it."""
        return self.answers if self.role == PREDICTION else self.role


def asked_together(
    doubts: Sequence[SeveralFit], stated: Mapping[ColumnName, PredictionName]
) -> Unusable:
    """Return one reason for several predictions, whose lines repeat what is ``stated`` of others.

    Where each may be the column of its name, that is suggested. Names do not choose it.
    """
    if len(doubts) == 1:
        return doubts[0]
    columns: dict[ColumnName, None] = {}
    for doubt in doubts:
        columns.update(dict.fromkeys(doubt.columns))
    reason = Phrase(
        "several columns may hold the predictions of {targets}: {columns}",
        targets=listed(repr(doubt.predicted) for doubt in doubts),
        columns=listed(map(repr, columns)),
    )
    namesakes = [_namesake(doubt) for doubt in doubts]
    named = tuple(name for name in namesakes if name is not None)
    if len(named) == len(doubts):
        ways = [named]
        means = Phrase("each column is the prediction of its name")
    else:
        ways = _ways(doubts, namesakes)
        means = Phrase("one way to name them")
    if len(ways) > _MOST_WAYS:
        ways = ways[:1]
        means = Phrase("in the order of the columns; exchange those that stand otherwise")
    options = []
    for way in ways:
        roles = {doubt.role: column for doubt, column in zip(doubts, way, strict=True)}
        options.append(Option({"submissions": {"columns": {**stated, **roles}}}, means))
    return Unusable(reason, options)


def _namesake(doubt: SeveralFit) -> ColumnName | None:
    """Return the column that is called like what is predicted; None if there is none."""
    for column in doubt.columns:
        if plain_name(str(column)) == plain_name(doubt.predicted):
            return column
    return None


def _ways(
    doubts: Sequence[SeveralFit], namesakes: Sequence[ColumnName | None]
) -> list[tuple[ColumnName, ...]]:
    """Return ways to name a column of each prediction, no column twice; at most one too many.

    A column that is called like what is predicted comes first.
    """
    ways: list[tuple[ColumnName, ...]] = []
    unfinished: list[tuple[ColumnName, ...]] = [()]
    while unfinished and len(ways) <= _MOST_WAYS:
        way = unfinished.pop()
        number = len(way)
        if number == len(doubts):
            ways.append(way)
            continue
        namesake = namesakes[number]
        in_order = sorted(doubts[number].columns, key=lambda column: column != namesake)
        free = [column for column in in_order if column not in way]
        unfinished.extend((*way, column) for column in reversed(free))
    return ways
