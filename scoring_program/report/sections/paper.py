"""What organizers may write in their overview paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..tables import ResultText
from ..view import MetricView
from .caution_list import CautionText, cautions_of
from .section import Section
from .verdict import paper_paragraph, weakened


@dataclass(frozen=True)
class PaperText:
    """A paragraph for the paper, after the names of all possible winners where there are several.

    A note says where cautions weaken it.
    """

    winners: str
    text: str
    note: str


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the paragraph where every team was scored and there are several entries."""
    view, say = views[0], views[0].language.say
    if len(view.analysis.names) > 1 and view.result.form == "teams":
        cautions = cautions_of(views)
        note = say("paper.weakened") if weakened(cautions) else ""
        content = PaperText(_winners(view), paper_paragraph(view, cautions), note)
        heading, texts = say("paper.heading"), (_file(content, cautions),)
        yield Section("paper", heading, content, "paper.html.j2", texts=texts)


def _file(content: PaperText, cautions: Sequence[CautionText]) -> ResultText:
    """Return the same text as a file; serious cautions follow it, because no page stands by it."""
    serious = [caution.message for caution in cautions if caution.level == "red"]
    return ResultText("paper", (*filter(None, (content.winners,)), content.text, *serious))


def _winners(view: MetricView) -> str:
    """Name all possible winners; nothing where there is one, or where the tie rule drops some."""
    winners = view.possible_winners
    if len(winners) == 1 or not view.names_winners:
        return ""
    names, count = view.listed(winners, in_full=True), view.numerals.count(len(winners))
    return view.language.say("paper.winners", count=count, names=names)
