"""The page as a document, with its sections in their order, and all files of a run.

Sections are functions from the evidence. They know how to read evidence and how to say it; they
compute no statistics. Numbers become text by `numbers.Numerals` only.
"""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from ..core import catalogs
from ..core.errors import SettingsError, nearest
from ..core.phrases import Language
from ..core.version import __version__, install_line
from ..document.blocks import Fact, Facts, Paragraph, Section, every
from ..document.html import Announced, Document, bare, framed, page
from ..document.take_away import tables
from ..reading.layout import SINGLE
from ..settings.model import FIGURES, Settings
from .announcement import NAMES_IN_FULL, Announcement, announcement, podium_of
from .findings import Findings
from .results_json import results_json
from .scores import scores, scores_json, scores_txt
from .sections import (
    account,
    all_metrics,
    beside_people,
    competitiveness,
    method,
    on_front,
    on_prizes,
    slices,
)
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
    on_prizes.sections,
    on_front.sections,
    beside_people.sections,
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
    account.reading,
    account.signature,
)

#: Where the page says what follows from the verdict, below the ranking.
_FOLLOWS = "follows"
#: Where the contents stand, below that: a long ranking has many links.
_CONTENTS = "contents"
#: How much of that also stands below the verdict, by the form: what a participant reads first.
_UNDER_VERDICT = {"teams": 0, "field": 1, "single": 1}


def build(result: Findings) -> Document:
    """Return the detailed-results page."""
    language = catalogs.load(result.settings.language, result.kind)
    result = _in_language(result, language)
    views = views_of(result, language)
    if result.scores_only:
        return _of_scores_only(views)
    first = views[0]
    say = language.say
    sections = [section for section_of in SECTIONS for section in section_of(views)]
    evidence = Section("evidence", say("For statisticians"), tuple(_evidence(views)), folded=True)
    contents = [_link(section) for section in sections]
    if result.form == "field" and result.focus is not None:
        own_card = first.cards[result.names[result.focus]]
        contents.insert(0, Fact(say("Your submission"), address=own_card))
    # What the organizer asked for has a link, although it is answered here, or folded away.
    answered = tuple(answers(first))
    contents += [
        replace(answer, value="") for answer in answered if answer.address and not answer.first
    ]
    # Slices and several tasks, which a setting asks for.
    every_one = every([*sections, evidence], Section)
    asked = (section for section in every_one if section.id.startswith(("task-ranks", "slices-")))
    contents += map(_link, (*asked, evidence))
    blocks = (
        ranking_of(views, first, cards_of(views)),
        *_below_ranking(first, answered),
        Section(_CONTENTS, "", (Facts(tuple(contents), "", say("Contents"), links=True),)),
        *sections,
        evidence,
    )
    document = _document(first, verdict(first), tuple(consequence(first)), blocks)
    script = None
    if result.settings.interactive:
        from .sections.interactive import read_by_script  # late: no page on a platform has one

        script = read_by_script(views)
    # The title stands on top of a card, so that its source need not repeat it.
    source = " · ".join(filter(None, (first.examples, document.about, document.made_by)))
    card = card_of(
        first, document.title, _on_card(first, document.verdict), _in_numbers(first), source
    )
    # Those who show a link draw no SVG.
    page_url = result.settings.page_url
    has_png = "png" in result.settings.figures
    return replace(
        document,
        card=card,
        texts=method.paper_files(views),
        finish=(*_told(first), *finish_text(first), *of_selection(first), *_on_people(first)),
        answers=answered,
        announced=_announced(first),
        first_answers=tuple(answer for answer in answered if answer.first),
        links=tuple(_glance(views)),
        under_verdict=_UNDER_VERDICT[result.form],
        how_address=HOW,
        read_by_script=script,
        page_url=page_url,
        picture_url=urljoin(page_url, "figures/card.png") if page_url and has_png else "",
    )


