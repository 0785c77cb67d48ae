"""The page as data: every sentence, number and coordinate that the templates print.

`build` puts a report together. It knows how to read an analysis and how to say it; it computes no
statistics. Numbers become text here, by `numbers.Numerals`, and nowhere else.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scoring_program.analysis import TIE_RULES, VALID_TIE_RULES, MetricAnalysis
from scoring_program.render import figures as draw
from scoring_program.render import language as languages
from scoring_program.render.figures import Axis, Figure, Strip
from scoring_program.render.inputs import MetricInput, PageInput, Unusable
from scoring_program.render.language import Language
from scoring_program.render.numbers import MISSING, Numerals, decimals_for
from scoring_program.render.tables import Cell, Column, Table, cell

#: More entries than this and all pairs become a map, blobs a heat map, panels a first part.
FEW = 30
_NUMBERS_IN_PAIRS = 12
_NAMES_IN_VERDICT = 5
_OVERVIEW_ROWS = 20
_HISTOGRAMS_ON_PAGE = 6
_MARK_LEVELS = (0.1, 0.05, 0.01, 0.001)
_MARKS = ("", "†", "*", "**", "***")
_FREQUENCY_LEVELS = (0.01, 0.05, 0.10, 0.25, 0.50)
_RULE_ORDER = (*(rule for rule in reversed(TIE_RULES) if rule in VALID_TIE_RULES),) + tuple(
    rule for rule in TIE_RULES if rule not in VALID_TIE_RULES
)

#: The literature behind the methods; titles stay in their own language.
SOURCES = (
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2023). Comparison of Classifiers in Challenge Scheme. "
    "MCPR 2023.",
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2024). Analysis of systems’ performance in natural "
    "language processing competitions. Pattern Recognition Letters.",
    "T. Berg-Kirkpatrick, D. Burkett, D. Klein (2012). An Empirical Investigation of Statistical "
    "Significance in NLP. EMNLP-CoNLL.",
    "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024). Inference for Ranks with Applications "
    "to Mobility across Neighbourhoods and Academic Achievement across Countries. Review of Economic "
    "Studies.",
    "J. P. Romano, M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis "
    "Testing. Journal of the American Statistical Association.",
    "B. Efron, R. J. Tibshirani (1994). An Introduction to the Bootstrap. Chapman & Hall.",
)


@dataclass(frozen=True)
class Fact:
    """One figure of the summary under the verdict."""

    label: str
    value: str


@dataclass(frozen=True)
class Status:
    """How an entry stands against the reference: ``shape`` styles it, ``word`` says it."""

    shape: str
    word: str
    title: str


@dataclass(frozen=True)
class EntryRow:
    """A row of the ranking."""

    rank: str
    name: str
    tags: tuple[str, ...]
    score: str
    interval: str
    interval_note: str
    strip: Strip
    status: Status | None
    rank_range: str
    tier: str
    focus: bool


@dataclass(frozen=True)
class Ranking:
    """The ranking by one metric."""

    caption: str
    footnote: str
    interval_heading: str
    status_heading: str
    compared: bool  # whether there is more than one entry
    axis: Axis
    rows: tuple[EntryRow, ...]


@dataclass(frozen=True)
class DifferenceRow:
    """A row of the differences from the reference."""

    name: str
    tags: tuple[str, ...]
    difference: str
    interval: str
    strip: Strip
    zero: str
    contains: bool
    p: str
    p_two: str
    p_adjusted: str
    focus: bool


@dataclass(frozen=True)
class Differences:
    """Differences of every entry from the reference."""

    heading: str
    caption: str
    note: str
    interval_heading: str
    adjusted_heading: str
    axis: Axis
    rows: tuple[DifferenceRow, ...]


@dataclass(frozen=True)
class TieRow:
    """Under which rules one entry is tied."""

    name: str
    tied: tuple[bool, ...]


@dataclass(frozen=True)
class TieRule:
    """A rule that heads a column of the ties."""

    name: str
    used: bool


@dataclass(frozen=True)
class Ties:
    """Who is tied under each rule: ``valid`` rules that may name possible winners, then ``shown``."""

    caption: str
    rules: tuple[TieRule, ...]
    valid: int
    shown: int
    rows: tuple[TieRow, ...]
    totals: tuple[str, ...]
    nobody: str


@dataclass(frozen=True)
class PairCell:
    """One pair: its difference (where there is room), its mark and everything else as a tooltip."""

    difference: str
    mark: str
    shade: int
    title: str


@dataclass(frozen=True)
class PairRow:
    """The comparisons of one entry with the entries above it."""

    rank: str
    name: str
    cells: tuple[PairCell, ...]


@dataclass(frozen=True)
class PairCounts:
    """From how many entries one entry is separated."""

    rank: str
    name: str
    below: str
    above: str
    not_separated: str


@dataclass(frozen=True)
class PairsPart:
    """All pairs: a triangle for few entries, a map with counts for many."""

    caption: str
    legend: str
    columns: tuple[str, ...]
    rows: tuple[PairRow, ...]
    map: draw.Matrix | None
    counts: tuple[PairCounts, ...]


@dataclass(frozen=True)
class RankLine:
    """The main rank frequencies of one entry."""

    name: str
    first: str
    common: str
    common_share: str


@dataclass(frozen=True)
class RanksPart:
    """Rank frequencies: blobs for few entries, a heat map for many, and a table."""

    blobs: draw.Blobs | None
    map: draw.Matrix | None
    rows: tuple[RankLine, ...]


@dataclass(frozen=True)
class MetricSection:
    """Everything about one metric."""

    id: str
    heading: str
    subtitle: str
    definition: str
    ranking: Ranking
    differences: Differences | None
    distributions: tuple[draw.HistogramFigure, ...]
    distributions_more: str
    ties: Ties | None
    pairs: PairsPart | None
    ranks: RanksPart | None


@dataclass(frozen=True)
class PlanRow:
    """What it would take for one tied entry."""

    metric: str
    name: str
    difference: str
    needed: str
    resolution: str


@dataclass(frozen=True)
class Planning:
    """What it would take to separate the tied entries."""

    caption: str
    note: str
    smallest: tuple[str, ...]
    rows: tuple[PlanRow, ...]


@dataclass(frozen=True)
class Link:
    """An entry of the contents."""

    id: str
    heading: str


@dataclass(frozen=True)
class Caution:
    """One warning."""

    level: str
    word: str
    message: str


@dataclass(frozen=True)
class Report:
    """The whole page, and what is taken away from it."""

    language: Language
    title: str
    made_by: str
    contents: tuple[Link, ...]
    verdict: str
    consequence: tuple[str, ...]
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]
    cautions_link: str
    overview: tuple[draw.Forest, ...]
    overview_caption: str
    metrics: tuple[MetricSection, ...]
    competitiveness: Table | None
    planning: Planning | None
    cautions: tuple[Caution, ...]
    unusable: tuple[Unusable, ...]
    runs_caption: str
    runs: tuple[Fact, ...]
    paper: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    signature: tuple[Fact, ...]
    tables: tuple[Table, ...]
    figures: Mapping[str, Figure]


def isolated(name: str) -> str:
    """Return a name that cannot turn the direction of the sentence around it."""
    if any(unicodedata.bidirectional(char) in {"R", "AL", "RLE", "RLO", "LRO"} for char in name):
        return f"\u2068{name}\u2069"
    return name


def in_sentence(name: str) -> str:
    """Return a name as it stands in a sentence: on one line, cut where very long, isolated."""
    return isolated(draw.shortened(name, 60))


@dataclass(frozen=True)
class _Reader:
    """One metric's analysis with the words and formats to say it."""

    inputs: PageInput
    metric: MetricInput
    index: int
    language: Language

    @property
    def a(self) -> MetricAnalysis:
        return self.metric.analysis

    @property
    def numerals(self) -> Numerals:
        return self.language.numerals

    @property
    def label(self) -> str:
        return self.metric.label

    @property
    def suffix(self) -> str:
        """Files of the ranking metric have plain names, those of the others end in the metric's."""
        return "" if self.index == 0 else f"_{file_part(self.a.name)}"

    @cached_property
    def decimals(self) -> int:
        pairs = np.delete(self.a.differences.standard_error, self.a.reference)
        return max(
            decimals_for(self.a.standard_error.tolist()),
            decimals_for(pairs.tolist()) if len(pairs) else 0,
        )

    @cached_property
    def confidence(self) -> str:
        return percent_exact(self.numerals, self.a.confidence)

    @cached_property
    def reference(self) -> str:
        return in_sentence(self.inputs.entries[self.a.reference])

    @property
    def chosen_leader(self) -> bool:
        return self.a.reference == self.a.leader

    def score(self, value: float) -> str:
        return self.numerals.fixed(value, self.decimals)

    def difference(self, value: float) -> str:
        return self.numerals.fixed(value, self.decimals, signed=True)

    def interval(self, low: float, high: float) -> str:
        return self.numerals.interval(low, high, self.decimals)

    def tick(self, value: float, decimals: int) -> str:
        return self.numerals.fixed(value, decimals)

    def tags(self, entry: int) -> tuple[str, ...]:
        tags = []
        if entry == self.inputs.focus and self.inputs.form == "field":
            tags.append(self.language.say("status.yours"))
        if entry in self.a.baselines:
            tags.append(self.language.say("status.baseline"))
        return tuple(tags)

    def focused(self, entry: int) -> bool:
        return self.inputs.form == "field" and entry == self.inputs.focus

    def shape(self, entry: int) -> str:
        a = self.a
        if entry in a.leaders:
            return "leader"
        if entry == a.reference:
            return "reference"
        if a.tied_with_leader[entry]:
            return "tied"
        return "ahead" if a.differences.observed[entry] < 0 else "behind"

    def status(self, entry: int) -> Status:
        shape = self.shape(entry)
        word = self.language.say(f"status.{shape}")
        title = self.language.say(f"status.{shape}_long", reference=self.reference)
        return Status(shape, word, title)

    def tied(self) -> list[int]:
        """Entries tied with the reference, best first, without leaders, baselines and the reference."""
        a = self.a
        left_out = {*a.leaders, *a.baselines, a.reference}
        return [int(i) for i in a.order if a.tied_with_leader[i] and i not in left_out]

    def p_adjusted(self) -> tuple[str, np.ndarray[Any, Any]]:
        """The correction shown beside the raw p, and its values: the tie rule's own, else Holm's."""
        rule = self.a.tie_rule
        correction = rule if rule in self.a.differences.p_adjusted else "holm"
        return correction, self.a.differences.p_adjusted[correction]

    def pair_p(self) -> tuple[str, np.ndarray[Any, Any]]:
        """What the marks of all pairs are from, in words, and the p-values: in keeping with the rule."""
        pairs, rule = self.a.pairs, self.a.tie_rule
        if rule == "max_t":
            return self.language.say("pairs.max_t"), pairs.p_max_t
        if rule in pairs.p_adjusted["all"]:
            words = self.language.say(
                "pairs.adjusted", correction=self.language.say(f"corrections.{rule}")
            )
            return words, pairs.p_adjusted["all"][rule]
        return self.language.say("pairs.raw"), pairs.p_one_sided


