"""Shows a result in a notebook: a sentence, the ranking and its picture, without scripts."""

from __future__ import annotations

import base64

from ..report.markup import environment
from .rows import RankingRow, Rows


def html(verdict: str, metric: str, ranking: Rows[RankingRow], picture: str | None) -> str:
    """Return a ranking as HTML; ``picture`` is a complete SVG of it, if there is one.

    The picture is embedded as an image, so that its style does not affect the notebook.
    """
    encoded = None if picture is None else base64.b64encode(picture.encode()).decode()
    template = environment().get_template("notebook.html.j2")
    return template.render(verdict=verdict, metric=metric, ranking=ranking, picture=encoded)
