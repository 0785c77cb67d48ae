"""What statisticians want to know of one metric."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import Floats
from ...core.methods import TIE_RULES, VALID_EVERYWHERE, VALID_TIE_RULES
from ...core.phrases import gettext_noop
from ...document.blocks import Block, Paragraph, Picture, Section, together
from ...document.figures.grids import blob_radius, blobs, matrix
from ...document.marks import Drawing, Key
from ...document.take_away import TableColumn, cell
from ..view import FEW, RULES, FilledColumn, MetricView
from .intervals import intervals_of, once

#: The rules that may name possible winners come first.
_RULE_ORDER = tuple(dict.fromkeys((*reversed(VALID_TIE_RULES), *TIE_RULES)))
#: Shares of the resamples at which a cell of the map gets the next stronger shade.
_FREQUENCY_LEVELS = (0.01, 0.05, 0.10, 0.25, 0.50)
#: A sum of shares that is not shown as 100%.
_MORE_THAN_ALL = 1.005
#: Which tie rules may name possible winners, by why corrections lose truly best entries
#: (`MetricView.corrections_fail`), and beside an entry that was named in advance.
_VALID = {
    "": gettext_noop(
        "If the {things} are independent and the differences have no heavy tails, max-T, Holm and "
        "Bonferroni keep any given truly best entry with about the stated confidence, so they may "
        "name possible winners. To keep all truly best entries at once, take the entries whose "
        "joint rank set in results.json includes 1. The other three rules are shown because papers "
        "use them. They drop possible winners when many entries are close."
    ),
    "runs": gettext_noop(
        "If the {things} are independent and the differences have no heavy tails, max-T keeps a "
        "team with any given truly best run with about the stated confidence, so it may name "
        "possible winners. To keep all truly best ones at once, take the entries whose joint rank "
        "set in results.json includes 1. The other rules are shown because papers use them. They "
        "drop possible winners when many entries are close, Holm and Bonferroni when teams have "
        "many runs."
    ),
    "few": gettext_noop(
        "If the {things} are independent and the differences have no heavy tails, max-T keeps any "
        "given truly best entry with about the stated confidence, so it may name possible winners. "
        "To keep all truly best entries at once, take the entries whose joint rank set in "
        "results.json includes 1. The other rules are shown because papers use them. They drop "
        "possible winners when many entries are close, Holm and Bonferroni when few {things} "
        "decide a difference, as here."
    ),
    "reference": gettext_noop(
        "{reference} was named in advance, so the rules compare two-sided. They say who is "
        "separated from it, not who may have won."
    ),
}


@dataclass(frozen=True)
class _TieWords:
    """What a table of tie rules says beside the leader, or beside an entry named in advance."""

    tied: str  # what a rule says of an entry
    heading: str
    rows: str  # who has a row
    nobody: str  # where nobody has
    total: str  # what stands before the number of such entries
    total_without_baselines: str


_TIED = _TieWords(
    tied=gettext_noop("tied"),
    heading=gettext_noop("Who is tied under each rule"),
    rows=gettext_noop("Each row is an entry that at least one rule ties with {reference}."),
    nobody=gettext_noop("No rule ties any entry with {reference}."),
    total=gettext_noop("Tied"),
    total_without_baselines=gettext_noop("Tied, without baselines"),
)
_SEPARATED = _TieWords(
    tied=gettext_noop("not separated"),
    heading=gettext_noop("Who is separated under each rule"),
    rows=gettext_noop(
        "Each row is an entry that at least one rule does not separate from {reference}."
    ),
    nobody=gettext_noop("Every rule separates every entry from {reference}."),
    total=gettext_noop("Not separated"),
    total_without_baselines=gettext_noop("Not separated, without baselines"),
)


def evidence_of(view: MetricView, told: set[str]) -> Section:
    """Return everything about one metric; captions in ``told`` were said of another one."""
    evidence = view.evidence
    key = view.metric.name
    description = view.metric.description
    # The key is what scores.txt has; the function stands with all its parameters.
    definition = description if description.startswith(f"{key}(") else f"{key}: {description}"
    blocks: list[Block] = [
        Paragraph(subtitle_of(view), "subtitle"),
        Paragraph(definition, "definition", english=True),
    ]
    if len(evidence.names) > 1:
        # Late: most runs have one entry.
        from .differences import differences_of, distributions, pairs_of

        blocks.append(intervals_of(view))
        differences = evidence.differences
        if differences is not None:
            blocks.append(differences_of(view, differences))
            blocks += distributions(view, differences, told)
            blocks.append(_ties(view, told))
        if evidence.pairs is not None:
            blocks.append(pairs_of(view, evidence.pairs, told))
        if not view.withheld:
            blocks.append(_rank_frequencies(view, told))
    return Section(f"metric-{view.index + 1}-evidence", view.label, tuple(blocks), "metric")


def subtitle_of(view: MetricView) -> str:
    """Return a metric's direction, bounds and ideal."""
    say = view.say
    metric = view.metric
    parts = [view.direction]
    low, high = (view.numerals.plain(bound) for bound in (metric.low, metric.high))
    if math.isfinite(metric.low) and math.isfinite(metric.high):
        parts.append(say("from {low} to {high}", low=low, high=high))
    elif math.isfinite(metric.low):
        parts.append(say("from {low} upward", low=low))
    elif math.isfinite(metric.high):
        parts.append(say("up to {high}", high=high))
    if metric.ideal is not None:
        parts.append(say("ideal {ideal}", ideal=view.numerals.plain(metric.ideal)))
    if view.result.public is not None and view.index < view.result.public:
        parts.insert(0, say("private rows"))
    if len(view.result.evidence) > 1:
        parts.insert(0, say("ranking metric" if view.index == 0 else "additional metric"))
    return " · ".join(parts)


