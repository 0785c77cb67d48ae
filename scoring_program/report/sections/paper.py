"""What organizers may write in their overview paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..view import MetricView
from .caution_list import cautions_of
from .section import Section
from .verdict import paper_paragraph, weakened


@dataclass(frozen=True)
class PaperText:
    """A paragraph for the paper, and a note where cautions weaken it."""

    text: str
    note: str


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the paragraph where every team was scored and there are several entries."""
    view, say = views[0], views[0].language.say
    if len(view.analysis.names) > 1 and view.result.form == "teams":
        cautions = cautions_of(views)
        note = say("paper.weakened") if weakened(cautions) else ""
        content = PaperText(paper_paragraph(view, cautions), note)
        yield Section("paper", say("paper.heading"), content, "paper.html.j2")
