"""How close competitions were, in words: a section of each page, and the page on several."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..core import catalogs
from ..core.cells import grouped
from ..core.methods import VALID_EVERYWHERE
from ..core.phrases import MISSING, THINGS, Language, Numerals, gettext_noop, ngettext_noop
from ..document.blocks import (
    Cell,
    Document,
    Fold,
    Link,
    Paragraph,
    ResultTable,
    Section,
    TableColumn,
    cell,
    passage,
)
from ..document.html import page
from ..document.scales import drawn_axis, drawn_strip, strip_scale
from ..document.shortening import isolated, told_apart
from ..document.take_away import tables
from ..inference.descriptive import (
    ComparedCompetition,
    comparable,
    more_is_closer,
    tie_opportunities,
)
from ..inference.evidence import PROJECTION
from ..reading.formats.kind import ROWS
from .results_json import flat
from .view import CORRECTIONS, IN_SENTENCE, NAMES_IN_FULL, RULES, FilledColumn, MetricView

#: What the measures are called.
_MEASURES = {
    "ties_with_winner": gettext_noop("Ties with the winner, {correction}"),
    "possible_comparisons": gettext_noop("Possible comparisons"),
    "ties_between_competitors": gettext_noop("Ties between competitors, {correction}"),
    "winner_minus_median": gettext_noop("Winner − median"),
    "cv_percent": gettext_noop("Coefficient of variation, CV (%)"),
    "ppi_percent": gettext_noop("Possible improvement, PPI (%)"),
    "ppi_unbounded": gettext_noop(
        "Possible improvement, PPI (% of the range; without a range, the winner's error)"
    ),
}
#: Whose measures they are, and how to read them.
CAPTION = gettext_noop(
    "These are the measures of Nava-Muñoz, Graff and Escalante (2024). Many ties, a small distance "
    "from winner to median, a small CV and a small PPI mean a close competition. A small PPI also "
    "means that little room is left for improvement. For an error metric without an upper bound, "
    "PPI is the winner's own error."
)


def competitiveness(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the measures where there are several entries."""
    say = views[0].language.say
    if len(views[0].result.names) > 1:
        table = competitiveness_table(views)
        blocks = passage(caption=say(CAPTION), table=table)
        yield Section("competitiveness", say("How close was it?"), blocks)


