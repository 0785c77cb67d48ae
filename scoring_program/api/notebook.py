"""Shows a result in a notebook: a sentence, the ranking and its picture, without scripts."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence

from ..document.html import environment
from ..report.numbers import decimals_for
from .rows import RankingRow, Rows, WarningRow

_ALIGNED = ("right", "left", "right", "right", "right", "left")
_MISSING = "–"


def html(
    verdict: str,
    metric: str,
    ranking: Rows[RankingRow],
    warnings: Sequence[WarningRow],
    picture: str | None,
) -> str:
    """Return a ranking and the red warnings as HTML; ``picture`` is its SVG, if there is one.

    The picture is embedded as an image, so that its style does not affect the notebook.
    """
    encoded = None if picture is None else base64.b64encode(picture.encode()).decode()
    decimals = decimals_for(row.standard_error for row in ranking)
    headings = ("Rank", "Entry", metric, "Interval", "Rank range", "Tied with the leader")
    template = environment().get_template("notebook.html.j2")
    return template.render(
        verdict=verdict,
        metric=metric,
        headings=tuple(zip(_ALIGNED, headings, strict=True)),
        rows=[tuple(zip(_ALIGNED, _texts(row, decimals), strict=True)) for row in ranking],
        warnings=[item.message for item in warnings if item.level == "red"],
        picture=encoded,
    )


def _texts(row: RankingRow, decimals: int) -> tuple[str, ...]:
    """Return what the table shows of a row."""
    low, high = (f"{end:.{decimals}f}" for end in (row.low, row.high))
    tied = "yes" if row.tied_with_leader else "no"
    return (
        _MISSING if row.baseline else str(row.rank),
        row.entry,
        f"{row.score:.{decimals}f}",
        _MISSING if math.isnan(row.low) else f"{low} to {high}",
        _rank_range(row),
        "baseline" if row.baseline else tied,
    )


def _rank_range(row: RankingRow) -> str:
    """Return "2", "1–5", or "≥ 2" where nothing limits how far behind the entry may be."""
    if row.rank_low is None:
        return _MISSING
    if row.rank_high is None:
        return f"≥ {row.rank_low}"
    return f"{row.rank_low}" + (f"–{row.rank_high}" if row.rank_low != row.rank_high else "")