def percent_exact(numerals: Numerals, share: float) -> str:
    """Return a setting such as a confidence of .95 as "95%", with decimals only where it has some."""
    decimals = draw.tick_decimals([round(100 * share, 6)])
    return f"{numerals.fixed(100 * share, decimals)}%"


def file_part(name: str) -> str:
    """Return ``name`` as a part of a file name."""
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)


def build(inputs: PageInput) -> Report:
    """Put the report together; see the module's docstring."""
    language = languages.load(inputs.language)
    readers = [
        _Reader(inputs, metric, index, language) for index, metric in enumerate(inputs.metrics)
    ]
    first = readers[0]
    compared = len(inputs.entries) > 1
    sections = tuple(_section(reader) for reader in readers)
    overview = _overview(readers) if len(readers) > 1 else ()
    cautions = _cautions(readers)
    competitiveness = _competitiveness(readers) if compared else None
    planning = _planning(readers) if compared else None
    runs = _runs(inputs, language)
    paper = _paper(first) if compared and inputs.form == "teams" else ""
    tables = [table for reader in readers for table in _metric_tables(reader)]
    if competitiveness is not None:
        tables.append(competitiveness)
    return Report(
        language=language,
        title=inputs.title or language.say("page.untitled"),
        made_by=language.say("page.made_by", version=inputs.version).strip(),
        contents=_contents(
            language,
            {
                "overview": bool(overview),
                **{section.id: section.heading for section in sections},
                "competitiveness": competitiveness is not None,
                "planning": planning is not None,
                "cautions": True,
                "unusable": bool(inputs.unusable),
                "runs": bool(runs),
                "paper": bool(paper),
                "method": True,
                "signature": True,
            },
        ),
        verdict=_verdict(first),
        consequence=_consequence(first, cautions),
        facts=_facts(first),
        notes=inputs.notes,
        cautions_link=language.count("page.cautions_link", len(cautions)) if cautions else "",
        overview=overview,
        overview_caption=_overview_caption(first) if overview else "",
        metrics=sections,
        competitiveness=competitiveness,
        planning=planning,
        cautions=cautions,
        unusable=inputs.unusable,
        runs_caption=language.say(f"runs.{inputs.runs_policy}"),
        runs=runs,
        paper=paper,
        method=_method(first),
        sources=SOURCES,
        signature=tuple(Fact(key, value) for key, value in inputs.signature.items()),
        tables=tuple(tables),
        figures=_figures(readers, sections, overview),
    )


