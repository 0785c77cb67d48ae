"""The page as data: every sentence, number and coordinate that the templates print.

`build` puts a report together from its sections, one module each. It knows how to read an analysis
and how to say it; it computes no statistics. Numbers become text by `numbers.Numerals` only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ..core.notes import renamed
from ..core.version import __version__
from ..inference.findings import Findings
from ..reading.layout import SINGLE
from . import drawing as draw
from . import language as languages
from .drawing import Figure
from .language import Language
from .sections.all_metrics import all_metrics_table
from .sections.caution_list import cautions_of
from .sections.contents import EVIDENCE, PICTURES, SCORES_ONLY, SECTIONS
from .sections.entry_cards import cards_of
from .sections.entry_index import IndexPart, index_of
from .sections.excerpts import notes_of
from .sections.facts import facts_of
from .sections.one_metric import MetricSection, figures_of, section_of, tables_of
from .sections.own_scores import own_facts, own_verdict
from .sections.ranking import overview_caption, overview_of
from .sections.result_card import card_of
from .sections.row_filter import RowChoice, choices_of
from .sections.section import Section
from .sections.verdict import consequence, verdict
from .tables import ResultTable, ResultText, file_part
from .view import Fact, MetricView


@dataclass(frozen=True)
class Link:
    """An entry of the contents."""

    id: str
    heading: str


@dataclass(frozen=True)
class Report:
    """The whole page, and what is taken away from it."""

    language: Language
    color_scheme: str
    prints_folds: bool  # whether paper shows what is folded away on a screen
    title: str
    about: str  # the host and the date of the results
    url: str  # of the competition
    made_by: str
    verdict: str
    consequence: tuple[str, ...]
    facts: tuple[Fact, ...]
    index: tuple[IndexPart, ...]  # of a large field
    choices: tuple[RowChoice, ...]  # of the rows of a long ranking
    overview: tuple[draw.Forest, ...]
    overview_caption: str
    all_metrics: ResultTable | None
    metrics: tuple[MetricSection, ...]
    pictures: tuple[Section, ...]  # of several metrics at once
    sections: tuple[Section, ...]
    evidence: tuple[Section, ...]  # for statisticians
    evidence_notes: tuple[str, ...]
    cautions_link: str
    tables: tuple[ResultTable, ...]
    texts: tuple[ResultText, ...]
    figures: Mapping[str, Figure]
    card: draw.Card | None  # none for readers who may see scores only

    @property
    def source(self) -> str:
        """Where a figure of the page comes from."""
        return _source({"title": self.title, "about": self.about, "made_by": self.made_by})

    @property
    def contents(self) -> tuple[Link, ...]:
        """Links to the sections there are."""
        links = [Link("overview", self.language.say("overview.heading"))] if self.overview else []
        links += [Link(section.id, section.heading) for section in self.sections]
        if self.evidence:
            links.append(Link("evidence", self.language.say("page.evidence")))
        return tuple(links)


def build(result: Findings) -> Report:
    """Put the report together; see the module's docstring."""
    language = languages.load(result.settings.language, result.kind)
    result = _in_language(result, language)
    views = [
        MetricView(result, analysis, index, language)
        for index, analysis in enumerate(result.analyses)
    ]
    if result.scores_only:
        return _of_scores_only(views)
    first = views[0]
    # An entry has one card, which says how it stands by every metric.
    cards = cards_of(views)
    metrics = tuple(section_of(view, None if view.index else cards) for view in views)
    pictures = tuple(chain.from_iterable(found(views) for found in PICTURES))
    sections = tuple(chain.from_iterable(found(views) for found in SECTIONS))
    evidence = tuple(chain.from_iterable(found(views) for found in EVIDENCE))
    all_metrics = all_metrics_table(views)
    overview = overview_of(views, [metric.ranking for metric in metrics])
    cautions = cautions_of(views)
    frame, says = _frame(first), verdict(first)
    return Report(
        **frame,
        verdict=says,
        consequence=consequence(first, cautions),
        facts=facts_of(first),
        index=index_of(views),
        choices=choices_of(first, metrics[0].ranking),
        cautions_link=language.count("page.cautions_link", len(cautions)) if cautions else "",
        overview=overview,
        overview_caption=overview_caption(first) if overview else "",
        all_metrics=all_metrics,
        metrics=metrics,
        pictures=pictures,
        sections=sections,
        evidence=evidence,
        evidence_notes=tuple(notes_of(views)),
        tables=_tables(views, metrics, all_metrics, (*pictures, *sections, *evidence)),
        texts=tuple(text for section in sections for text in section.texts),
        card=card_of(first, frame["title"], says, _source(frame)),
        figures=_figures(views, metrics, overview, (*pictures, *sections, *evidence)),
    )