def _told(view: MetricView) -> list[str]:
    """Return who takes a prize, and who may be the best for its cost, a line each in a terminal.

    There is nothing where nobody asked.
    """
    answers_of_all = (on_prizes.sentences(view), on_front.sentences(view))
    return [answer for answer in map(" ".join, answers_of_all) if answer]


def _on_people(view: MetricView) -> list[str]:
    """Return what people's scores add to a judge's, in one line; nothing without people."""
    sentences = " ".join(beside_people.worth(view))
    return [sentences] if sentences else []


def _announced(view: MetricView) -> Announced | None:
    """Return what an organizer may announce; None where nobody competes, or nobody would win."""
    may = _announcement_of(view)
    if may is None:
        return None
    return Announced(may.sentence, may.sign.kind, may.sign.glyph, may.sign.word)


def _announcement_of(view: MetricView, most_names: int = NAMES_IN_FULL) -> Announcement | None:
    if view.result.form != "teams":
        return None
    podium = podium_of(view.evidence, view.result.teams)
    if podium.competing < 2 and not podium.waits_for_uploads:
        return None
    return announcement(podium, view.language, most_names)


def _in_numbers(view: MetricView) -> str:
    """Say who may be the best with no names but the leader's; nothing where nobody would win."""
    may = _announcement_of(view, 0)
    return "" if may is None else may.public


def _on_card(view: MetricView, sentence: str) -> tuple[str, str]:
    """Return what a card says above the picture: the ``sentence``, and who takes a prize.

    A card goes to everybody. So it says neither while something about uploads is to be settled.
    """
    if view.result.form == "teams":
        podium = podium_of(view.evidence, view.result.teams)
        if podium.waits_for_uploads:
            return announcement(podium, view.language).public, ""
    return sentence, on_prizes.on_card(view)


def _below_ranking(view: MetricView, answered: Sequence[Fact]) -> Iterator[Section]:
    """Yield what follows from the verdict and what limits it, and the figures of the run.

    What stands under the verdict is not said again.
    """
    follows = [*consequence(view)][_UNDER_VERDICT[view.result.form] :]
    paragraphs = [Paragraph(sentence) for sentence in follows]
    later = (answer for answer in answered if not answer.first)
    paragraphs += [Paragraph(answer.value, id=answer.address) for answer in later]
    blocks = (*paragraphs, Facts(tuple(facts_of(view))))
    yield Section(_FOLLOWS, view.say("What follows"), blocks)


def _glance(views: Views) -> Iterator[Fact]:
    """Yield the links of the first screen: uploads, cautions, how we know, and the contents."""
    view = views[0]
    result = view.result
    say = view.say
    unusable = result.count_unusable
    if result.form == "teams":
        address = _FOLLOWS
        if result.unusable:
            address = "unusable"
        elif unusable:
            address = account.UNSCORED
        entries = say("{count:n} entry", "{count:n} entries", count=len(result.names))
        uploads = say("{count:n} upload", "{count:n} uploads", count=result.uploads)
        if unusable:
            uploads = say(
                "{uploads}, {count:n} unusable",
                "{uploads}, {count:n} unusable",
                count=unusable,
                uploads=uploads,
            )
        yield Fact(uploads if result.uploads > len(result.names) else entries, address=address)
    levels = Counter(caution.level for caution in account.cautions_of(views).values())
    if levels:
        serious = "red" if levels["red"] else "amber"
        yield Fact(_of_levels(view, levels), address="cautions", mark=serious)
    yield Fact(say("How we know"), address=HOW)
    yield Fact(say("Contents"), address=_CONTENTS)


def _of_levels(view: MetricView, levels: Mapping[str, int]) -> str:
    """Count the cautions, serious ones first."""
    red = levels["red"]
    amber = levels["amber"]
    if not red:
        return view.say("{count:n} minor caution", "{count:n} minor cautions", count=amber)
    serious = view.say("{count:n} serious caution", "{count:n} serious cautions", count=red)
    if not amber:
        return serious
    return view.say(
        "{serious} and {count:n} minor one",
        "{serious} and {count:n} minor ones",
        count=amber,
        serious=serious,
    )


