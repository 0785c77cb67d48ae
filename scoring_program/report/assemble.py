"""The page as a document, with its sections in their order, and all files of a run.

Sections are functions from the evidence. They know how to read evidence and how to say it; they
compute no statistics. Numbers become text by `numbers.Numerals` only.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from ..core import catalogs
from ..core.errors import SettingsError, nearest
from ..core.phrases import Language
from ..core.version import __version__, install_line
from ..document.blocks import Fact, Facts, Paragraph, Section, every
from ..document.html import Document, bare, framed, page
from ..document.take_away import tables
from ..reading.layout import SINGLE
from ..settings.model import FIGURES
from .findings import Findings
from .results_json import results_json
from .scores import scores, scores_json, scores_txt
from .sections import account, all_metrics, competitiveness, method, slices
from .sections.entry_cards import cards_of
from .sections.one_metric import evidence_of
from .sections.ranking import HOW, card_of, finish_text, ranking_of
from .sections.verdict import answers, consequence, facts_of, of_selection, verdict
from .view import LONG, MetricView, Views

#: Each takes a view of every metric, the ranking metric first, and gives no section where it has
#: nothing to say.
Sections = tuple[Callable[[Sequence[MetricView]], Iterable[Section]], ...]
#: The sections below the ranking, in the order of the page.
SECTIONS: Sections = (
    all_metrics.sections,
    account.cautions,
    competitiveness.sample_size,
    slices.shake_up,
    all_metrics.schemes,
    account.unusable,
    account.unscored,
    account.left_aside,
    account.runs,
    method.paper,
)
#: The sections for statisticians, below what they want to know of each metric.
EVIDENCE: Sections = (
    slices.of_slices,
    competitiveness.measures,
    method.method,
    method.citation,
    account.signature,
)


def build(result: Findings) -> Document:
    """Return the detailed-results page."""
    language = catalogs.load(result.settings.language, result.kind)
    result = _in_language(result, language)
    views = views_of(result, language)
    if result.scores_only:
        return _of_scores_only(views)
    first, say = views[0], language.say
    sections = [section for found in SECTIONS for section in found(views)]
    evidence = Section("evidence", say("For statisticians"), tuple(_evidence(views)), folded=True)
    contents = [_link(section) for section in sections]
    if result.form == "field" and result.focus is not None:
        own = first.cards[result.names[result.focus]]
        contents.insert(0, Fact(say("Your submission"), address=own))
    # What the organizer asked for has a link, although it is answered above, or folded away.
    answered = tuple(answers(first))
    contents += [replace(one, value="") for one in answered if one.address]
    # Slices and several tasks, which a setting asks for.
    every_one = every([*sections, evidence], Section)
    asked = (one for one in every_one if one.id.startswith(("task-ranks", "slices-")))
    contents += map(_link, (*asked, evidence))
    cautions = len(account.cautions_of(views))
    said = language.say(
        "{count:n} caution about the evidence",
        "{count:n} cautions about the evidence",
        count=cautions,
    )
    caution = Fact(said, address="cautions")
    blocks = (
        Facts(tuple(facts_of(first))),
        *([Facts((caution,), "cautions-link", links=True)] if cautions else []),
        Facts(tuple(contents), "", say("Contents"), links=True),
        ranking_of(views, first, cards_of(views)),
        *sections,
        evidence,
    )
    document = _document(first, verdict(first), tuple(consequence(first)), blocks)
    script = None
    if result.settings.interactive:
        from .sections.interactive import read_by_script  # late: no page on a platform has one

        script = read_by_script(views)
    card = card_of(first, document.title, document.verdict, document.source)
    # Those who show a link draw no SVG.
    page, drawn = result.settings.page_url, "png" in result.settings.figures
    return replace(
        document,
        card=card,
        texts=method.paper_files(views),
        finish=(*finish_text(first), *of_selection(first)),
        answers=answered,
        known=HOW,
        read_by_script=script,
        page_url=page,
        picture_url=urljoin(page, "figures/card.png") if page and drawn else "",
    )


def _link(section: Section) -> Fact:
    return Fact(section.heading, address=section.id)


def views_of(result: Findings, language: Language) -> list[MetricView]:
    """Return a view of every metric, the ranking metric first."""
    return [MetricView(result, one, index, language) for index, one in enumerate(result.evidence)]


def summaries(result: Findings) -> list[str]:
    """Return the sentence on each metric; none for readers who may see scores only."""
    if result.scores_only:
        return []
    language = catalogs.load(result.settings.language, result.kind)
    return [verdict(view) for view in views_of(_in_language(result, language), language)]


def _evidence(views: Views) -> Iterator[Any]:
    """Yield what statisticians want to know; what is the same for every metric is said once."""
    told: set[str] = set()
    if max(len(view.evidence.names) for view in views) - 1 > LONG:
        note = views[0].language.say(
            "Long tables in this part show the first {count} entries. All are in the files that "
            "come with this page.",
            count=views[0].numerals.count(LONG),
        )
        yield Paragraph(note, "caption")
    for view in views:
        yield evidence_of(view, told)
    for found in EVIDENCE:
        yield from found(views)


def _of_scores_only(views: Views) -> Document:
    """Return the page of a participant who may see the scores only: its own bar, no files."""
    from .sections import own_scores  # late: only the pages of participants hold it

    say = views[0].language.say
    known = Section(HOW, say("How we know"), tuple(map(Paragraph, method.in_short(views[0]))))
    sections = [*own_scores.sections(views), known, *account.signature(views)]
    links = Facts(tuple(map(_link, sections)), "", say("Contents"), links=True)
    blocks = (own_scores.own_facts(views[0]), links, *sections)
    told = (*own_scores.own_place(views[0]), *own_scores.own_hint(views))
    return _document(views[0], own_scores.own_verdict(views[0]), told, blocks)


def _document(
    view: MetricView, verdict: str, consequence: tuple[str, ...], blocks: tuple[Any, ...]
) -> Document:
    language, settings = view.language, view.result.settings
    return Document(
        language=language,
        overline=language.say("Detailed results"),
        title=settings.title or language.say("Competition results"),
        verdict=verdict,
        consequence=consequence,
        blocks=blocks,
        made_by=language.say("Made by Deadheat {version}", version=__version__).strip(),
        color_scheme=settings.color_scheme,
        prints_folds=settings.print == "full",
        about=" · ".join(part for part in (settings.host, settings.date) if part),
        url=settings.url,
    )


def _in_language(result: Findings, language: Language) -> Findings:
    """Return the result with a word of the language for a submission that has no name."""
    word = language.say("submission")
    if result.focus is None or word in result.names:
        return result

    def named(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(word if name == SINGLE else name for name in names)

    signature = {
        re.sub(rf"^(sha256 of ){SINGLE}\b", rf"\1{word}", key): value
        for key, value in result.signature.items()
    }
    evidence = []
    for one in result.evidence:
        cautions = (
            replace(each, sentence=each.sentence.renamed({SINGLE: word})) for each in one.cautions
        )
        evidence.append(replace(one, names=named(one.names), cautions=tuple(cautions)))
    return replace(result, names=named(result.names), evidence=tuple(evidence), signature=signature)


# Files --------------------------------------------------------------------------------------------


_LIBRARY, _EXTRA = "vl_convert", "figures"
#: Pixels of a PNG for a unit of its SVG: the card has the size that platforms show.
_SCALES, _USUAL_SCALE = {"card": 1.0}, 2.0
#: A size in points: the library makes a point of each pixel of a PDF.
_POINTS = re.compile(r'\b(width|height)="([\d.]+)pt"')
#: Emoji. The library cannot put some of them, from a font in colors, into a PDF.
_EMOJI, _FRAME = re.compile("[\U0001f000-\U0001faff]"), "\N{WHITE SQUARE}"


def figures(report: Document) -> Mapping[str, str]:
    """Return file name → SVG of every figure, each complete in itself, and of the card."""
    drawings = {
        f"{name}.svg": bare(one, "column.css.j2") if one.unit else framed(one, report.source)
        for name, one in report.figures.items()
    }
    return drawings if report.card is None else {**drawings, "card.svg": bare(report.card)}


def files(
    findings: Findings, report: Document, formats: Sequence[str] | None = None
) -> dict[str, str | bytes]:
    """Return everything that is written: path below OUTPUT → content.

    Figures are converted into ``formats``, by default those of the settings. Participants who may
    see the scores only get the page and the scores.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    flat = scores(findings)
    contents: dict[str, str | bytes] = {
        "detailed_results.html": page(report),
        "scores.json": scores_json(flat),
        "scores.txt": scores_txt(flat),
    }
    if findings.scores_only:
        return contents
    drawn = figures(report)
    wanted = findings.settings.figures if formats is None else formats
    written = {**report.texts, **tables(report.tables)}
    return {
        **contents,
        "results.json": results_json(findings, report.verdict, summaries(findings)),
        **{f"tables/{name}": text for name, text in written.items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": content for name, content in converted(drawn, wanted)},
    }


def require_formats(formats: Iterable[str]) -> None:
    """Raise SettingsError if figures cannot be converted into these formats."""
    wanted = list(formats)
    for name in wanted:
        if name not in FIGURES:
            raise SettingsError(f"there is no format {name!r} of figures{nearest(name, FIGURES)}")
    if wanted and importlib.util.find_spec(_LIBRARY) is None:
        raise SettingsError(
            f"figures: {' and '.join(wanted)} need the library {_LIBRARY}, which is not installed; "
            f"{install_line(_EXTRA)}"
        )


def converted(svgs: Mapping[str, str], formats: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield file name and content of every figure in every format; ``svgs`` is file name → SVG.

    A PDF holds text as text, but may show a frame for an emoji; a PNG has two pixels for each unit
    of its SVG.

    Raises
    ------
    SettingsError
        A format is unknown, or the library is not installed.
    """
    require_formats(formats)
    if not formats:
        return
    import vl_convert

    for name, svg in svgs.items():
        stem, sized = name.removesuffix(".svg"), _POINTS.sub(r'\1="\2"', svg)
        if "pdf" in formats:
            try:
                pdf = vl_convert.svg_to_pdf(sized)
            except RuntimeError:  # a run that took hours must not end for an emoji in a name
                pdf = vl_convert.svg_to_pdf(_EMOJI.sub(_FRAME, sized))
            yield f"{stem}.pdf", pdf
        if "png" in formats:
            yield f"{stem}.png", vl_convert.svg_to_png(svg, _SCALES.get(stem, _USUAL_SCALE))