def _contents(language: Language, sections: Mapping[str, str | bool]) -> tuple[Link, ...]:
    """Return links to the sections there are, by their headings (a metric's is its label)."""
    return tuple(
        Link(id, there if isinstance(there, str) else language.say(f"{id}.heading"))
        for id, there in sections.items()
        if there
    )


# ── verdict ──────────────────────────────────────────────────────────────────────────────────────


def _listed(reader: _Reader, entries: Sequence[int]) -> str:
    return reader.language.listed([in_sentence(reader.inputs.entries[i]) for i in entries])


def _verdict(reader: _Reader) -> str:
    if reader.inputs.form == "single" or (
        reader.inputs.form == "field" and len(reader.inputs.entries) == 1
    ):
        return _verdict_single(reader, "single")
    if reader.inputs.form == "field":
        return _verdict_field(reader)
    if len(reader.inputs.entries) == 1:
        return _verdict_single(reader, "only")
    a, say = reader.a, reader.language.say
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "leader": _listed(reader, [a.leader]),
        "leaders": _listed(reader, a.leaders),
    }
    if not reader.chosen_leader:
        score = reader.score(float(a.score[a.reference]))
        sentence = say(
            "verdict.reference", **values, reference=reader.reference, reference_score=score
        )
    else:
        sentence = _who_is_tied(reader, "shared" if len(a.leaders) > 1 else "", values)
    ahead = [i for i in a.baselines if _better(reader, i, a.leader)]
    return " ".join(
        [sentence, *(say("verdict.baseline_ahead", name=_listed(reader, [i])) for i in ahead)]
    )


def _who_is_tied(reader: _Reader, prefix: str, values: Mapping[str, str]) -> str:
    """The sentence on the leader or leaders and everybody tied with them."""
    tied = reader.tied()
    say, count = reader.language.say, reader.language.count
    if not tied:
        return say(f"verdict.{prefix or 'alone'}", **values)
    key = f"{prefix}_tied" if prefix else "tied"
    if len(tied) > _NAMES_IN_VERDICT:
        shown = ", ".join(in_sentence(reader.inputs.entries[i]) for i in tied[:3])
        rest = reader.numerals.count(len(tied) - 3)
        return say(f"verdict.{key}_many", **values, tied=shown, count=rest)
    return count(f"verdict.{key}", len(tied), **values, tied=_listed(reader, tied))


def _better(reader: _Reader, one: int, other: int) -> bool:
    sign = 1 if reader.a.greater_is_better else -1
    return bool(sign * (reader.a.score[one] - reader.a.score[other]) > 0)


def _verdict_single(reader: _Reader, key: str) -> str:
    a, i = reader.a, reader.inputs.focus or 0
    interval = reader.interval(float(a.low[i]), float(a.high[i]))
    values = {
        "leader": _listed(reader, [i]),
        "metric": reader.label,
        "score": reader.score(float(a.score[i])),
        "confidence": reader.confidence,
        "interval": interval,
    }
    return reader.language.say(
        f"verdict.{key}" if interval == MISSING else f"verdict.{key}_interval", **values
    )


def _verdict_field(reader: _Reader) -> str:
    a, say = reader.a, reader.language.say
    focus = reader.inputs.focus or 0
    m = len(reader.inputs.entries)
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[focus])),
        "rank": reader.numerals.count(int(a.rank[focus])),
        "m": reader.numerals.count(m),
        "others": reader.numerals.count(m - 1),
        "leader": _listed(reader, [a.leader]),
        "score_of_leader": reader.score(float(a.score[a.leader])),
        "reference": reader.reference,
    }
    if not reader.chosen_leader:
        return say("verdict.field_reference", **values)
    if focus in a.leaders:
        tied = [*(i for i in a.leaders if i != focus), *reader.tied()]
        if not tied:
            clause = say("verdict.field_leads_alone")
        elif len(tied) > _NAMES_IN_VERDICT:
            shown = ", ".join(in_sentence(reader.inputs.entries[i]) for i in tied[:3])
            rest = reader.numerals.count(len(tied) - 3)
            clause = say("verdict.field_leads_many", tied=shown, count=rest)
        else:
            clause = reader.language.count(
                "verdict.field_leads_tied", len(tied), tied=_listed(reader, tied)
            )
        return say("verdict.field_leads", **values, tied_clause=clause)
    return say(
        "verdict.field_tied" if a.tied_with_leader[focus] else "verdict.field_behind", **values
    )


def _consequence(reader: _Reader, cautions: Sequence[Caution]) -> tuple[str, ...]:
    a, say, inputs = reader.a, reader.language.say, reader.inputs
    n = reader.numerals.count(inputs.n)
    sentences = []
    if len(inputs.entries) == 1:
        key = "consequence.only" if inputs.form == "teams" else "consequence.single"
        sentences.append(say(key, n=n))
    elif inputs.form == "field" and inputs.focus not in a.leaders:
        sentences.append(_consequence_field(reader, n))
    elif not reader.chosen_leader:
        tied = [*(i for i in a.leaders if a.tied_with_leader[i]), *reader.tied()]
        tied = [i for i in tied if i != a.reference]
        sentences.append(
            reader.language.count(
                "consequence.reference",
                len(tied),
                tied=_listed(reader, tied),
                reference=reader.reference,
            )
            if tied
            else say("consequence.reference.none", reference=reader.reference)
        )
    else:
        joint = [*a.leaders, *reader.tied()]
        if len(joint) == 1:
            sentences.append(say("consequence.alone", leader=_listed(reader, joint), n=n))
        elif len(joint) <= _NAMES_IN_VERDICT + 1:
            sentences.append(say("consequence.joint", all=_listed(reader, joint), n=n))
        else:
            count = reader.numerals.count(len(joint))
            sentences.append(say("consequence.joint_many", count=count, n=n))
    if len(inputs.entries) > 1 and a.tie_rule not in VALID_TIE_RULES:
        sentences.append(say("consequence.invalid_rule", rule=say(f"rules.{a.tie_rule}")))
    if any(caution.level == "red" for caution in cautions):
        sentences.append(say("consequence.red"))
    return tuple(sentences)


