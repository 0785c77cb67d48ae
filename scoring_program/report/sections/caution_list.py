"""The cautions about all metrics together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
            values = caution.note.values
            if "metric" in values:
                values = {**values, "metric": view.label}
            message = language.tell(replace(caution.note, values=values))
            if len(views) > 1 and caution.code not in _OF_THE_TEST_SET and "metric" not in values:
                message = f"{view.label}: {message}"
            word = language.say(f"cautions.{caution.level}")
            found.append(CautionText(caution.level, word, message, caution.code))
    return tuple(sorted(dict.fromkeys(found), key=lambda caution: caution.level != "red"))