def _ties(view: MetricView, told: set[str]) -> Section:
    """Return the entries that some rule ties with the reference, rule by rule.

    Against the leader there are two groups: rules that may name possible winners, and rules that
    are only shown. Against an entry named in advance, no rule names winners.
    """
    say = view.say
    tied = view.standing.tied
    rules = [rule for rule in _RULE_ORDER if rule in tied]
    keep = VALID_EVERYWHERE if view.corrections_fail else VALID_TIE_RULES
    valid = sum(rule in keep for rule in rules)
    note = view.corrections_fail if view.chosen_leader else "reference"
    tied_by_some = np.logical_or.reduce([tied[rule] for rule in rules])
    listed = [i for i in view.all_but_reference() if tied_by_some[i]]
    competing = [i for i in listed if i not in view.scores.baselines]
    words = _TIED if view.chosen_leader else _SEPARATED
    caption = say(words.rows)
    cell_of_tied = cell(say(words.tied), style="status tied")
    cell_of_separated = cell(say("separated"), style="status behind")

    def column(rule: str) -> FilledColumn:
        used = say("used here") if rule == view.standing.rule else ""
        heading = TableColumn((rule,), say(RULES[rule]), small=used)
        return heading, lambda i: cell_of_tied if tied[rule][i] else cell_of_separated

    groups = (
        (say("May name possible winners"), valid),
        (say("Shown because papers use them"), len(rules) - valid),
    )
    foot = (
        say(words.total_without_baselines if view.scores.baselines else words.total),
        *(view.count(int(tied[rule][competing].sum())) for rule in rules),
    )
    table = view.of_entries(
        "",
        caption,
        listed,
        (view.entry, *map(column, rules)),
        groups=groups if view.chosen_leader else (),
        foot=foot,
        style="ties",
    )
    notes = [say(_VALID[note])]
    winners = view.evidence.verdict.possible_winners
    ranked = view.standing.rank_low > 0
    by_max_t = view.chosen_leader and view.standing.rule == "max_t"
    if by_max_t and (tied["max_t"] & ~winners & ranked).any():
        notes.append(
            say(
                "Here the verdict says more than the rule max-T alone: it compares whoever leads "
                "with each rival, and with fewer comparisons to allow for."
            )
        )
    body = (Paragraph(caption, "caption"), table) if listed else (Paragraph(say(words.nobody)),)
    return Section(
        f"metric-{view.index + 1}-ties", say(words.heading), (*once(told, *notes), *body)
    )