def competitiveness_measures(
    language: Language, *, kinds: Collection[str] = (ROWS,), bounded: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield (key, heading) of every measure of competitiveness in the order of the papers.

    ``kinds`` are those of the examples, which n counts. Unless all metrics are ``bounded``, PPI may
    be an error in the metric's own units.
    """
    say = language.say
    (kind, *more) = sorted({language.known(kind) for kind in kinds})
    examples = say("Examples or units") if more else say(THINGS[kind].heading)
    yield "n", say("{examples}, n", examples=examples)
    yield "m", say("Entries, m")
    for key, heading in _MEASURES.items():
        if "{correction}" in heading:
            for correction, word in CORRECTIONS.items():
                yield f"{key}.{correction}", say(heading, correction=say(word))
        elif key not in ("ppi_percent", "ppi_unbounded"):
            yield key, say(heading)
    ppi = "ppi_percent" if bounded else "ppi_unbounded"
    yield "ppi_percent", say(_MEASURES[ppi])


def competitiveness_cell(
    numerals: Numerals, key: str, value: float | int | None, decimals: int
) -> Cell:
    """Return the cell of one measure: counts whole, percentages with two decimals."""
    if value is None or not math.isfinite(value):
        return cell(MISSING, None)
    if key == "winner_minus_median":
        return cell(numerals.fixed(float(value), decimals), float(value))
    if key.endswith("_percent"):
        return cell(numerals.fixed(float(value), 2), float(value))
    return cell(numerals.count(int(value)), int(value))


def competitiveness_table(views: Sequence[MetricView]) -> ResultTable:
    """Return the measures of competitiveness, one column per metric."""
    first, say = views[0], views[0].say
    bounded = all(math.isfinite(view.metric.high - view.metric.low) for view in views)

    def column(view: MetricView) -> FilledColumn:
        found = dict(flat(vars(view.evidence.competitiveness), "."))

        def shown(measure: tuple[str, str]) -> Cell:
            key = measure[0]
            return competitiveness_cell(view.numerals, key, found.get(key), view.decimals)

        return TableColumn((view.metric.name,), view.label, numeric=True), shown

    return first.table(
        "competitiveness",
        say("Competitiveness of the competition."),
        competitiveness_measures(first.language, kinds=(first.kind,), bounded=bounded),
        (
            (TableColumn(("measure",), say("Measure")), lambda one: cell(one[1], one[0])),
            *map(column, views),
        ),
    )


# Several competitions -----------------------------------------------------------------------------


Compared = Sequence[ComparedCompetition]
#: Measure → the numbers of the competitions that it finds the closest.
Closest = Mapping[str, Sequence[int]]
#: Decimals of winner − median: the scores behind it are no longer known.
DECIMALS = 4
#: Who is tied with the leader, at the head of a column and in a sentence: where all pages name
#: possible winners, and else.
_WINNERS = (
    gettext_noop("Possible winners besides the leader"),
    gettext_noop("the number of possible winners"),
)
_TIED = (gettext_noop("Tied with the leader"), gettext_noop("entries tied with the leader"))
#: What the other measures are called in a sentence.
_CALLED = {
    "winner_minus_median": gettext_noop("the distance from winner to median"),
    "cv_percent": gettext_noop("CV"),
}
_MOST = ngettext_noop(
    "{names} was the closest by {measures}.", "{names} were the closest by {measures}."
)
_CLOSEST = ngettext_noop(
    "{names} was the closest of {total} competitions by {measures}.",
    "{names} were the closest of {total} competitions by {measures}.",
)
_BOLD = gettext_noop("Bold: the closest competition by that measure.")
_SCALE = gettext_noop(
    "Numbers of ties are compared as shares of the comparisons. The distance from winner to median "
    "is compared only where all competitions have the same metric. CV has no unit. PPI is compared "
    "for bounded metrics only, as a percentage of their range."
)
_HOW = (
    gettext_noop(
        "A row is a competition, and the length of a bar is its measure. The word “closest” marks "
        "the closest competition by each measure. A measure that cannot be compared has no bar."
    ),
    _SCALE,
    CAPTION,
)


def main_measures(competitions: Compared) -> tuple[str, str]:
    """Return the two measures of the first screen: who is tied by each page's own rule, and spread.

    Unless all competitions have the same metric, their spreads are compared without a unit.
    """
    median = comparable(competitions, "winner_minus_median")
    known = sum(value is not None for value in median) > 1
    return "tied_with_leader", "winner_minus_median" if known else "cv_percent"


def build(
    competitions: Compared, closest: Closest, *, language: str = "en", version: str = ""
) -> Document:
    """Put the comparison together; ``closest`` has the closest competitions by each measure."""
    words = catalogs.load(language)
    say, all_measures = words.say, _all_measures(competitions, closest, words)
    verdict, *most = _answers(competitions, closest, words)
    apart = not_compared(competitions, words)
    section = Section(
        "closeness",
        say("How close each was"),
        (
            _measures(competitions, closest, words),
            Fold(say("How to read this"), tuple(Paragraph(say(key)) for key in _HOW), "how", "how"),
            Fold(
                say("All measures, under every correction"),
                (Paragraph(say(_BOLD), "caption"), all_measures),
                "measures",
            ),
        ),
    )
    return Document(
        language=words,
        overline=say("Compared competitions"),
        title=say("Comparison of competitions"),
        verdict=verdict,
        consequence=(*most, apart) if apart else tuple(most),
        blocks=(section,),
        made_by=say("Made by Deadheat {version}", version=version).strip(),
        known=Link("how", say("How we know")),
    )


def files(document: Document) -> dict[str, str]:
    """Return file name → content."""
    return {"comparison.html": page(document), **tables(document.tables)}


def not_compared(competitions: Compared, language: Language) -> str:
    """Say that results by different metrics cannot be compared in full, and which; or nothing."""
    names = dict.fromkeys(_metrics(competitions))
    if len({(item.metric, item.definition) for item in competitions}) == 1:
        return ""
    return language.say(
        "The metrics differ ({metrics}), so their scores and the distances from winner to median "
        "are not compared.",
        metrics=_listed([*names], language),
    )


def _measures(competitions: Compared, closest: Closest, language: Language) -> ResultTable:
    """Return a row per competition, and the main measures by which they can be compared."""
    headings, numerals = _headings(competitions, language), language.numerals
    columns = [TableColumn(("entry",), language.say("Competition"))]
    cells: list[list[Cell]] = []
    for key in main_measures(competitions):
        values = comparable(competitions, key)
        known = [value for value in values if value is not None]
        if len(known) < 2:
            continue
        share = more_is_closer(key)
        scale = strip_scale([0.0, 1.0 if share else max(known) or 1.0])
        axis = drawn_axis(
            f"by-{key.replace('.', '-')}",
            scale,
            None,
            (lambda value, _: numerals.exact_percent(value)) if share else numerals.fixed,
        )
        heading = headings[key]
        small = language.say("longer is closer" if share else "shorter is closer")
        columns.append(TableColumn((), heading, style="measure", axis=axis, small=small))
        lines = []
        for place, (item, value) in enumerate(zip(competitions, values, strict=True)):
            text = MISSING if value is None else _text(item, key, language)
            strip = None
            if value is not None:
                strip = drawn_strip(scale, axis, 0.0, value, value, shape="plain", title=text)
            first = place in closest.get(key, ())
            note = language.say("closest") if first else ""
            style = "closest" if first else ""
            lines.append(
                cell(text, note=note, strip=strip, strong=first, style=style, label=heading)
            )
        cells.append(lines)
    names, metrics = _names(competitions), _metrics(competitions)
    rows = tuple(
        (
            cell(name, note=_facts(item, metric, language), link=item.page),
            *(column[place] for column in cells),
        )
        for place, (item, name, metric) in enumerate(zip(competitions, names, metrics, strict=True))
    )
    caption = language.say("How close each was")
    return ResultTable("", caption, tuple(columns), rows, style="cards compared")


def _facts(item: ComparedCompetition, metric: str, language: Language) -> str:
    """Return the metric of a competition and its sizes."""
    counted = THINGS[language.known(item.kind)].counted
    sizes = ((counted, "n"), (ngettext_noop("{count:n} entry", "{count:n} entries"), "m"))
    facts = [
        language.say(*sentence, count=int(size))
        for sentence, key in sizes
        if (size := item.measures.get(key)) is not None and math.isfinite(size)
    ]
    rule = [language.say(RULES[item.rule])] if item.rule in RULES else []
    return " · ".join((metric, *facts, *rule))


def _tied(competitions: Compared) -> tuple[str, str]:
    """Return what those tied with the leader are called: as on the pages, if these agree."""
    named = all(item.rule in (*VALID_EVERYWHERE, PROJECTION) for item in competitions)
    return _WINNERS if named else _TIED


def _headings(competitions: Compared, language: Language) -> dict[str, str]:
    """Return what the measures are called, as on the pages."""
    own = {"tied_with_leader": language.say(_tied(competitions)[0])}
    return own | dict(competitiveness_measures(language))


def _text(competition: ComparedCompetition, key: str, language: Language) -> str:
    """Return a measure; a number of ties is out of the comparisons."""
    measures = competition.measures
    number = competitiveness_cell(language.numerals, key, measures.get(key), DECIMALS).text
    if not more_is_closer(key):
        return number
    others = language.numerals.count(int(tie_opportunities(measures, key)))
    return language.say("{count} of {others}", count=number, others=others)


def _all_measures(competitions: Compared, closest: Closest, language: Language) -> ResultTable:
    say = language.say
    rows = [
        (cell(say("Metric"), "metric"), *map(cell, _metrics(competitions))),
        (
            cell(say("Tie rule"), "tie_rule"),
            *(
                cell(say(RULES[item.rule]) if item.rule in RULES else MISSING, item.rule)
                for item in competitions
            ),
        ),
    ]
    bounded = all(item.bounded for item in competitions)
    kinds = {item.kind for item in competitions}
    own = ("tied_with_leader", language.say(_tied(competitions)[0]))
    for key, heading in (own, *competitiveness_measures(language, kinds=kinds, bounded=bounded)):
        row = [cell(heading, key)]
        for index, competition in enumerate(competitions):
            made = competitiveness_cell(
                language.numerals, key, competition.measures.get(key), DECIMALS
            )
            row.append(Cell(made.text, made.values, strong=index in closest.get(key, ())))
        rows.append(tuple(row))
    return ResultTable(
        name="comparison",
        caption=say("Comparison of competitions"),
        columns=(
            TableColumn(("measure",), say("Measure")),
            *(
                TableColumn((item.title,), name, numeric=True)
                for item, name in zip(competitions, _names(competitions), strict=True)
            ),
        ),
        rows=tuple(rows),
        note=f"{say(_BOLD)} {say(_SCALE)}",
    )


def _answers(competitions: Compared, closest: Closest, language: Language) -> Iterator[str]:
    """Say which competitions were the closest by which main measures, by most measures first."""
    total = language.numerals.count(len(competitions))
    led_by = (key for key in main_measures(competitions) if key in closest)
    led = grouped((tuple(closest[key]), key) for key in led_by)
    if not led:
        yield language.say(
            "By no measure was one of these {total} competitions closer than the others.",
            total=total,
        )
    names = [isolated(name) for name in _names(competitions)]
    called = {"tied_with_leader": _tied(competitions)[1], **_CALLED}
    by_most = sorted(led.items(), key=lambda item: -len(item[1]))
    for number, (places, keys) in enumerate(by_most):
        yield language.say(
            *(_MOST if number else _CLOSEST),
            count=len(places),
            names=_listed([names[place] for place in places], language),
            total=total,
            measures=language.listed([language.say(called[key.partition(".")[0]]) for key in keys]),
        )


def _listed(names: Sequence[str], language: Language) -> str:
    """Return a list of names; a long one is cut."""
    more = len(names) - NAMES_IN_FULL
    if more <= 0:
        return language.listed(names)
    first = language.joined(names[:NAMES_IN_FULL])
    return language.say("{first}, … and {count:n} more", first=first, count=more)


def _names(competitions: Compared) -> list[str]:
    """Return the titles, short enough for a sentence or the head of a column."""
    return told_apart([item.title for item in competitions], IN_SENTENCE)


def _metrics(competitions: Compared) -> list[str]:
    """Return the metrics' names; the definitions of those that share a name, but not a definition.

    Binary and macro F1 are both called ``f1_score`` where the settings give them no other name.
    """
    labels = [item.label or item.metric for item in competitions]
    definitions = {label: set[str]() for label in labels}
    for item, label in zip(competitions, labels, strict=True):
        definitions[label].add(item.definition)
    return [
        label if len(definitions[label]) == 1 else item.definition
        for item, label in zip(competitions, labels, strict=True)
    ]