def _link(section: Section) -> Fact:
    return Fact(section.heading, address=section.id)


def views_of(result: Findings, language: Language) -> list[MetricView]:
    """Return a view of every metric, the ranking metric first."""
    return [
        MetricView(result, evidence, index, language)
        for index, evidence in enumerate(result.evidence)
    ]


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
    for section_of in EVIDENCE:
        yield from section_of(views)


def _of_scores_only(views: Views) -> Document:
    """Return the page of a participant who may see the scores only: its own bar, no files."""
    from .sections import own_scores  # late: only the pages of participants hold it

    say = views[0].language.say
    how = Section(HOW, say("How we know"), tuple(map(Paragraph, method.in_short(views[0]))))
    sections = [*own_scores.sections(views), how, *account.signature(views)]
    links = Facts(tuple(map(_link, sections)), "", say("Contents"), links=True)
    blocks = (own_scores.own_facts(views[0]), links, *sections)
    told = (*own_scores.own_place(views[0]), *own_scores.own_hint(views))
    return _document(views[0], own_scores.own_verdict(views[0]), told, blocks)


def _document(
    view: MetricView, verdict: str, consequence: tuple[str, ...], blocks: tuple[Any, ...]
) -> Document:
    language = view.language
    settings = view.result.settings
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
    for of_metric in result.evidence:
        cautions = (
            replace(caution, sentence=caution.sentence.renamed({SINGLE: word}))
            for caution in of_metric.cautions
        )
        evidence.append(replace(of_metric, names=named(of_metric.names), cautions=tuple(cautions)))
    return replace(result, names=named(result.names), evidence=tuple(evidence), signature=signature)


# Files --------------------------------------------------------------------------------------------


_LIBRARY = "vl_convert"
_EXTRA = "figures"
#: Pixels of a PNG for a unit of its SVG: the card has the size that platforms show.
_SCALES = {"card": 1.0}
_USUAL_SCALE = 2.0
#: A size in points: the library makes a point of each pixel of a PDF.
_POINTS = re.compile(r'\b(width|height)="([\d.]+)pt"')
#: Emoji. The library cannot put some of them, from a font in colors, into a PDF.
_EMOJI = re.compile("[\U0001f000-\U0001faff]")
_FRAME = "\N{WHITE SQUARE}"


def figures(report: Document) -> Mapping[str, str]:
    """Return file name → SVG of every figure, each complete in itself, and of the card."""
    drawings = {
        f"{name}.svg": bare(figure, "column.css.j2")
        if figure.unit
        else framed(figure, report.source)
        for name, figure in report.figures.items()
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


def no_picture_because(settings: Settings) -> str | None:
    """Return why links to a page that will be published show no card; None if they do.

    None, too, without a ``page_url``. Only `figures: png` makes the card, because what a run writes
    depends on its settings and not on the libraries that happen to be there.
    """
    if not settings.page_url or "png" in settings.figures:
        return None
    told = "page_url: links to the page will show no card, because figures has no png"
    if importlib.util.find_spec(_LIBRARY) is None:
        return (
            f"{told}, and the library {_LIBRARY} is not installed: {install_line(_EXTRA)}, and set "
            "figures: [png]"
        )
    return f"{told}; set figures: [png]"


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
        stem = name.removesuffix(".svg")
        sized = _POINTS.sub(r'\1="\2"', svg)
        if "pdf" in formats:
            try:
                pdf = vl_convert.svg_to_pdf(sized)
            except RuntimeError:  # a run that took hours must not end for an emoji in a name
                pdf = vl_convert.svg_to_pdf(_EMOJI.sub(_FRAME, sized))
            yield f"{stem}.pdf", pdf
        if "png" in formats:
            yield f"{stem}.png", vl_convert.svg_to_png(svg, _SCALES.get(stem, _USUAL_SCALE))