def _consequence_field(reader: _Reader, n: str) -> str:
    a, focus = reader.a, reader.inputs.focus or 0
    tied = bool(a.tied_with_leader[focus])
    if not reader.chosen_leader:
        key = "field_reference_tied" if tied else "field_reference_apart"
    else:
        key = "field_tied" if tied else "field_behind"
    d = a.differences
    return reader.language.say(
        f"consequence.{key}",
        n=n,
        reference=reader.reference,
        difference=reader.score(float(d.observed[focus])),
        interval=reader.interval(float(d.low[focus]), float(d.high[focus])),
    )


def _facts(reader: _Reader) -> tuple[Fact, ...]:
    a, say, numerals, inputs = reader.a, reader.language.say, reader.numerals, reader.inputs
    m = len(inputs.entries)
    facts = [Fact(say("facts.examples"), numerals.count(inputs.n))]
    if inputs.group is not None and inputs.groups is not None:
        label = say("facts.groups", column=inputs.group)
        facts.append(Fact(label, numerals.count(inputs.groups)))
    if m > 1 and inputs.form == "field":
        facts.append(Fact(say("facts.submissions"), numerals.count(m - 1)))
    elif m > 1:
        facts.append(Fact(say("facts.entries"), numerals.count(m)))
    if m > 1 and reader.chosen_leader:
        value = say(
            "facts.tied_value",
            count=numerals.count(len(reader.tied()) + len(a.leaders) - 1),
            others=numerals.count(m - 1),
        )
        facts.append(Fact(say("facts.tied"), value))
    facts.append(Fact(say("facts.resamples"), numerals.count(a.resamples)))
    facts.append(Fact(say("facts.confidence"), reader.confidence))
    return tuple(facts)


# ── one metric ───────────────────────────────────────────────────────────────────────────────────


def _section(reader: _Reader) -> MetricSection:
    compared = len(reader.inputs.entries) > 1
    distributions = _distributions(reader) if compared else ()
    more = len(distributions) - _HISTOGRAMS_ON_PAGE
    return MetricSection(
        id=f"metric-{reader.index + 1}",
        heading=reader.label,
        subtitle=_subtitle(reader),
        definition=reader.metric.definition,
        ranking=_ranking(reader),
        differences=_differences(reader) if compared else None,
        distributions=distributions[:_HISTOGRAMS_ON_PAGE],
        distributions_more=reader.language.say(
            "distribution.more", count=reader.numerals.count(more)
        )
        if more > 0
        else "",
        ties=_ties(reader) if compared else None,
        pairs=_pairs(reader) if compared else None,
        ranks=_ranks(reader) if compared else None,
    )


def _subtitle(reader: _Reader) -> str:
    say, metric = reader.language.say, reader.metric
    parts = [
        say("direction_of.higher" if reader.a.greater_is_better else "direction_of.lower"),
    ]
    low, high = (_plain(reader.numerals, bound) for bound in (metric.low, metric.high))
    if math.isfinite(metric.low) and math.isfinite(metric.high):
        parts.append(say("direction_of.bounded", low=low, high=high))
    elif math.isfinite(metric.low):
        parts.append(say("direction_of.from_low", low=low))
    elif math.isfinite(metric.high):
        parts.append(say("direction_of.to_high", high=high))
    if metric.ideal is not None:
        parts.append(say("direction_of.ideal", ideal=_plain(reader.numerals, metric.ideal)))
    if len(reader.inputs.metrics) > 1:
        parts.insert(0, say("direction_of.ranking" if reader.index == 0 else "direction_of.other"))
    return " · ".join(parts)


def _plain(numerals: Numerals, value: float) -> str:
    return numerals.fixed(value, draw.tick_decimals([value])) if math.isfinite(value) else MISSING


def _score_axis(reader: _Reader) -> tuple[draw.Scale, Axis]:
    a = reader.a
    scale = draw.strip_scale([*a.low.tolist(), *a.high.tolist(), *a.score.tolist()])
    marked = float(a.score[a.reference]) if len(a.score) > 1 else None
    return scale, draw.axis(scale, marked, reader.tick)


