"""The choices of which rows of a long ranking show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..view import MANY_ROWS, MetricView
from .ranking import RankingSection


@dataclass(frozen=True)
class RowChoice:
    """Rows that a reader may ask for; the style sheet knows them by ``key``."""

    key: str
    label: str


def choices_of(view: MetricView, ranking: RankingSection) -> tuple[RowChoice, ...]:
    """Return "all" and what else leaves some of many rows; none if nothing else does."""
    if len(ranking.rows) <= MANY_ROWS:
        return ()
    choices = tuple(_choices(view, ranking))
    return choices if len(choices) > 1 else ()


def _choices(view: MetricView, ranking: RankingSection) -> Iterator[RowChoice]:
    every = len(ranking.rows)
    counts = {
        "all": every,
        "winners": sum(row.possible_winner for row in ranking.rows),
        "competing": every - sum(row.baseline for row in ranking.rows),
    }
    for key, count in counts.items():
        # Of a single winner the verdict says all there is to say.
        if key == "all" or 1 < count < every:
            words = view.language.say(f"find.{key}", count=view.numerals.count(count))
            yield RowChoice(key, words)
