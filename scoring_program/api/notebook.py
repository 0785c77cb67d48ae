"""Shows results in a notebook: a sentence, the ranking and its picture, without scripts."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from ..document.html import environment
from .record_view import RecordView
from .rows import RankingRow, WarningRow

_ALIGNED = ("right", "left", "right", "right", "right", "left")


@dataclass(frozen=True)
class Exhibit:
    """What is shown of a metric: its sentence, its red warnings and its ranking."""

    sentence: str
    warnings: Sequence[WarningRow]
    view: RecordView

    @property
    def cautions(self) -> list[str]:
        """What the red warnings say."""
        return [item.message for item in self.warnings if item.level == "red"]

    @property
    def picture(self) -> str | None:
        """The picture in base 64: as an image, its style does not affect the notebook."""
        drawn = self.view.svg
        return None if drawn is None else base64.b64encode(drawn.encode()).decode()

    @property
    def headings(self) -> list[tuple[str, str]]:
        """The headings of the columns, each with its alignment."""
        names = ("Rank", "Entry", self.view.label, "Interval", "Places", "Possible winner")
        return list(zip(_ALIGNED, names, strict=True))

    @property
    def rows(self) -> list[list[tuple[str, str]]]:
        """The cells of every row, each with its alignment."""
        return [list(zip(_ALIGNED, self._cells(row), strict=True)) for row in self.view.rows]

    def _cells(self, row: RankingRow) -> tuple[str, ...]:
        view = self.view
        winner = "yes" if row.entry in view.possible_winners else "no"
        return (
            view.rank(row),
            row.entry,
            view.score(row.score),
            view.numerals.interval(row.low, row.high, view.decimals),
            view.places(row),
            "baseline" if row.baseline else winner,
        )


def html(exhibits: Sequence[Exhibit]) -> str:
    """Return one metric after the other as HTML."""
    return environment().get_template("notebook.html.j2").render(exhibits=exhibits)