def _score_strip(reader: _Reader, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    a = reader.a
    low, point, high = float(a.low[entry]), float(a.score[entry]), float(a.high[entry])
    title = reader.language.say(
        "ranking.row_title",
        name=in_sentence(reader.inputs.entries[entry]),
        metric=reader.label,
        score=reader.score(point),
        interval=reader.interval(low, high),
    )
    return draw.strip(scale, shared, low, point, high, shape=reader.shape(entry), title=title)


def _ranking(reader: _Reader) -> Ranking:
    a, say = reader.a, reader.language.say
    compared = len(reader.inputs.entries) > 1
    scale, shared = _score_axis(reader)
    notes = {"wilson": say("ranking.wilson"), "none": say("ranking.no_interval")}
    rows = tuple(
        EntryRow(
            rank=reader.numerals.count(int(a.rank[i])),
            name=reader.inputs.entries[i],
            tags=reader.tags(i),
            score=reader.score(float(a.score[i])),
            interval=reader.interval(float(a.low[i]), float(a.high[i])),
            interval_note=notes.get(a.interval_used[i], ""),
            strip=_score_strip(reader, i, scale, shared),
            status=reader.status(i) if compared else None,
            rank_range=_rank_range(reader, i),
            tier=reader.numerals.count(int(a.tier[i])),
            focus=reader.focused(i),
        )
        for i in map(int, a.order)
    )
    key = "ranking.caption" if compared else "ranking.caption_single"
    return Ranking(
        caption=say(key, reference=reader.reference, confidence=reader.confidence),
        footnote=say("ranking.footnote", confidence=reader.confidence) if compared else "",
        interval_heading=say("ranking.interval", confidence=reader.confidence),
        status_heading=say("ranking.status", reference=reader.reference),
        compared=compared,
        axis=shared,
        rows=rows,
    )


def _rank_range(reader: _Reader, entry: int) -> str:
    low, high = int(reader.a.rank_low[entry]), int(reader.a.rank_high[entry])
    count = reader.numerals.count
    return count(low) if low == high else f"{count(low)}–{count(high)}"


def _others(reader: _Reader) -> list[int]:
    """All entries but the reference, best first."""
    return [int(i) for i in reader.a.order if i != reader.a.reference]


def _difference_strip(reader: _Reader, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    d = reader.a.differences
    low, point, high = (float(values[entry]) for values in (d.low, d.observed, d.high))
    title = reader.language.say(
        "differences.row_title",
        reference=reader.reference,
        name=in_sentence(reader.inputs.entries[entry]),
        difference=reader.difference(point),
        interval=reader.interval(low, high),
    )
    shape = "tied" if _contains_zero(low, high) else "behind"
    return draw.strip(scale, shared, low, point, high, shape=shape, title=title)


def _contains_zero(low: float, high: float) -> bool:
    return bool(low <= 0 <= high)


def _difference_axis(reader: _Reader) -> tuple[draw.Scale, Axis]:
    d = reader.a.differences
    others = _others(reader)
    values = np.concatenate([d.low[others], d.high[others], d.observed[others]])
    scale = draw.strip_scale([0.0, *values.tolist()])
    return scale, draw.axis(scale, 0.0, reader.tick)


def _differences(reader: _Reader) -> Differences:
    a, say = reader.a, reader.language.say
    d = a.differences
    scale, shared = _difference_axis(reader)
    correction, adjusted = reader.p_adjusted()
    correction_name = say(f"corrections.{correction}")
    rows = []
    for i in _others(reader):
        low, high = float(d.low[i]), float(d.high[i])
        contains = _contains_zero(low, high)
        known = "contains" if contains else "excludes"
        zero = say(f"differences.{known if math.isfinite(low) else 'unknown'}")
        rows.append(
            DifferenceRow(
                name=reader.inputs.entries[i],
                tags=reader.tags(i),
                difference=reader.difference(float(d.observed[i])),
                interval=reader.interval(low, high),
                strip=_difference_strip(reader, i, scale, shared),
                zero=zero,
                contains=contains,
                p=reader.numerals.p(float(d.p_one_sided[i])),
                p_two=reader.numerals.p(float(d.p_two_sided[i])),
                p_adjusted=reader.numerals.p(float(adjusted[i])),
                focus=reader.focused(i),
            )
        )
    if not reader.chosen_leader:
        caption = "differences.caption_reference"
    else:
        caption = "differences.caption" if a.greater_is_better else "differences.caption_lower"
    values = {
        "reference": reader.reference,
        "metric": reader.label,
        "confidence": reader.confidence,
        "count": reader.numerals.count(len(rows)),
        "correction": correction_name,
    }
    note = say("differences.note" if reader.chosen_leader else "differences.note_reference", **values)
    return Differences(
        heading=say("differences.heading", **values),
        caption=say(caption, **values),
        note=f"{note} {say('differences.note_adjusted', **values)}",
        interval_heading=say("differences.interval", confidence=reader.confidence),
        adjusted_heading=say("differences.p_adjusted", correction=correction_name),
        axis=shared,
        rows=tuple(rows),
    )


def _distributions(reader: _Reader) -> tuple[draw.HistogramFigure, ...]:
    a, say = reader.a, reader.language.say
    drawn = []
    for i in (i for i in _others(reader) if i in a.histograms):
        data = a.histograms[i]
        difference = reader.difference(data.observed)
        names = {"reference": reader.reference, "name": in_sentence(reader.inputs.entries[i])}
        drawn.append(
            draw.histogram(
                f"distribution-{reader.index + 1}-{i + 1}",
                say("distribution.title", **names),
                say(
                    "distribution.description",
                    **names,
                    resamples=reader.numerals.count(int(data.counts.sum())),
                    difference=difference,
                    p_label=say("distribution.p_label"),
                    p=reader.numerals.p(float(a.differences.p_one_sided[i])),
                ),
                data,
                (
                    say("distribution.zero"),
                    say("distribution.observed", difference=difference),
                    say("distribution.double"),
                ),
                say("distribution.axis", metric=reader.label),
                reader.tick,
            )
        )
    return tuple(drawn)


def _ties(reader: _Reader) -> Ties:
    a, say = reader.a, reader.language.say
    rules = [rule for rule in _RULE_ORDER if rule in a.tied]
    others = [i for i in _others(reader) if any(a.tied[rule][i] for rule in rules)]
    return Ties(
        caption=say("ties.caption", reference=reader.reference),
        rules=tuple(TieRule(say(f"rules.{rule}"), rule == a.tie_rule) for rule in rules),
        valid=sum(rule in VALID_TIE_RULES for rule in rules),
        shown=sum(rule not in VALID_TIE_RULES for rule in rules),
        rows=tuple(
            TieRow(reader.inputs.entries[i], tuple(bool(a.tied[rule][i]) for rule in rules))
            for i in others
        ),
        totals=tuple(
            reader.numerals.count(sum(bool(a.tied[rule][i]) for i in others)) for rule in rules
        ),
        nobody="" if others else say("ties.nobody", reference=reader.reference),
    )


# ── all pairs and ranks ──────────────────────────────────────────────────────────────────────────


def _shades(p: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return 0 for no mark up to 4 for three stars."""
    return np.sum([p < level for level in _MARK_LEVELS], axis=0).astype(np.intp)


def _pair_grid(reader: _Reader) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the number of each pair and its shade, [m, m] by place in the order, below the diagonal."""
    a = reader.a
    m = len(a.order)
    place = np.empty(m, dtype=np.intp)
    place[a.order] = np.arange(m)
    upper, lower = place[a.pairs.better], place[a.pairs.worse]
    number = np.full((m, m), -1, dtype=np.intp)
    number[np.maximum(upper, lower), np.minimum(upper, lower)] = np.arange(len(upper))
    shades = _shades(reader.pair_p()[1])
    grid = np.where(number >= 0, shades[number] if len(shades) else 0, 0)
    return number, grid


def _pairs(reader: _Reader) -> PairsPart:
    a, say, entries = reader.a, reader.language.say, reader.inputs.entries
    m = len(entries)
    words, p = reader.pair_p()
    number, grid = _pair_grid(reader)
    order = [int(i) for i in a.order]
    legend = say("pairs.legend", correction=words)
    if m > FEW:
        return PairsPart(
            caption=say("pairs.caption_map"),
            legend=legend,
            columns=(),
            rows=(),
            map=_pair_map(reader, grid),
            counts=_pair_counts(reader, grid),
        )
    rows = []
    for row in range(1, m):
        cells = []
        for column in range(row):
            k = int(number[row, column])
            difference = reader.difference(float(a.pairs.observed[k]))
            title = say(
                "pairs.cell",
                better=in_sentence(entries[int(a.pairs.better[k])]),
                worse=in_sentence(entries[int(a.pairs.worse[k])]),
                difference=difference,
                interval=reader.interval(float(a.pairs.low[k]), float(a.pairs.high[k])),
                p=reader.numerals.p(float(p[k])),
            )
            shade = int(grid[row, column])
            shown = reader.score(float(a.pairs.observed[k])) if m <= _NUMBERS_IN_PAIRS else ""
            cells.append(PairCell(shown, _MARKS[shade], shade, title))
        rows.append(PairRow(str(row + 1), entries[order[row]], tuple(cells)))
    return PairsPart(
        caption=say("pairs.caption", metric=reader.label),
        legend=legend,
        columns=tuple(str(place) for place in range(1, m)),
        rows=tuple(rows),
        map=None,
        counts=(),
    )


def _pair_map(reader: _Reader, grid: np.ndarray[Any, Any]) -> draw.Matrix:
    say = reader.language.say
    m = len(reader.inputs.entries)
    return draw.matrix(
        f"pairs-{reader.index + 1}",
        f"{say('pairs.heading')} · {reader.label}",
        say(
            "pairs.description",
            count=reader.numerals.count(m * (m - 1) // 2),
            separated=reader.numerals.count(int((grid >= 2).sum())),
        ),
        grid,
        tuple(reader.language.strings["pairs"]["shades"]),
        [reader.inputs.entries[i] for i in reader.a.order],
        column_label=say("pairs.column"),
        triangle=True,
        symbols=_MARKS,
    )


def _pair_counts(reader: _Reader, grid: np.ndarray[Any, Any]) -> tuple[PairCounts, ...]:
    """Count for every entry, best first, from how many it is separated at p < .05."""
    separated = grid >= 2
    below, above = separated.sum(axis=0), separated.sum(axis=1)
    count, m = reader.numerals.count, len(grid)
    return tuple(
        PairCounts(
            rank=str(place + 1),
            name=reader.inputs.entries[int(entry)],
            below=count(int(below[place])),
            above=count(int(above[place])),
            not_separated=count(int(m - 1 - below[place] - above[place])),
        )
        for place, entry in enumerate(reader.a.order)
    )


def _ranks(reader: _Reader) -> RanksPart:
    order = [int(i) for i in reader.a.order]
    frequency = reader.a.rank_frequency[order]
    percent, count = reader.numerals.percent, reader.numerals.count
    common = frequency.argmax(axis=1)
    rows = tuple(
        RankLine(
            name=reader.inputs.entries[entry],
            first=percent(float(frequency[place, 0])),
            common=count(int(common[place]) + 1),
            common_share=percent(float(frequency[place, common[place]])),
        )
        for place, entry in enumerate(order)
    )
    few = len(order) <= FEW
    return RanksPart(
        blobs=_rank_blobs(reader, frequency) if few else None,
        map=None if few else _rank_map(reader, frequency),
        rows=rows,
    )


def _rank_blobs(reader: _Reader, frequency: np.ndarray[Any, Any]) -> draw.Blobs:
    say = reader.language.say
    names = [reader.inputs.entries[i] for i in reader.a.order]

    def tooltip(row: int, rank: int, share: float) -> str:
        return say(
            "ranks.tooltip",
            name=in_sentence(names[row]),
            rank=rank,
            share=reader.numerals.percent(share),
        )

    return draw.blobs(
        f"ranks-{reader.index + 1}",
        f"{say('ranks.heading')} · {reader.label}",
        say("ranks.description"),
        frequency,
        names,
        tooltip,
        say("ranks.axis"),
    )


def _rank_map(reader: _Reader, frequency: np.ndarray[Any, Any]) -> draw.Matrix:
    say = reader.language.say
    classes = np.sum([frequency >= level for level in _FREQUENCY_LEVELS], axis=0).astype(np.intp)
    return draw.matrix(
        f"ranks-{reader.index + 1}",
        f"{say('ranks.heading')} · {reader.label}",
        say("ranks.description"),
        classes,
        tuple(reader.language.strings["ranks"]["shades"]),
        [reader.inputs.entries[i] for i in reader.a.order],
        column_label=say("ranks.axis"),
    )


# ── all metrics together ─────────────────────────────────────────────────────────────────────────


def _score_forest(reader: _Reader, id: str, order: Sequence[int], **sizes: float) -> draw.Forest:
    """Draw the scores of the entries in ``order`` with their intervals."""
    a = reader.a
    scale, shared = _score_axis(reader)
    compact = "width" in sizes
    rows = [
        (
            reader.inputs.entries[i],
            reader.score(float(a.score[i]))
            if compact
            else f"{reader.score(float(a.score[i]))} "
            f"{reader.interval(float(a.low[i]), float(a.high[i]))}",
            _score_strip(reader, i, scale, shared),
        )
        for i in order
    ]
    description = reader.language.say("overview.panel", metric=reader.label)
    return draw.forest(id, reader.label, description, rows, reader.label, **sizes)


def _overview(readers: Sequence[_Reader]) -> tuple[draw.Forest, ...]:
    order = [int(i) for i in readers[0].a.order][:_OVERVIEW_ROWS]
    return tuple(
        _score_forest(
            reader,
            f"overview-{reader.index + 1}",
            order,
            width=340,
            label_width=110,
            value_width=58,
        )
        for reader in readers
    )


def _overview_caption(reader: _Reader) -> str:
    say, count = reader.language.say, reader.numerals.count
    m = len(reader.inputs.entries)
    caption = say("overview.caption", confidence=reader.confidence, metric=reader.label)
    if m > _OVERVIEW_ROWS:
        caption += " " + say("overview.first", count=count(_OVERVIEW_ROWS), m=count(m))
    return caption


def competitiveness_measures(language: Language) -> tuple[tuple[str, str], ...]:
    """Return (key, heading) of every measure of competitiveness in the order of the papers."""
    say = language.say
    measures = [("n", say("competitiveness.n")), ("m", say("competitiveness.m"))]
    for family in ("ties_with_winner", "possible_comparisons", "ties_between_competitors"):
        if family == "possible_comparisons":
            measures.append((family, say(f"competitiveness.{family}")))
            continue
        measures += [
            (
                f"{family}.{correction}",
                say(f"competitiveness.{family}", correction=say(f"corrections.{correction}")),
            )
            for correction in ("none", "bonferroni", "holm", "fdr_bh")
        ]
    measures += [
        (key, say(f"competitiveness.{key}"))
        for key in ("winner_minus_median", "cv_percent", "ppi_percent")
    ]
    return tuple(measures)


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


def _competitiveness(readers: Sequence[_Reader]) -> Table:
    language = readers[0].language
    rows = []
    for key, heading in competitiveness_measures(language):
        cells = [cell(heading, key)]
        for reader in readers:
            field, _, correction = key.partition(".")
            value: Any = getattr(reader.a.competitiveness, field)
            value = value.get(correction) if correction else value
            cells.append(competitiveness_cell(reader.numerals, key, value, reader.decimals))
        rows.append(tuple(cells))
    return Table(
        name="competitiveness",
        caption=language.say("tables.competitiveness"),
        columns=(
            Column(("measure",), language.say("competitiveness.measure")),
            *(Column((reader.a.name,), reader.label, numeric=True) for reader in readers),
        ),
        rows=tuple(rows),
    )


def _planning(readers: Sequence[_Reader]) -> Planning | None:
    first, language = readers[0], readers[0].language
    say, count = language.say, language.numerals.count
    rows, smallest = [], []
    for reader in readers:
        plan = reader.a.planning
        if plan.smallest_separable is not None and math.isfinite(plan.smallest_separable):
            difference = reader.score(plan.smallest_separable)
            smallest.append(say("planning.smallest", metric=reader.label, difference=difference))
        for pair in plan.pairs:
            needed, resolution = pair.examples_needed, pair.resolution
            rows.append(
                PlanRow(
                    reader.label,
                    reader.inputs.entries[pair.entry],
                    reader.difference(pair.difference),
                    say("planning.never") if needed is None else count(_two_digits(needed)),
                    say("planning.unknown")
                    if resolution is None
                    else language.numerals.fixed(resolution, 2),
                )
            )
    if not rows and not smallest:
        return None
    power = percent_exact(language.numerals, first.a.planning.power)
    return Planning(
        caption=say("planning.caption", reference=first.reference, power=power) if rows else "",
        note=say("planning.resolution_note") if rows else "",
        smallest=tuple(smallest),
        rows=tuple(rows),
    )


def _two_digits(count: int) -> int:
    """Round to two significant digits: a planned size is an order of magnitude."""
    unit = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // unit) * unit


def _cautions(readers: Sequence[_Reader]) -> tuple[Caution, ...]:
    """Return all warnings, grave ones first.

    English pages show the inference's own sentence; other languages their version of it where the
    language file has one.
    """
    language = readers[0].language
    found = []
    for reader in readers:
        for warned in reader.a.warnings:
            message = f"{reader.label}: {warned.message}" if len(readers) > 1 else warned.message
            translated = language.find(f"cautions.{warned.code}")
            if language.code != "en" and translated is not None:
                number = _plain(reader.numerals, round(warned.number, 3))
                message = translated.format_map({"metric": reader.label, "number": number})
            found.append(Caution(warned.level, language.say(f"cautions.{warned.level}"), message))
    return tuple(sorted(dict.fromkeys(found), key=lambda caution: caution.level != "red"))


def _runs(inputs: PageInput, language: Language) -> tuple[Fact, ...]:
    if not any(count > 1 for count in inputs.runs.values()):
        return ()
    return tuple(
        Fact(team, language.numerals.count(count)) for team, count in sorted(inputs.runs.items())
    )


def _paper(reader: _Reader) -> str:
    a, say, numerals = reader.a, reader.language.say, reader.numerals
    tied = reader.tied()
    joint = [*a.leaders, *tied]
    values = {
        "m": numerals.count(len(a.order)),
        "n": numerals.count(reader.inputs.n),
        "resamples": numerals.count(a.resamples),
        "confidence": reader.confidence,
        "interval": reader.interval(float(a.low[a.leader]), float(a.high[a.leader])),
        "leader": _listed(reader, [a.leader]),
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "tied": _listed(reader, [*a.leaders[1:], *tied]),
        "rule": say(f"rules.{a.tie_rule}"),
        "count": numerals.count(len(joint)),
        "reference": reader.reference,
    }
    key = "tied" if len(joint) > 1 else "alone"
    intro = say("paper.intro", **{**values, "interval": say(f"intervals.{a.interval}")})
    verdict = say(f"paper.{key if reader.chosen_leader else 'reference'}", **values)
    return f"{intro} {verdict}"


def _method(reader: _Reader) -> tuple[str, ...]:
    a, say, inputs = reader.a, reader.language.say, reader.inputs
    values = {
        "resamples": reader.numerals.count(a.resamples),
        "n": reader.numerals.count(inputs.n),
        "confidence": reader.confidence,
        "alpha": _plain(reader.numerals, round(1 - a.confidence, 6)),
    }
    drawn = [say("method.rows", **values)]
    if inputs.group is not None:
        groups = MISSING if inputs.groups is None else reader.numerals.count(inputs.groups)
        drawn.append(say("method.groups", groups=groups, column=inputs.group))
    if inputs.stratify is not None:
        drawn.append(say("method.strata", column=inputs.stratify))
    undefined = max(metric.analysis.undefined for metric in inputs.metrics)
    if undefined:
        drawn.append(say("method.undefined", count=reader.numerals.count(undefined)))
    paragraphs = [" ".join(drawn), say(f"method.{a.interval}", **values)]
    if len(inputs.entries) > 1:
        paragraphs += [
            say("method.p"),
            say("method.corrections"),
            say(f"method.{a.tie_rule}", **values),
            say("method.ranks"),
        ]
    return tuple(paragraphs)


# ── take-away ────────────────────────────────────────────────────────────────────────────────────


def _metric_tables(reader: _Reader) -> list[Table]:
    tables = [_ranking_table(reader)]
    if len(reader.inputs.entries) > 1:
        tables += [_differences_table(reader), _pairwise_table(reader)]
    return tables


def _ranking_table(reader: _Reader) -> Table:
    a, say = reader.a, reader.language.say
    compared = len(reader.inputs.entries) > 1
    columns = [
        Column(("rank",), say("ranking.rank"), numeric=True),
        Column(("entry",), say("ranking.entry")),
        Column(("score",), reader.label, numeric=True),
        Column(("ci_low", "ci_high"), say("ranking.interval", confidence=reader.confidence)),
    ]
    if compared:
        columns += [
            Column(("status",), say("tables.status")),
            Column(("rank_low", "rank_high"), say("ranking.rank_range"), numeric=True),
            Column(("tier",), say("ranking.tier"), numeric=True),
        ]
    rows = []
    for i in map(int, a.order):
        strong = i in a.leaders
        low, high, rank, tier = float(a.low[i]), float(a.high[i]), int(a.rank[i]), int(a.tier[i])
        cells = [
            cell(reader.numerals.count(rank), rank),
            cell(reader.inputs.entries[i], strong=strong),
            cell(reader.score(float(a.score[i])), float(a.score[i]), strong=strong),
            cell(reader.interval(low, high), low, high),
        ]
        if compared:
            cells += [
                cell(reader.status(i).word, reader.shape(i)),
                cell(_rank_range(reader, i), int(a.rank_low[i]), int(a.rank_high[i])),
                cell(reader.numerals.count(tier), tier),
            ]
        rows.append(tuple(cells))
    n = reader.numerals.count(reader.inputs.n)
    return Table(
        name=f"ranking{reader.suffix}",
        caption=say("tables.ranking", metric=reader.label, confidence=reader.confidence, n=n),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _differences_table(reader: _Reader) -> Table:
    a, say = reader.a, reader.language.say
    d = a.differences
    corrections = [key for key in ("bonferroni", "holm", "fdr_bh") if key in d.p_adjusted]
    columns = (
        Column(("entry",), say("differences.entry")),
        Column(("difference",), say("differences.difference"), numeric=True),
        Column(("ci_low", "ci_high"), say("differences.interval", confidence=reader.confidence)),
        Column(("contains_zero",), say("differences.zero")),
        Column(("p_one_sided",), say("differences.p"), numeric=True),
        Column(("p_two_sided",), say("differences.p_two"), numeric=True),
        *(
            Column(
                (f"p_{key}",),
                say("differences.p_adjusted", correction=say(f"corrections.{key}")),
                numeric=True,
            )
            for key in corrections
        ),
        Column(("status",), say("tables.status")),
    )
    rows = []
    for i in _others(reader):
        low, high, observed = float(d.low[i]), float(d.high[i]), float(d.observed[i])
        contains = _contains_zero(low, high)
        known = "contains" if contains else "excludes"
        zero = say(f"differences.{known if math.isfinite(low) else 'unknown'}")
        ps = [d.p_one_sided, d.p_two_sided, *(d.p_adjusted[key] for key in corrections)]
        rows.append(
            (
                cell(reader.inputs.entries[i]),
                cell(reader.difference(observed), observed),
                cell(reader.interval(low, high), low, high),
                cell(zero, int(contains) if math.isfinite(low) else None),
                *(cell(reader.numerals.p(float(p[i])), float(p[i])) for p in ps),
                cell(reader.status(i).word, reader.shape(i)),
            )
        )
    note = "differences.note" if reader.chosen_leader else "differences.note_reference"
    return Table(
        name=f"differences{reader.suffix}",
        caption=say("tables.differences", metric=reader.label, reference=reader.reference),
        columns=columns,
        rows=tuple(rows),
        note=say(note, reference=reader.reference),
    )


def _pairwise_table(reader: _Reader) -> Table:
    """All pairs: in a paper a triangle (or, for many entries, counts), for machines a list."""
    a, say = reader.a, reader.language.say
    part = _pairs(reader)
    if part.map is not None:
        columns = tuple(
            Column((key,), heading, numeric=key != "entry")
            for key, heading in (
                ("rank", say("ranking.rank")),
                ("entry", say("ranking.entry")),
                ("below", say("pairs.better_than")),
                ("above", say("pairs.worse_than")),
                ("not_separated", say("pairs.not_separated")),
            )
        )
        rows = tuple(
            tuple(map(cell, (row.rank, row.name, row.below, row.above, row.not_separated)))
            for row in part.counts
        )
        caption = say("tables.pairwise_counts", metric=reader.label)
    else:
        columns = (
            Column(("rank",), say("ranking.rank"), numeric=True),
            Column(("entry",), say("ranking.entry")),
            *(Column((column,), column, numeric=True) for column in part.columns),
        )
        blank = cell("")
        rows = tuple(
            (
                cell(row.rank),
                cell(row.name),
                *(cell(f"{item.difference}{item.mark}" or "·") for item in row.cells),
                *(blank for _ in range(len(part.columns) - len(row.cells))),
            )
            for row in part.rows
        )
        caption = say("tables.pairwise", metric=reader.label)
    return Table(
        name=f"pairwise{reader.suffix}",
        caption=caption,
        columns=columns,
        rows=rows,
        note=part.legend,
        records=_pair_records(a, reader.inputs.entries),
    )


def _pair_records(a: MetricAnalysis, entries: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """Return every pair as one record, its header first."""
    pairs = a.pairs
    adjusted = pairs.p_adjusted.get("all", {})
    header = ("better", "worse", "difference", "ci_low", "ci_high", "p_one_sided")
    columns = [
        [entries[i] for i in pairs.better.tolist()],
        [entries[i] for i in pairs.worse.tolist()],
        *(
            values.tolist()
            for values in (
                pairs.observed,
                pairs.low,
                pairs.high,
                pairs.p_one_sided,
                *adjusted.values(),
                pairs.p_max_t,
            )
        ),
    ]
    names = (*header, *(f"p_{key}" for key in adjusted), "p_max_t")
    return (names, *zip(*columns, strict=True))


def _figures(
    readers: Sequence[_Reader],
    sections: Sequence[MetricSection],
    overview: Sequence[draw.Forest],
) -> dict[str, Figure]:
    """Return file name without extension → figure: those of the page, and the tables' strips."""
    found: dict[str, Figure] = {}
    for panel, reader in zip(overview, readers, strict=True) if overview else ():
        found[f"overview_{file_part(reader.a.name)}"] = panel
    for reader, section in zip(readers, sections, strict=True):
        order = [int(i) for i in reader.a.order]
        key = reader.suffix
        found[f"intervals{key}"] = _score_forest(reader, f"intervals-{reader.index + 1}", order)
        if len(order) == 1:
            continue
        found[f"differences{key}"] = _difference_forest(reader)
        for count, figure in enumerate(_distributions(reader), start=1):
            found[f"distribution{key}_{count}"] = figure
        found[f"pairs{key}"] = _pair_map(reader, _pair_grid(reader)[1])
        if section.ranks is not None:
            figure_of_ranks = section.ranks.blobs or section.ranks.map
            if figure_of_ranks is not None:
                found[f"rank_frequencies{key}"] = figure_of_ranks
    return found


def _difference_forest(reader: _Reader) -> draw.Forest:
    d, say = reader.a.differences, reader.language.say
    scale, shared = _difference_axis(reader)
    rows = [
        (
            reader.inputs.entries[i],
            f"{reader.difference(float(d.observed[i]))} "
            f"{reader.interval(float(d.low[i]), float(d.high[i]))}",
            _difference_strip(reader, i, scale, shared),
        )
        for i in _others(reader)
    ]
    return draw.forest(
        f"differences-{reader.index + 1}",
        say("differences.heading", reference=reader.reference),
        say("differences.axis", reference=reader.reference, metric=reader.label),
        rows,
        say("differences.axis", reference=reader.reference, metric=reader.label),
    )