def _of_scores_only(views: Sequence[MetricView]) -> Report:
    """Return the report for a participant who may see the scores only: no figures, no tables."""
    return Report(
        **_frame(views[0]),
        verdict=own_verdict(views[0]),
        consequence=(),
        facts=own_facts(views[0]),
        index=(),
        choices=(),
        cautions_link="",
        overview=(),
        overview_caption="",
        all_metrics=None,
        metrics=(),
        pictures=(),
        evidence=(),
        evidence_notes=(),
        sections=tuple(chain.from_iterable(found(views) for found in SCORES_ONLY)),
        tables=(),
        texts=(),
        figures={},
        card=None,
    )


def _frame(view: MetricView) -> dict[str, Any]:
    """Return what stands around the content of every page."""
    language, settings = view.language, view.result.settings
    return {
        "language": language,
        "color_scheme": settings.color_scheme,
        "prints_folds": settings.print == "full",
        "title": settings.title or language.say("page.untitled"),
        "about": " · ".join(part for part in (settings.host, settings.date) if part),
        "url": settings.url,
        "made_by": language.say("page.made_by", version=__version__).strip(),
    }


def _source(frame: Mapping[str, Any]) -> str:
    """Return where a figure comes from."""
    return " · ".join(frame[key] for key in ("title", "about", "made_by") if frame[key])


def _tables(
    views: Sequence[MetricView],
    metrics: Sequence[MetricSection],
    all_metrics: ResultTable | None,
    sections: Sequence[Section],
) -> tuple[ResultTable, ...]:
    """Return the tables to take away."""
    of_all = () if all_metrics is None else (all_metrics,)
    of_metrics = (tables_of(*pair) for pair in zip(views, metrics, strict=True))
    return tuple(chain(of_all, *of_metrics, *(section.tables for section in sections)))


def _figures(
    views: Sequence[MetricView],
    metrics: Sequence[MetricSection],
    overview: Sequence[draw.Forest],
    sections: Sequence[Section],
) -> dict[str, Figure]:
    """Return file name without extension → figure, of the overview, the metrics, the rest."""
    found: dict[str, Figure] = {
        f"overview_{file_part(view.metric.name)}": panel
        for view, panel in zip(views, overview, strict=False)
    }
    for view, metric in zip(views, metrics, strict=True):
        found |= figures_of(view, metric)
    for section in sections:
        found |= section.figures
    return found


def _in_language(result: Findings, language: Language) -> Findings:
    """Return the result with a word of the language for a submission that has no name."""
    word = language.say("status.submission")
    if result.focus is None or word in result.names:
        return result
    named = tuple(word if name == SINGLE else name for name in result.names)
    signature = {
        re.sub(rf"^(sha256 of ){SINGLE}\b", rf"\1{word}", key): value
        for key, value in result.signature.items()
    }
    analyses = tuple(
        replace(
            analysis,
            names=tuple(word if name == SINGLE else name for name in analysis.names),
            cautions=tuple(
                replace(caution, values=renamed(caution.values, {SINGLE: word}))
                for caution in analysis.cautions
            ),
        )
        for analysis in result.analyses
    )
    return replace(result, names=named, analyses=analyses, signature=signature)
