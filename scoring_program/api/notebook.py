"""A result as notebooks show it: a sentence, the ranking and its picture, without scripts."""

from __future__ import annotations

import base64
import math

from ..report.markup import environment
from .rows import RankingRow, Rows

_HEADINGS = ("Rank", "Entry", "Score", "Interval", "Rank range", "Tied with the leader")
_MISSING = "–"


def html(verdict: str, metric: str, ranking: Rows[RankingRow], picture: str | None) -> str:
    """Return a ranking as HTML; ``picture`` is a complete SVG of it, if there is one.

    The picture is embedded as an image, so that its style stays its own.
    """
    encoded = None if picture is None else base64.b64encode(picture.encode()).decode()
    template = environment().get_template("notebook.html.j2")
    return template.render(
        verdict=verdict,
        metric=metric,
        headings=_HEADINGS,
        rows=[_cells(row) for row in ranking],
        picture=encoded,
    )


def _cells(row: RankingRow) -> tuple[str, ...]:
    """Return a row as texts, in the order of `_HEADINGS`."""
    tied = "yes" if row.tied_with_leader else "no"
    several = "" if row.rank_low == row.rank_high else f"–{row.rank_high}"
    return (
        _MISSING if row.baseline else str(row.rank),
        row.entry,
        f"{row.score:.4g}",
        _MISSING if math.isnan(row.low) else f"{row.low:.4g} to {row.high:.4g}",
        f"{row.rank_low}{several}",
        "baseline" if row.baseline else tied,
    )
