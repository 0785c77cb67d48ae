"""A result as notebooks show it: a sentence, the ranking and its picture, without scripts."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from ..report.markup import environment
from ..report.numbers import decimals_for
from .rows import RankingRow, Rows, WarningRow


def html(
    verdict: str,
    metric: str,
    ranking: Rows[RankingRow],
    warnings: Sequence[WarningRow],
    picture: str | None,
) -> str:
    """Return a ranking and the red warnings as HTML; ``picture`` is its SVG, if there is one.

    The picture is embedded as an image, so that its style stays its own.
    """
    encoded = None if picture is None else base64.b64encode(picture.encode()).decode()
    template = environment().get_template("notebook.html.j2")
    return template.render(
        verdict=verdict,
        metric=metric,
        ranking=ranking,
        number=f"%.{decimals_for(row.standard_error for row in ranking)}f",
        warnings=[item.message for item in warnings if item.level == "red"],
        picture=encoded,
    )
