"""One metric's evidence with the words and number formats to say it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..core.phrases import MISSING, Language, Numerals, gettext_noop
from ..document.figures.photo_finish import Runner
from ..document.shortening import file_part, isolated, slugs, told_apart, whole
from ..document.take_away import Cell, ResultTable, TableColumn, cell
from ..inference.comparing.judge import DECIDED_BY_FEW, NO_CONFIDENCE_SET
from ..inference.evidence import OF_UPLOADS, PROJECTION, WITHHELD, Caution, Evidence
from ..reading.formats.kind import ROWS
from .findings import Findings
from .numbers import decimals_for, decimals_to_show, upward

#: Above this many rows, a reader needs help to find one.
MANY_ROWS = 20
#: Of longer tables for statisticians, the page shows these first rows, and that of the submission
#: that it is about.
LONG = 50
#: Marks a possible winner where there is no picture.
WINNER = "†"
#: Above this many entries, all pairs become a map, and rank frequencies a heat map.
FEW = 30
#: A sentence lists up to this many names; of a longer list, only the first few.
NAMES_IN_FULL = 5
_NAMES_OF_MANY = 3
#: Names are cut to this many letters in a sentence.
IN_SENTENCE = 60
#: What each tie rule is called.
RULES = {
    "max_t": gettext_noop("max-T"),
    "projection": gettext_noop("projection of all tasks"),
    "withheld": gettext_noop("no test"),
    "holm": gettext_noop("Holm"),
    "bonferroni": gettext_noop("Bonferroni"),
    "interval": gettext_noop("interval"),
    "none": gettext_noop("no correction"),
    "fdr_bh": gettext_noop("Benjamini–Hochberg"),
}
#: What each adjustment of p-values is called.
CORRECTIONS = {
    "none": gettext_noop("uncorrected"),
    **{rule: RULES[rule] for rule in ("bonferroni", "holm", "fdr_bh")},
}
#: How an entry stands, in a word.
STATUS = {
    "leader": gettext_noop("leads"),
    "tied": gettext_noop("tied"),
    "alike": gettext_noop("not separated"),
    "behind": gettext_noop("behind"),
    "ahead": gettext_noop("ahead"),
    "reference": gettext_noop("reference"),
    "winner": gettext_noop("possible winner"),
}
#: The same in a sentence.
_MEANING = {
    "tied": gettext_noop("may be as good as {reference}, or better"),
    "behind": gettext_noop("behind {reference} and separated from it"),
    "ahead": gettext_noop("ahead of {reference} and separated from it"),
    "reference": gettext_noop("every other entry is compared with it"),
}


#: What a sentence may name of its metric: the place → the attribute of the view that fills it.
_PLACES = {
    "metric": "label", "test_examples": "test_examples", "examples": "examples",
    "confidence": "confidence", "alpha": "alpha", "error": "error", "direction": "direction",
    "leader": "leader", "reference": "reference", "rule": "rule", "resamples": "resamples",
}  # fmt: skip
#: What an item of a table has in a column.
Get = Callable[[Any], Any]
#: A column, and the cell that an item has in it.
FilledColumn = tuple[TableColumn, Callable[[Any], Cell]]
Filled = Iterable[FilledColumn]


class Writer:
    """Says sentences and writes numbers and tables in a language."""

    language: Language
    decimals: int  # of scores and their differences
    suffix: str  # end of the names of files: nothing for the ranking metric, or a single part

    @property
    def numerals(self) -> Numerals:
        """The number formats of the language."""
        return self.language.numerals

    def say(self, sentence: str, many: str = "", /, *, context: str = "", **values: Any) -> str:
        """Return a sentence in the language."""
        return self.language.say(sentence, many, context=context, **values)

    def count(self, number: int) -> str:
        """Return a number of things."""
        return self.numerals.count(number)

    def words(self, key: str, heading: str, get: Get, **column: Any) -> FilledColumn:
        """Return a column of texts."""
        return TableColumn((key,), heading, **column), lambda item: cell(get(item))

    def written(self, key: str, heading: str, get: Get, text: Get) -> FilledColumn:
        """Return a column of numbers; machines read nothing where one is not known or finite."""

        def number_cell(item: Any) -> Cell:
            value = get(item)
            if value is None:
                return cell("", None)
            return cell(text(value), value if math.isfinite(value) else None)

        return TableColumn((key,), heading, numeric=True), number_cell

    def counts(self, key: str, heading: str, get: Get) -> FilledColumn:
        """Return a column with numbers of things, where they are known."""
        return self.written(key, heading, get, self.count)

    def numbers(
        self, key: str, heading: str, get: Get, decimals: int | None = None, *, signed: bool = False
    ) -> FilledColumn:
        """Return a column of numbers in units of the metric, or with so many ``decimals``."""
        fixed = self.numerals.fixed
        places = self.decimals if decimals is None else decimals
        return self.written(key, heading, get, lambda value: fixed(value, places, signed=signed))

    def intervals(self, heading: str, get: Get, decimals: int | None = None) -> FilledColumn:
        """Return a column of intervals, which machines read as two numbers."""
        places = self.decimals if decimals is None else decimals

        def interval_cell(item: Any) -> Cell:
            low, high = map(float, get(item))
            return cell(self.numerals.interval(low, high, places), low, high)

        return TableColumn(("low", "high"), heading, numeric=True), interval_cell

    def table(
        self, name: str, caption: str, items: Iterable[Any], columns: Filled, **more: Any
    ) -> ResultTable:
        """Return a table of the metric or the part, a row an item; without a name for no file."""
        heads, cells = zip(*columns, strict=True)

        def row_of(item: Any) -> tuple[Cell, ...]:
            return tuple(get(item) for get in cells)

        name = f"{name}{self.suffix}" if name else ""
        return ResultTable(name, caption, heads, tuple(map(row_of, items)), **more)


def test_examples(language: Language, kind: str, n: int) -> str:
    """Return a number of test examples, with the noun of their kind."""
    if kind == ROWS:
        return language.say("{count:n} test example", "{count:n} test examples", count=n)
    return language.examples(kind, n)


class MetricWords(Writer):
    """One metric in words and numbers, whether its evidence is at hand or its record.

    What shows either is a kind of it, which sets these attributes.
    """

    label: str  # what people call the metric in the language
    rule: str  # what the tie rule is called
    confidence: str  # of the intervals, such as "95%"
    kind: str  # of the examples
    n: int  # test examples that the metric uses: those of its task or its rows
    only_ranks: bool  # whether only ranks and ties are inferred: no score has an interval
    withheld: bool  # whether nothing is inferred, because no resample can be scored
    withdrawn_because: str | None  # what withdraws the stated confidence
    sign: int  # 1 if a higher score is better, else −1
    best: float  # score of the leader

    def say(self, sentence: str, many: str = "", /, *, context: str = "", **values: Any) -> str:
        """Say a sentence in the language, and fill in what it names of the metric (`_PLACES`)."""
        filled = {
            place: getattr(self, attribute)
            for place, attribute in _PLACES.items()
            if place not in values and f"{{{place}}}" in f"{sentence}{many}"
        }
        return self.language.say(sentence, many, context=context, **values, **filled)

    @property
    def test_examples(self) -> str:
        """The number of test examples that this metric uses, with the noun."""
        return test_examples(self.language, self.kind, self.n)

    @property
    def interval_heading(self) -> str:
        """What heads a column of intervals."""
        return self.say("{confidence} interval")

    def score(self, value: float) -> str:
        """Return a score, or another size in units of the metric."""
        return self.numerals.fixed(value, self.decimals)

    def interval(self, low: float, high: float) -> str:
        """Return an interval in units of the metric."""
        return self.numerals.interval(low, high, self.decimals)

    @property
    def ranking_caption(self) -> str:
        """The caption of a ranking, which claims no confidence that the verdict withdraws."""
        if not (self.only_ranks or self.withheld):
            return self.say("Ranking by {metric} with {confidence} intervals ({test_examples}).")
        if self.withdrawn_because is not None:
            return self.say("Ranking by {metric} ({test_examples}).")
        return self.say(
            "Ranking by {metric}, with places that hold for all entries at once with "
            "{confidence} confidence ({test_examples})."
        )

    @property
    def calls_winners(self) -> bool:
        """Whether those who are marked are called possible winners, or tied with the leader.

        A tie rule that is no confidence set drops possible winners.
        """
        return self.withdrawn_because not in NO_CONFIDENCE_SET

    @property
    def ranking_note(self) -> str:
        """What the marks of a ranking in a paper say."""
        return self.say(
            "{dagger} marks the possible winners; the leader is bold."
            if self.calls_winners
            else "{dagger} marks the leader and who is tied with it; the leader is bold.",
            dagger=WINNER,
        )

    @property
    def finish_headings(self) -> tuple[str, str, str]:
        """What stands above the distances, the scores and the places of a photo finish."""
        return self.say("{metric} behind the best"), self.label, self.say("Places")

    @property
    def without_bars(self) -> str:
        """What is drawn where a rule, or a metric that only ranks, gives no bars."""
        if self.only_ranks:
            return self.say(
                "Dots are the distances observed; a mean rank has no bars. Blue: possible winners."
            )
        return self.say(
            "Dots are the distances observed; the rule “{rule}” gives no bars. Blue: possible "
            "winners."
            if self.calls_winners
            else "Dots are the distances observed; the rule “{rule}” gives no bars. Blue: the "
            "leader and who is tied with it."
        )

    def left_out(self, count: int) -> str:
        """Say how many entries are not shown, if any."""
        if not count:
            return ""
        return self.say(
            "{count:n} more entry is not shown.",
            "{count:n} more entries are not shown.",
            count=count,
        )

    def runner(
        self, name: str, score: float, bar: tuple[float, float], places: str, **more: bool
    ) -> Runner:
        """Return an entry of a photo finish; ``bar`` has its near and its far end."""
        observed = self.sign * (self.best - score)
        behind = self.score(observed)
        score_text = self.score(score)
        return Runner(name, observed, *bar, behind, score_text, places, **more)


class MetricView(MetricWords):
    """The evidence about one metric, whose number is ``index``, with its words and numbers.

    Names are those of a sentence: on one line, and cut if very long.
    """

    def __init__(
        self, findings: Findings, evidence: Evidence, index: int, language: Language
    ) -> None:
        self.result = findings
        self.evidence = evidence
        self.index = index
        self.language = language
        self.metric = evidence.metric
        self.question = evidence.question
        self.scores = evidence.scores
        self.standing = evidence.standing
        self.label = language.metric(self.metric.label)
        self.direction = language.say(
            "higher is better" if self.metric.greater_is_better else "lower is better"
        )
        self.suffix = f"_{file_part(self.metric.name)}" if index else ""
        #: Where the ranking by this metric stands on the page.
        self.ranking_address = f"metric-{index + 1}-ranking" if index else "ranking"
        self.rule = language.say(RULES[self.standing.rule])
        self.confidence = self.numerals.exact_percent(self.question.confidence)
        self.alpha = self.numerals.plain(round(1 - self.question.confidence, 6))
        #: How often a wrong winner may be named.
        self.error = self.numerals.exact_percent(self.question.alpha)
        self.resamples = self.count(evidence.resamples)
        self.kind = findings.kind
        tasks = any(of_metric.task is not None for of_metric in findings.evidence)
        self.n = findings.n if tasks and evidence.task is None else evidence.n
        self.decimals = self._decimals()
        self.only_ranks = evidence.standing.rule == PROJECTION
        self.withheld = evidence.standing.rule == WITHHELD
        #: Whether any score has an interval.
        self.has_intervals = any(math.isfinite(evidence.span(i)[0]) for i in self.scores.order)
        self.withdrawn_because = why = evidence.verdict.withdrawn_because
        #: Whether the tie rule keeps a truly best entry with the nominal confidence.
        self.names_winners = why not in NO_CONFIDENCE_SET
        #: Whether a serious caution withdraws the stated confidence.
        self.weakened = why not in (None, "alone", *NO_CONFIDENCE_SET)
        self.sign = 1 if self.metric.greater_is_better else -1
        self.best = float(self.scores.score[self.scores.leader])
        self.order = list(map(int, self.scores.order))  # best first
        names = told_apart(self.evidence.names, IN_SENTENCE)
        self.names = tuple(map(isolated, names))  # [m]
        self.leader = self.names[self.scores.leader]
        #: The entry that all others are compared with.
        self.reference = self.names[self.scores.reference]
        #: Whether this is the leader, chosen on the same data, not named in advance.
        self.chosen_leader = self.question.reference_entry is None
        #: How many entries can win.
        self.competing = len(self.names) - len(self.scores.baselines)
        #: How many teams can win: of several runs of a team, the best stands for it.
        self.teams = int(np.count_nonzero(self.standing.rank_low))

    def _decimals(self) -> int:
        if self.evidence.intervals is None or self.evidence.differences is None:
            return decimals_for(())
        errors = self.evidence.intervals.standard_error
        scores = self.scores
        pairs = np.delete(self.evidence.differences.standard_error, scores.reference)
        leader = float(errors[scores.leader])
        return decimals_to_show(scores.score.tolist(), errors.tolist(), pairs.tolist(), leader)

    @cached_property
    def whole_names(self) -> tuple[str, ...]:
        """The entries' names as long as they are, for figures and their legends, [m]."""
        return tuple(map(isolated, whole(self.evidence.names)))

    @property
    def examples(self) -> str:
        """The number of test examples, with the noun, and that of their groups if they have one."""
        result = self.result
        group = result.settings.group_name
        groups = result.groups
        return self.language.examples(result.kind, result.n, group, groups, in_sentence=True)

    @cached_property
    def focus(self) -> int | None:
        """The submission that the page is about, None if it is about every team's."""
        focus = self.result.focus
        number_of = self.evidence.number_of
        return None if focus is None else number_of[self.result.names[focus]]

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """The address on the page of every entry's card, by its name."""
        names = self.result.names
        return {name: f"entry-{slug}" for name, slug in zip(names, slugs(names), strict=True)}

    def of_entries(
        self, name: str, caption: str, entries: Sequence[int], columns: Filled, **more: Any
    ) -> ResultTable:
        """Return a table with a row for each of these entries; the page shows the first of many."""
        if len(entries) > LONG:
            excerpt = (n for n, entry in enumerate(entries) if n < LONG or entry == self.focus)
            more["excerpt"] = tuple(excerpt)
        return self.table(name, caption, entries, columns, **more)

    def score_of(self, entry: int) -> str:
        """Return the score of an entry."""
        return self.score(float(self.scores.score[entry]))

    def difference(self, value: float) -> str:
        """Return a difference, with its sign."""
        return self.numerals.fixed(value, self.decimals, signed=True)

    def upper_bound(self, value: float) -> str:
        """Return a size in units of the metric that a true one does not exceed."""
        return self.score(upward(value, self.decimals))

    def interval_of(self, entry: int) -> str:
        """Return the interval of an entry's score."""
        low, _, high = self.evidence.span(entry)
        return self.interval(low, high)

    def tags(self, entry: int) -> tuple[str, ...]:
        """Return what is noted after the name of an entry."""
        near = None if self.evidence.distances is None else self.evidence.distances.practically_best
        focus = [self.say("your submission")] if self.focused(entry) else []
        baseline = [self.say("baseline")] if entry in self.scores.baselines else []
        best = [self.say("practically best")] if near is not None and near[entry] else []
        return (*focus, *baseline, *best)

    def focused(self, entry: int) -> bool:
        """Return whether the page is about this one submission."""
        return self.result.form == "field" and entry == self.focus

    def p_values(self, key: str, heading: str, values: Floats) -> FilledColumn:
        """Return a column of p-values [m] of the entries."""
        return self.written(key, heading, values.item, self.numerals.p)

    @property
    def entry(self) -> FilledColumn:
        """The column of the entries' names."""
        return self.words("entry", self.say("Entry"), self.evidence.names.__getitem__)

    def rank(self, entry: int) -> str:
        """Return the rank of an entry; a baseline has none."""
        return MISSING if entry in self.scores.baselines else self.count(self.scores.rank[entry])

    def range_of(self, entry: int) -> tuple[float, float]:
        """Return the ends of an entry's rank range; nan without one."""
        low = self.standing.rank_low[entry]
        high = self.standing.rank_high[entry]
        return (float(low), float(high)) if low else (math.nan, math.nan)

    def rank_range(self, entry: int) -> str:
        """Return the rank range of an entry, "2", "1–5" or "≥ 2", or a dash."""
        low = int(self.standing.rank_low[entry])
        high = int(self.standing.rank_high[entry])
        if not low:
            return MISSING
        return self.numerals.ranks(low, None if self.standing.ranges_are_open else high)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """The mark of each entry at the head of a column, [m]: distinct for distinct entries.

        It is the rank, with a letter where several entries share it; baselines are numbered.
        """
        marks = [""] * len(self.evidence.names)
        shared = Counter(self.rank(i) for i in range(len(marks)))
        met: Counter[str] = Counter()
        for i in self.order:
            rank = self.rank(i)
            met[rank] += 1
            if i in self.scores.baselines:
                marks[i] = self.say("B{count}", count=met[rank])
            else:
                marks[i] = f"{rank}{_letters(met[rank])}" if shared[rank] > 1 else rank
        return tuple(marks)

    def shape(self, entry: int) -> str:
        """Return how an entry stands against the reference, as the name of its shape.

        An entry alone has that of most entries.
        """
        if len(self.names) == 1:
            return "behind"  # a dot: the leader's diamond speaks of others, too
        if entry in self.scores.leaders:
            return "leader"
        if entry == self.scores.reference:
            return "reference"
        if self.evidence.tied_with_reference[entry]:
            return "tied"
        return "ahead" if self.better(entry, self.scores.reference) else "behind"

    def status(self, entry: int) -> Cell:
        """Return how an entry stands, in a word; machines read its shape."""
        shape = key = self.shape(entry)
        if shape == "tied":
            winner = "winner" if self.beaten_leaders else "tied"
            key = winner if self.chosen_leader else "alike"
        return cell(self.say(STATUS[key]), shape)

    def heard_status(self, entry: int) -> str:
        """Return how an entry stands to those who hear the page, in the words of the page.

        The columns of papers have room for a shorter word only.
        """
        if self.shape(entry) == "tied" and self.rings_are_winners:
            return self.say(STATUS["winner"])
        return self.status(entry).text

    @property
    def ranks_runs(self) -> bool:
        """Whether rows are runs, of which several may belong to a team; places are of teams."""
        return self.teams < self.competing

    @property
    def finish_headings(self) -> tuple[str, str, str]:
        """What stands above the distances, the scores and the places, which may be of teams."""
        distances, scores, places = super().finish_headings
        return distances, scores, self.say("Places (teams)") if self.ranks_runs else places

    def stands(self, shape: str, reference: str) -> str:
        """Say what a shape means; ``reference`` is the name of the reference."""
        if shape == "leader":
            return self.of_rivals("has the best score", "has the best score of those that compete")
        if shape == "tied" and self.rings_are_winners:
            return self.say("possible winner")
        if shape == "behind" and self.chosen_leader:
            return self.say(
                "not a possible winner"
                if self.rings_are_winners
                else "behind {reference} and not tied with it",
                reference=reference,
            )
        return self.say(_MEANING[shape], reference=reference)

    def tied(self) -> list[int]:
        """Return who is tied with the leader, best first, without leaders and baselines."""
        left_out = {*self.scores.leaders, *self.scores.baselines}
        winners = self.evidence.verdict.possible_winners
        return [i for i in self.order if winners[i] and i not in left_out]

    @property
    def waits_for_uploads(self) -> bool:
        """Whether something about uploads has to be settled before anybody is named."""
        return any(caution.code in OF_UPLOADS for caution in self.evidence.cautions)

    @property
    def beaten_leaders(self) -> list[int]:
        """The leaders that the tie rule shows not to be the best: a hidden run is better."""
        winners = self.evidence.verdict.possible_winners
        low = self.standing.rank_low
        return [i for i in self.scores.leaders if low[i] and not winners[i]]

    @property
    def calls_winners(self) -> bool:
        """Whether those who are marked are called possible winners, or tied with the leader.

        A leader that a hidden run beats is tied with nobody.
        """
        return super().calls_winners or bool(self.beaten_leaders)

    @property
    def rings_are_winners(self) -> bool:
        """Whether a ring marks a possible winner, not only who is tied with the leader."""
        return self.chosen_leader and self.calls_winners

    @cached_property
    def possible_winners(self) -> list[int]:
        """The entries that the tie rule cannot rule out as the best, in the order of the page."""
        leaders = self.scores.leaders
        winners = self.evidence.verdict.possible_winners
        return [*(i for i in leaders if winners[i]), *self.tied()]

    @cached_property
    def foremost(self) -> frozenset[int]:
        """The leaders and the possible winners: no picture leaves them out."""
        return frozenset({*self.scores.leaders, *self.possible_winners})

    def drawn(self, most: int, further: Iterable[int | None] = ()) -> list[int]:
        """Return the entries of a picture: the first ``most``, and whom it must not leave out.

        These are the foremost, the one that the page is about, and ``further``.
        """
        wanted = {*self.order[:most], *self.foremost, *further}
        return [i for i in self.order if i in wanted or self.focused(i)]

    @property
    def baselines_ahead(self) -> list[int]:
        """The baselines whose score is better than the leader's, best first."""
        baselines = (i for i in self.order if i in self.scores.baselines)
        return [i for i in baselines if self.better(i, self.scores.leader)]

    def among_all(self, entry: int) -> Iterator[str]:
        """Say an entry's place among all, if there are baselines."""
        if self.scores.baselines:
            every = range(len(self.evidence.names))
            yield self.say(
                "Rank {rank} of {m}, baselines included.",
                rank=self.count(1 + sum(self.better(rival, entry) for rival in every)),
                m=self.count(len(every)),
            )

    def of_rivals(self, all_others: str, competing: str, **values: str) -> str:
        """Say what holds for all others or, if there are baselines, for those that compete."""
        return self.say(competing if self.scores.baselines else all_others, **values)

    def of_others(self, sentences: Mapping[str, str], key: str, **values: str) -> str:
        """Say what holds for all others, for those that compete or, beside own runs, for teams."""
        ending = "_competing" if self.scores.baselines else ""
        if self.teams < self.competing and f"{key}_teams" in sentences:
            ending = "_teams"
        return self.say(sentences[f"{key}{ending}"], **values)

    @property
    def cautions(self) -> list[Caution]:
        """The cautions about the metric and, if it only ranks tasks, its metrics there."""
        combined = {metric.name for metric in self.metric.components if self.only_ranks}
        of_tasks = (
            of_metric for of_metric in self.result.evidence if of_metric.metric.name in combined
        )
        return [
            caution for of_metric in (self.evidence, *of_tasks) for caution in of_metric.cautions
        ]

    @property
    def corrections_fail(self) -> str:
        """Why corrected p-values may lose truly best entries: "runs", "few", or "" if they do not.

        max-T allows for few examples and heavy tails by studentized draws. Counted p-values do not;
        beside groups, others are adjusted (`comparisons.grouped`).
        """
        if self.scores.several_runs:
            return "runs"
        codes = {caution.code for caution in self.evidence.cautions}
        return "" if codes.isdisjoint(DECIDED_BY_FEW) else "few"

    @property
    def serious(self) -> bool:
        """Whether a serious caution leaves nothing with a stated confidence: ranges, distances."""
        return self.weakened or any(caution.weakens for caution in self.cautions)

    def two_sided(self, entry: int) -> bool:
        """Return whether either side may be better: no leader was chosen, or the leader is behind.

        Only a baseline can be better than the leader.
        """
        return not self.chosen_leader or self.better(entry, self.scores.reference)

    def all_but_reference(self) -> list[int]:
        """Return all entries but the reference, best first."""
        return [i for i in self.order if i != self.scores.reference]

    def listed(self, entries: Sequence[int], *, in_full: bool = False) -> str:
        """Return the names of entries as a list in a sentence.

        Of many, these are only the first few, and long names are cut, unless ``in_full``.
        """
        if in_full:
            return self.language.listed([isolated(self.evidence.names[i]) for i in entries])
        names = [self.names[i] for i in entries]
        if len(names) <= NAMES_IN_FULL:
            return self.language.listed(names)
        more = self.count(len(names) - _NAMES_OF_MANY)
        first = self.language.joined(names[:_NAMES_OF_MANY])
        return self.say("{first} and {count} more entries", first=first, count=more)

    def better(self, first: int, second: int) -> bool:
        """Return whether one entry has a strictly better score than the other."""
        return bool(self.sign * (self.scores.score[first] - self.scores.score[second]) > 0)


Views = Sequence[MetricView]


def _letters(number: int) -> str:
    """Return a, b, …, z, aa, ab, … for 1, 2, …"""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text