def _rank_frequencies(view: MetricView, told: set[str]) -> Section:
    """Return the rank frequencies: blobs for few entries, a heat map for many, and a table."""
    say = view.say
    percent = view.numerals.percent
    order = view.order
    shares = view.evidence.rank_frequency
    few = len(order) <= FEW
    frequency = shares[order]
    heading = say("How often each rank occurred")
    columns = (
        view.entry,
        view.written("first", say("Frequency of rank 1"), shares[:, 0].item, percent),
        view.counts("common", say("Most common rank"), (shares.argmax(axis=1) + 1).item),
        view.written("share", say("Frequency of that rank"), shares.max(axis=1).item, percent),
    )
    figure = _rank_blobs(view, order, frequency) if few else _rank_map(view, frequency)
    picture = Picture(f"rank_frequencies{view.suffix}", figure, "bare")
    equivalent = say("The same as a table")
    table = view.of_entries("", heading, order, columns, label=equivalent if few else "")
    body: tuple[Block, ...] = (picture, Section("", equivalent, (table,), folded=True))
    if few:
        body = (together(picture, table, style="side-by-side"),)
    blocks = (*once(told, *_on_frequencies(view, order, frequency)), *body)
    return Section(f"metric-{view.index + 1}-ranks", heading, blocks)


def _on_frequencies(view: MetricView, order: Sequence[int], frequency: Floats) -> Iterator[str]:
    """Say what the frequencies are, and why they may not be as one expects."""
    yield view.say(
        "Bootstrap frequency is the share of resamples in which an entry takes a rank. One "
        "large circle means a settled rank; a row of small circles means an open contest. It "
        "is not the chance of being best: among equal entries, the one that is lucky on this "
        "test set comes first too often."
        if len(order) <= FEW
        else "Bootstrap frequency is the share of resamples in which an entry takes a rank. A "
        "strongly colored cell means a settled rank; a wide pale band means an open "
        "contest. It is not the chance of being best: among equal entries, the one that is "
        "lucky on this test set comes first too often."
    )
    competing = [place for place, entry in enumerate(order) if entry not in view.scores.baselines]
    first = float(frequency[competing, 0].sum())
    if first >= _MORE_THAN_ALL:
        yield view.say(
            "The frequencies of rank 1 add up to {sum}, because entries that are level in a "
            "resample share its better rank.",
            sum=view.numerals.percent(first),
        )
    if view.scores.baselines:
        yield view.say(
            "A baseline lowers no other entry's rank. Its own frequencies are those of the "
            "rank that it would take."
        )


def _rank_blobs(view: MetricView, order: Sequence[int], frequency: Floats) -> Drawing:

    def tooltip(row: int, rank: int, share: float) -> str:
        values = {"name": view.names[order[row]], "share": view.numerals.percent(share)}
        return view.say("{name}: rank {rank} in {share} of resamples", rank=rank, **values)

    sizes = {share: blob_radius(len(order), share) for share in (0.5, 0.1)}
    legend = tuple(
        Key("blob", view.say("{share} of the resamples", share=view.numerals.percent(share)), size)
        for share, size in sizes.items()
    )
    heading = replace(_heading(view), legend=legend)
    rows = [view.evidence.names[i] for i in order]
    return blobs(heading, frequency, rows, tooltip, view.say("rank in the resample"))


def _rank_map(view: MetricView, frequency: Floats) -> Drawing:
    places = [view.count(place + 1) for place in range(len(frequency))]
    classes = np.sum([frequency >= level for level in _FREQUENCY_LEVELS], axis=0).astype(np.intp)
    return matrix(_heading(view), classes, places, view.say("rank in the resample"), _shades(view))


def _shades(view: MetricView) -> tuple[str, ...]:
    """Return what the shades of rank frequencies mean, from the lightest to the darkest."""
    levels = [100 * level for level in _FREQUENCY_LEVELS]
    ranges = [view.numerals.percents(low, high) for low, high in itertools.pairwise(levels)]
    return (*ranges, view.say("{share:p} or more", share=levels[-1]))


def _heading(view: MetricView) -> Drawing:
    say = view.say
    return Drawing(
        f"ranks-{view.index + 1}",
        f"{say('How often each rank occurred')} · {view.label}",
        say("Bootstrap frequency of every rank for every entry; the table has the main numbers."),
    )
