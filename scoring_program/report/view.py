"""One metric's analysis with the words and number formats to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Floats
from ..core.methods import VALID_EVERYWHERE, VALID_TIE_RULES
from ..inference.analysis import Caution, MetricAnalysis
from ..inference.findings import Findings
from ..metrics import Metric
from ..reading.formats.kind import ROWS
from .drawing import isolated, told_apart
from .language import Language
from .numbers import MISSING, Numerals, decimals_for, upward
from .slugs import slugs
from .tables import file_part

#: Above this many rows, a reader needs help to find one.
MANY_ROWS = 20
#: Above this many entries, all pairs become a map, and rank frequencies a heat map.
FEW = 30
#: Cautions beside which counted p-values are too small.
_DECIDED_BY_FEW = ("few_examples", "heavy_tails", "skewed_differences")
#: A sentence lists up to this many names; of a longer list, only the first few.
NAMES_IN_FULL, _NAMES_OF_MANY = 5, 3
#: Names are cut to this many letters in a sentence, in the margin of a grid and in a heading.
IN_SENTENCE, _SHORT, _HEADING = 60, 24, 24


@dataclass(frozen=True)
class Fact:
    """A label with its value."""

    label: str
    value: str


@dataclass(frozen=True)
class Status:
    """How an entry stands against the reference: ``shape`` styles it, ``word`` says it."""

    shape: str
    word: str
    title: str


@dataclass(frozen=True)
class MetricView:
    """One metric's analysis with the words and formats to say it."""

    result: Findings
    analysis: MetricAnalysis
    index: int  # 0 for the ranking metric
    language: Language

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.analysis.metric

    @property
    def numerals(self) -> Numerals:
        """The number formats of the language."""
        return self.language.numerals

    @property
    def label(self) -> str:
        """What people call the metric in this language."""
        return self.language.metric(self.metric.label)

    @property
    def direction(self) -> str:
        """Whether higher or lower is better."""
        return self.language.say(
            "direction_of.higher" if self.metric.greater_is_better else "direction_of.lower"
        )

    @property
    def suffix(self) -> str:
        """End of file names: nothing for the ranking metric, the name of any other."""
        return "" if self.index == 0 else f"_{file_part(self.metric.name)}"

    @property
    def ranking_address(self) -> str:
        """Where the ranking by this metric stands on the page."""
        return f"metric-{self.index + 1}-ranking" if self.index else "ranking"

    @cached_property
    def decimals(self) -> int:
        """How many decimals fit the scores and their differences, and the leader's score.

        Ten of the leader's own standard errors count as one, because absurd entries may outnumber
        the others.
        """
        errors = self.analysis.standard_error
        pairs = np.delete(self.analysis.differences.standard_error, self.analysis.reference)
        leader = float(errors[self.analysis.leader])
        return max(
            decimals_for(errors.tolist()),
            decimals_for(pairs.tolist()) if len(pairs) else 0,
            decimals_for([10 * leader]) if leader > 0 else 0,
        )

    @cached_property
    def confidence(self) -> str:
        """Confidence of the intervals, such as "95%", in text."""
        return self.numerals.exact_percent(self.analysis.confidence)

    @cached_property
    def reference(self) -> str:
        """Name of the entry that all others are compared with."""
        return self.names[self.analysis.reference]

    @property
    def reference_heading(self) -> str:
        """Name of the reference, short enough to head a column."""
        return self._cut(_HEADING)[self.analysis.reference]

    @property
    def examples(self) -> str:
        """The number of test examples, with the noun, and that of their groups if they have one."""
        result = self.result
        group, groups = result.settings.group, result.groups
        return self.language.examples(result.kind, result.n, group, groups, in_sentence=True)

    @property
    def test_examples(self) -> str:
        """The number of test examples that this metric uses, with the noun."""
        return self.counted(self.n)

    def counted(self, examples: int) -> str:
        """Return a number of test examples, with the noun of their kind."""
        rows = self.result.kind == ROWS
        key = "counted.test_examples" if rows else f"kinds.{self.result.kind}"
        return self.language.count(key, examples)

    @property
    def n(self) -> int:
        """The number of test examples that this metric uses: those of its task or its rows."""
        tasks = any(analysis.task is not None for analysis in self.result.analyses)
        return self.result.n if tasks and self.analysis.task is None else self.analysis.n

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The entries' names for a sentence: on one line, cut if very long, [m]."""
        return self._cut(IN_SENTENCE)

    def is_cut(self, entry: int) -> bool:
        """Return whether a sentence does not show all of an entry's name."""
        return self.names[entry] != isolated(self.analysis.names[entry])

    @cached_property
    def focus(self) -> int | None:
        """The submission that the page is about, None if it is about every team's."""
        focus, names = self.result.focus, self.analysis.names
        return None if focus is None else names.index(self.result.names[focus])

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """The entries' names, short enough for the margin of a grid, [m]."""
        return self._cut(_SHORT)

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """The address on the page of every entry's card, by its name."""
        names = self.result.names
        return {name: f"entry-{slug}" for name, slug in zip(names, slugs(names), strict=True)}

    def _cut(self, letters: int) -> tuple[str, ...]:
        return tuple(map(isolated, told_apart(self.analysis.names, letters)))

    @property
    def has_intervals(self) -> bool:
        """Whether any score has an interval."""
        return bool(np.isfinite(self.analysis.low).any())

    @property
    def chosen_leader(self) -> bool:
        """Whether the reference is the leader, chosen on the same data, not named in advance."""
        return all(
            test.reference != self.analysis.reference for test in self.analysis.reference_tests
        )

    def score(self, value: float) -> str:
        """Return a score, or another size in units of the metric."""
        return self.numerals.fixed(value, self.decimals)

    def difference(self, value: float) -> str:
        """Return a difference, with its sign."""
        return self.numerals.fixed(value, self.decimals, signed=True)

    def upper_bound(self, value: float) -> str:
        """Return a size in units of the metric that a true one does not exceed."""
        return self.score(upward(value, self.decimals))

    def interval(self, low: float, high: float) -> str:
        """Return an interval in units of the metric."""
        return self.numerals.interval(low, high, self.decimals)

    def tick(self, value: float, decimals: int) -> str:
        """Return the label of a tick."""
        return self.numerals.fixed(value, decimals)

    def tags(self, entry: int) -> tuple[str, ...]:
        """Return what is noted after the name of an entry."""
        tags = []
        if self.focused(entry):
            tags.append(self.language.say("status.yours"))
        if entry in self.analysis.baselines:
            tags.append(self.language.say("status.baseline"))
        practically_best = self.analysis.practically_best
        if practically_best is not None and practically_best[entry]:
            tags.append(self.language.say("status.practically_best"))
        return tuple(tags)

    def focused(self, entry: int) -> bool:
        """Return whether the page is about this one submission."""
        return self.result.form == "field" and entry == self.focus

    def rank(self, entry: int) -> str:
        """Return the rank of an entry; a baseline has none."""
        return (
            MISSING
            if entry in self.analysis.baselines
            else self.numerals.count(self.analysis.rank[entry])
        )

    def rank_range(self, entry: int) -> str:
        """Return the rank range of an entry, "2" or "1–5"."""
        low, high = int(self.analysis.rank_low[entry]), int(self.analysis.rank_high[entry])
        count = self.numerals.count
        return count(low) if low == high else f"{count(low)}–{count(high)}"

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """The mark of each entry at the head of a column, [m]: distinct for distinct entries.

        It is the rank, with a letter where several entries share it; baselines are numbered.
        """
        marks = [""] * len(self.analysis.names)
        shared = Counter(self.rank(i) for i in range(len(marks)))
        met: Counter[str] = Counter()
        for i in map(int, self.analysis.order):
            rank = self.rank(i)
            met[rank] += 1
            if i in self.analysis.baselines:
                marks[i] = self.language.say("pairs.baseline", count=met[rank])
            else:
                marks[i] = f"{rank}{_letters(met[rank])}" if shared[rank] > 1 else rank
        return tuple(marks)

    def shape(self, entry: int) -> str:
        """Return how an entry stands against the reference, as the name of its shape.

        An entry alone has that of most entries.
        """
        analysis = self.analysis
        if len(analysis.names) == 1:
            return "behind"  # a dot: the leader's diamond speaks of others, too
        if entry in analysis.leaders:
            return "leader"
        if entry == analysis.reference:
            return "reference"
        if analysis.tied_with_reference[entry]:
            return "tied"
        return "ahead" if self.better(entry, analysis.reference) else "behind"

    def excluded_by(self, entry: int) -> int:
        """Return who shows that an entry is not the best (max-T); −1 if it could be the best."""
        return int(self.analysis.separated_from[entry])

    def status(self, entry: int) -> Status:
        """Return how an entry stands, in shape and words."""
        shape = self.shape(entry)
        word = self.language.say("status.winner" if self._is_winners(shape) else f"status.{shape}")
        title = self.stands(shape, self.reference)
        by = self.excluded_by(entry)
        third = shape == "behind" and self.status_is_rank_range and by != self.analysis.leader
        if by != -1 and (third or entry in self.beaten_leaders):
            rule = self.language.say(f"rules.{self.analysis.tie_rule}")
            title = self.language.say("status.third_long", name=self.names[by], rule=rule)
        return Status(shape, word, title)

    def stands(self, shape: str, reference: str) -> str:
        """Say what a shape means; ``reference`` is the name of the reference."""
        if shape == "leader":
            return self.of_rivals("status.leader_long")
        if self._is_winners(shape):
            return self.language.say("status.winner_long")
        return self.language.say(f"status.{shape}_long", reference=reference)

    def _is_winners(self, shape: str) -> bool:
        """Return whether a shape is that of possible winners: a beaten leader is tied with none."""
        return shape == "tied" and self.leader_is_beaten

    def tied(self) -> list[int]:
        """Return who is tied with the leader, best first, without leaders and baselines."""
        analysis = self.analysis
        left_out = {*analysis.leaders, *analysis.baselines}
        return [
            int(i) for i in analysis.order if analysis.tied_with_leader[i] and i not in left_out
        ]

    @property
    def beaten_leaders(self) -> list[int]:
        """The leaders that the tie rule shows not to be the best: a hidden run is better."""
        return [i for i in self.analysis.leaders if not self.analysis.tied_with_leader[i]]

    @property
    def leader_is_beaten(self) -> bool:
        """Whether a ring marks a possible winner, because a leader that is shown is none."""
        return self.chosen_leader and bool(self.beaten_leaders)

    @property
    def possible_winners(self) -> list[int]:
        """The entries that the tie rule cannot rule out as the best, in the order of the page."""
        leaders, kept = self.analysis.leaders, self.analysis.tied_with_leader
        return [*(i for i in leaders if kept[i]), *self.tied()]

    @property
    def competing(self) -> int:
        """The number of entries that can win."""
        return len(self.analysis.names) - len(self.analysis.baselines)

    def of_rivals(self, key: str, **values: str) -> str:
        """Say what holds for all others or, if there are baselines, for those that compete."""
        return self.language.say(f"{key}_competing" if self.analysis.baselines else key, **values)

    @property
    def cautions(self) -> list[Caution]:
        """The cautions about the metric and, if it only ranks tasks, its metrics there."""
        analysis, found = self.analysis, list(self.analysis.cautions)
        if analysis.only_ranks:
            combined = {metric.name for metric in analysis.metric.components}
            of_tasks = [one for one in self.result.analyses if one.metric.name in combined]
            found += [caution for one in of_tasks for caution in one.cautions]
        return found

    def if_only_ranks(self, key: str) -> str:
        """Return the key of what holds instead where only ranks and ties are inferred."""
        return f"{key}_only_ranks" if self.analysis.only_ranks else key

    @property
    def status_is_rank_range(self) -> bool:
        """Whether an entry's status says "tied" exactly where its rank range starts at 1."""
        by_range = self.analysis.only_ranks or self.analysis.tie_rule == "max_t"
        return self.chosen_leader and by_range

    @property
    def valid_rules(self) -> tuple[str, ...]:
        """The tie rules that keep a truly best entry with the nominal confidence."""
        return VALID_EVERYWHERE if self.corrections_fail else VALID_TIE_RULES

    @property
    def corrections_fail(self) -> str:
        """Why corrected p-values may lose truly best entries: "runs", "few", or "" if they do not.

        max-T allows for few examples and heavy tails by studentized draws. Counted p-values do not;
        beside groups, others are adjusted (`significance.grouped`).
        """
        if self.analysis.several_runs:
            return "runs"
        few = any(caution.code in _DECIDED_BY_FEW for caution in self.analysis.cautions)
        return "few" if few else ""

    @property
    def names_winners(self) -> bool:
        """Whether the tie rule keeps a truly best entry with the nominal confidence."""
        return self.analysis.only_ranks or self.analysis.tie_rule in self.valid_rules

    def pair_p(self) -> tuple[str, Floats]:
        """Return the correction of all pairs that matches the tie rule, in words, and its p."""
        pairs, rule = self.analysis.pairs, self.analysis.tie_rule
        if rule == "max_t":
            return self.language.say("pairs.max_t"), pairs.p_max_t
        if rule in pairs.p_adjusted["all"]:
            words = self.language.say(
                "pairs.adjusted", correction=self.language.say(f"corrections.{rule}")
            )
            return words, pairs.p_adjusted["all"][rule]
        return self.language.say("pairs.raw"), pairs.p_one_sided

    def two_sided(self, entry: int) -> bool:
        """Return whether either side may be better: no leader was chosen, or the leader is behind.

        Only a baseline can be better than the leader.
        """
        return not self.chosen_leader or self.better(entry, self.analysis.reference)

    def others(self) -> list[int]:
        """Return all entries but the reference, best first."""
        return [int(i) for i in self.analysis.order if i != self.analysis.reference]

    def listed(self, entries: Sequence[int], *, in_full: bool = False) -> str:
        """Return the names of entries as a list in a sentence; of many, only the first few."""
        names = [self.names[i] for i in entries]
        if in_full or len(names) <= NAMES_IN_FULL:
            return self.language.listed(names)
        rest = self.numerals.count(len(names) - _NAMES_OF_MANY)
        first = self.language.joined(names[:_NAMES_OF_MANY])
        return self.language.say("list_of_many", first=first, count=rest)

    def better(self, one: int, other: int) -> bool:
        """Return whether one entry has a strictly better score than the other."""
        sign = 1 if self.metric.greater_is_better else -1
        return bool(sign * (self.analysis.score[one] - self.analysis.score[other]) > 0)


def _letters(number: int) -> str:
    """Return a, b, …, z, aa, ab, … for 1, 2, …"""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text
