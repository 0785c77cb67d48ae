"""The cautions about all metrics together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..view import MetricView
from .section import Section

#: Codes of the cautions that say the same of every metric, and are said once.
_OF_THE_TEST_SET = ("counted_p_values", "few_examples", "few_groups", "lookalike_names")


@dataclass(frozen=True)
class CautionText:
    """One caution in words."""

    level: str
    word: str
    message: str
    code: str


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the cautions; a page without any says so."""
    heading = views[0].language.say("cautions.heading")
    yield Section("cautions", heading, cautions_of(views), "cautions.html.j2")


def cautions_of(views: Sequence[MetricView]) -> tuple[CautionText, ...]:
    """Return all cautions, serious ones first."""
    language = views[0].language
    found = []
    for view in views:
        for caution in view.analysis.cautions:
            message = language.tell(caution.note)
            names_it = caution.code in _OF_THE_TEST_SET or "metric" in caution.values
            if len(views) > 1 and not names_it:
                message = f"{view.label}: {message}"
            word = language.say(f"cautions.{caution.level}")
            found.append(CautionText(caution.level, word, message, caution.code))
    return tuple(sorted(dict.fromkeys(found), key=lambda caution: caution.level != "red"))
