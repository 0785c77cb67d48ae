"""How close several competitions were, in words: the page that compares them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..core import catalogs
from ..core.cells import grouped
from ..core.methods import VALID_EVERYWHERE
from ..core.phrases import MISSING, THINGS, Language, gettext_noop, ngettext_noop
from ..document.blocks import Paragraph, Section
from ..document.html import Document, page
from ..document.scales import above_strips, drawn_axis, strip, strip_scale
from ..document.shortening import isolated, told_apart
from ..document.take_away import Cell, ResultTable, TableColumn, cell, tables
from ..inference.descriptive import (
    ComparedCompetition,
    comparable,
    more_is_closer,
    tie_opportunities,
)
from ..inference.evidence import PROJECTION
from .sections.competitiveness import (
    CAPTION,
    competitiveness_measures,
    measure_cell,
    measures_column,
)
from .view import IN_SENTENCE, NAMES_IN_FULL, RULES, FilledColumn, Writer

Compared = Sequence[ComparedCompetition]
#: Measure → the numbers of the competitions that it finds the closest.
Closest = Mapping[str, Sequence[int]]
#: Measure → why it finds none the closest; see `descriptive.undecided`.
Undecided = Mapping[str, str]
#: The possible winners, the leader among them as on every page, at the head of a column and in a
#: sentence: where all pages name them, and else.
_WINNERS = (gettext_noop("Possible winners"), gettext_noop("the number of possible winners"))
_TIED = (gettext_noop("Leader and tied with it"), gettext_noop("entries tied with the leader"))
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
#: The same of two competitions.
_CLOSER = gettext_noop("{closer} was closer than {other} by {measures}.")
#: Why no competition is the closest by some measures.
_UNDECIDED = {
    "chance": gettext_noop("By {measures}, these {total} competitions cannot be told apart."),
    "sizes": gettext_noop(
        "By {measures}, none of these {total} competitions is called the closest: such a measure "
        "depends on the size of the test set and the number of entries, and these differ."
    ),
}
_BOLD = gettext_noop("Bold: the closest competition by that measure.")
_SCALE = gettext_noop(
    "Numbers of ties are compared as shares of the comparisons. The distance from winner to median "
    "is compared only where all competitions have the same metric. CV has no unit. PPI is compared "
    "for bounded metrics only, as a percentage of their range."
)
_HOW = (
    gettext_noop(
        "A row is a competition, and the length of a bar is its measure. The word “closest” marks "
        "the closest competition by a measure, where neither chance nor the sizes of the "
        "competitions explain the difference. A measure that cannot be compared has no bar."
    ),
    _SCALE,
    CAPTION,
)


def main_measures(competitions: Compared) -> tuple[str, str]:
    """Return the two measures of the first screen: who is tied by each page's own rule, and spread.

    Unless all competitions have the same metric, their spreads are compared without a unit.
    """
    median = comparable(competitions, "winner_minus_median")
    has_medians = sum(value is not None for value in median) > 1
    return "tied_with_leader", "winner_minus_median" if has_medians else "cv_percent"


def build(
    competitions: Compared,
    closest: Closest,
    undecided: Undecided | None = None,
    *,
    language: str = "en",
    version: str = "",
) -> Document:
    """Put the comparison together; ``closest`` has the closest competitions by each measure.

    ``undecided`` says by which measures there is none, although they differ.
    """
    comparison = _Comparison(competitions, closest, undecided or {}, catalogs.load(language))
    say = comparison.say
    (verdict, *most) = comparison.answers()
    apart = not_compared(competitions, comparison.language)
    how = tuple(Paragraph(say(key)) for key in _HOW)
    every = Paragraph(say(_BOLD), "caption"), comparison.whole_table()
    blocks = (
        comparison.main_table(),
        Section("how", say("How to read this"), how, "how", folded=True),
        Section("measures", say("All measures, under every correction"), every, folded=True),
    )
    section = Section("closeness", say("How close each was"), blocks)
    return Document(
        language=comparison.language,
        overline=say("Compared competitions"),
        title=say("Comparison of competitions"),
        verdict=verdict,
        consequence=(*most, apart) if apart else tuple(most),
        blocks=(section,),
        made_by=say("Made by Deadheat {version}", version=version).strip(),
        how_address="how",
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


class _Comparison(Writer):
    """Competitions side by side, numbered; ``closest`` has the closest ones by each measure."""

    decimals = 4  # of winner − median: the scores behind it are no longer known
    suffix = ""

    def __init__(
        self, competitions: Compared, closest: Closest, undecided: Undecided, language: Language
    ) -> None:
        self.competitions = competitions
        self.closest = closest
        self.language = language
        self.undecided = undecided
        #: The titles, short enough for a sentence or the head of a column.
        self.names = told_apart([item.title for item in competitions], IN_SENTENCE)
        self.metrics = _metrics(competitions)
        # As on the pages, if these agree.
        named = all(item.rule in (*VALID_EVERYWHERE, PROJECTION) for item in competitions)
        self.tied = _WINNERS if named else _TIED
        self.own_measure = {"tied_with_leader": self.say(self.tied[0])}

    def is_closest(self, number: int, key: str) -> bool:
        """Whether a measure finds a competition the closest."""
        return number in self.closest.get(key, ())

    def main_table(self) -> ResultTable:
        """Return a row per competition, and the main measures by which they can be compared."""

        def competition(number: int) -> Cell:
            item = self.competitions[number]
            return cell(self.names[number], note=self._facts(number), link=item.page)

        heading = TableColumn(("entry",), self.say("Competition"))
        columns: list[FilledColumn] = [(heading, competition)]
        for key in main_measures(self.competitions):
            values = comparable(self.competitions, key)
            if sum(value is not None for value in values) > 1:
                columns.append(self._drawn(key, values))
        caption = self.say("How close each was")
        numbers = range(len(self.competitions))
        return self.table("", caption, numbers, columns, style="cards compared")

    def _drawn(self, key: str, values: Sequence[float | None]) -> FilledColumn:
        """Return a measure as bars on one axis."""
        share = more_is_closer(key)
        longest = max(value for value in values if value is not None)
        id = f"by-{key.replace('.', '-')}"
        scale = strip_scale([0.0, 1.0 if share else longest or 1.0])
        percent = self.numerals.exact_percent
        label = (lambda value, _: percent(value)) if share else self.numerals.fixed
        axis = drawn_axis(id, scale, None, label)
        heading = {**self.own_measure, **dict(competitiveness_measures(self.language))}[key]
        small = self.say("longer is closer" if share else "shorter is closer")

        def bar(number: int) -> Cell:
            value = values[number]
            text = MISSING
            drawn = None
            if value is not None:
                text = self._text(self.competitions[number], key)
                drawn = strip(axis, (0.0, value, value), "plain")
            if not self.is_closest(number, key):
                return cell(text, strip=drawn)
            return cell(text, note=self.say("closest"), strip=drawn, strong=True, style="closest")

        return TableColumn((), heading, style="measure", axis=above_strips(axis), small=small), bar

    def _facts(self, number: int) -> str:
        """Return the metric of a competition, its sizes and its tie rule."""
        item = self.competitions[number]
        counted = THINGS[self.language.known(item.kind)].counted
        sizes = ((counted, "n"), (ngettext_noop("{count:n} entry", "{count:n} entries"), "m"))
        facts = [
            self.say(*sentence, count=int(size))
            for sentence, key in sizes
            if (size := item.measures.get(key)) is not None and math.isfinite(size)
        ]
        rule = [self.say(RULES[item.rule])] if item.rule in RULES else []
        return " · ".join((self.metrics[number], *facts, *rule))

    def _text(self, item: ComparedCompetition, key: str) -> str:
        """Return a measure; a number of ties is out of the comparisons.

        The leader is one of the possible winners, and of those who could be.
        """
        number = self._measure(item, key).text
        if not more_is_closer(key):
            return number
        most = int(tie_opportunities(item.measures, key))
        if key == "tied_with_leader":
            most += 1
        return self.say("{count} of {others}", count=number, others=self.count(most))

    def _measure(self, item: ComparedCompetition, key: str) -> Cell:
        """Return a measure as people read it, and as files have it under its key."""
        value = item.measures.get(key)
        measure = measure_cell(self, key, value)
        if key != "tied_with_leader" or value is None:
            return measure
        return replace(measure, text=self.count(int(value) + 1))

    def whole_table(self) -> ResultTable:
        """Return all measures, one column per competition."""
        say = self.say
        items = self.competitions

        def column(number: int) -> FilledColumn:
            item = items[number]
            rule = say(RULES[item.rule]) if item.rule in RULES else MISSING
            facts = {"metric": cell(self.metrics[number]), "tie_rule": cell(rule, item.rule)}

            def measure_of(measure: tuple[str, str]) -> Cell:
                key = measure[0]
                cell_of_key = facts.get(key) or self._measure(item, key)
                return replace(cell_of_key, strong=self.is_closest(number, key))

            return TableColumn((item.title,), self.names[number], numeric=True), measure_of

        kinds = {item.kind for item in items}
        bounded = all(item.bounded for item in items)
        rows = {
            "metric": say("Metric"),
            "tie_rule": say("Tie rule"),
            **self.own_measure,
            **dict(competitiveness_measures(self.language, kinds=kinds, bounded=bounded)),
        }
        return self.table(
            "comparison",
            say("Comparison of competitions"),
            rows.items(),
            (measures_column(self), *map(column, range(len(items)))),
            note=f"{say(_BOLD)} {say(_SCALE)}",
        )

    def answers(self) -> Iterator[str]:
        """Say which competitions are the closest by which main measures, by most measures first."""
        total = self.count(len(self.competitions))
        led_by = (key for key in main_measures(self.competitions) if key in self.closest)
        led = grouped((tuple(self.closest[key]), key) for key in led_by)
        main = main_measures(self.competitions)
        open_measures = grouped((self.undecided[key], key) for key in main if key in self.undecided)
        if not led and not open_measures:
            yield self.say(
                "By no measure was one of these {total} competitions closer than the others.",
                total=total,
            )
        names = list(map(isolated, self.names))
        called = {"tied_with_leader": self.tied[1], **_CALLED}
        by_most = sorted(led.items(), key=lambda item: -len(item[1]))
        for number, (places, keys) in enumerate(by_most):
            called_so = [self.say(called[key.partition(".")[0]]) for key in keys]
            measures = self.language.listed(called_so)
            if len(names) == 2 and len(places) == 1:
                (place,) = places
                yield self.say(
                    _CLOSER, closer=names[place], other=names[1 - place], measures=measures
                )
                continue
            yield self.say(
                *(_MOST if number else _CLOSEST),
                count=len(places),
                names=_listed([names[place] for place in places], self.language),
                total=total,
                measures=measures,
            )
        for why, keys in open_measures.items():
            called_so = [self.say(called[key.partition(".")[0]]) for key in keys]
            measures = self.language.listed(called_so)
            yield self.say(_UNDECIDED[why], measures=measures, total=total)


def _listed(names: Sequence[str], language: Language) -> str:
    """Return a list of names; a long one is cut."""
    more = len(names) - NAMES_IN_FULL
    if more <= 0:
        return language.listed(names)
    first = language.joined(names[:NAMES_IN_FULL])
    return language.say("{first}, … and {count:n} more", first=first, count=more)


def _metrics(competitions: Compared) -> list[str]:
    """Return the metrics' names; the definitions of those that share a name, but not a definition.

    Binary and macro F1 are both called ``f1_score`` where the settings give them no other name.
    """
    labels = [(item.label or item.metric, item.definition) for item in competitions]
    definitions = grouped(dict.fromkeys(labels))
    return [label if len(definitions[label]) == 1 else definition for label, definition in labels]
