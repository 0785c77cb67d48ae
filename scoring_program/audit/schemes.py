"""Would another ranking scheme have named another leader? And was the public leaderboard right?

Every scheme ranks the same entries: by each metric, by other aggregations, under each tie rule, by
other weights of the tasks, and without each slice of the test set. Baselines have ranks, but never
stand on top.

Of the public leaderboard, it is how much better the entries look there than on the private part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.phrases import Language, gettext_noop
from ..core.rounding import without_rounding
from ..inference.evidence import Evidence
from ..metrics.families.unit_scores import UNIT_RANK
from ..pipeline import EvaluatedCompetition
from ..report.findings import Findings
from ..report.view import RULES
from ..scoring.overall import ranks, standardized
from ..scoring.scorer import Scorer
from .answers import oriented
from .page import Outcome, Page

#: Entry → its score on the public examples and its standard error.
PublicScores = Mapping[str, tuple[float, float]]
#: The functions of metrics that are ranking schemes of scores.
_FUNCTIONS = {"mean": "mean_score", "median": "median_score", "mean_rank": UNIT_RANK}
#: Entries whose gains are told.
_TOLD = 5
#: Differing schemes that the finding names.
_NAMED = 3
#: What a scheme changes.
_KINDS = {
    "metric": gettext_noop("metric"),
    "aggregation": gettext_noop("aggregation"),
    "tie_rule": gettext_noop("tie rule"),
    "mean_rank": gettext_noop("mean rank over"),
    "without_task": gettext_noop("without the task"),
    "double_task": gettext_noop("twice the weight of the task"),
    "without_slice": gettext_noop("without the slice"),
}
#: The same with its name.
_IN_WORDS = {
    "mean_rank": gettext_noop("mean rank over {name}"),
    "without_task": gettext_noop("without the task {name}"),
    "double_task": gettext_noop("twice the weight of the task {name}"),
    "without_slice": gettext_noop("without the slice {name}"),
}


@dataclass(frozen=True, eq=False)
class RankingScheme:
    """One way to rank: its kind, its name, every entry's rank [m] and who stands on top.

    A rank is 0 if the scheme does not rank the entry. ``top`` numbers the entries of rank 1, or
    those that are tied with the leader where the scheme is a tie rule.
    """

    kind: str
    name: str
    rank: Ints
    top: frozenset[int]


Schemes = list[RankingScheme]
#: A place in a scheme.
Placing = tuple[int, RankingScheme]
#: An entry, its rank by the ranking metric, and its best and worst place in any scheme.
Gain = tuple[int, int, Placing, Placing]


def of_aggregations(evidence: Sequence[Evidence]) -> Schemes:
    """Return the schemes of a table of scores that none of the metrics is: other aggregations.

    See `inference.descriptive`; of several columns, the first one counts.
    """
    of_column = next((table for table in evidence if table.schemes is not None), None)
    if of_column is None or of_column.schemes is None:
        return []
    metrics = [table.metric for table in evidence]
    column = of_column.metric.column
    functions = {metric.function for metric in metrics if metric.column == column}
    schemes = []
    for name, places in of_column.schemes.ranks.items():
        if _FUNCTIONS.get(name) not in functions:
            rank = np.zeros(len(of_column.names), np.intp)
            rank[of_column.schemes.entries] = places
            label = f"{of_column.metric.label}, {name.replace('_', ' ')}"
            schemes.append(_scheme("aggregation", label, rank, competing(of_column)))
    return schemes


def competing(evidence: Evidence) -> Bools:
    """Return which entries can win, [m]."""
    return ~np.isin(np.arange(len(evidence.names)), evidence.scores.baselines)


def without_slices(scorer: Scorer, slices: Mapping[str, Array], can_win: Bools) -> Schemes:
    """Return a scheme for each value of each slice column: the test set without its examples.

    There is none where nobody has a score on the rest, such as an AUC of one class. ``slices`` maps
    columns to their values [n]. ``can_win`` [m] are the competing entries.
    """
    schemes = []
    scale = scorer.metric.scale
    for column, values in slices.items():
        present = np.unique(values)
        if len(present) < 2:
            continue
        counts = (values != present[:, None]).astype(np.uint8)
        scores = oriented(scorer.metric, scorer.replicate(counts).values)  # [slices, m]
        schemes += [
            _scheme("without_slice", f"{column}: {value}", ranked(row, can_win, scale), can_win)
            for value, row in zip(present.tolist(), scores, strict=True)
            if not np.isnan(row).all()
        ]
    return schemes


def of_task_weights(losses: Floats, names: Sequence[str], method: str, can_win: Bools) -> Schemes:
    """Return two schemes for each task: without it, and with twice its weight.

    ``losses`` [tasks, m] are the scores of the tasks, less is better. They are combined as the
    overall ``method`` does; where that is a formula, by the mean rank.
    """
    if len(names) < 2:
        return []
    values = np.array([_contribution(row, method, can_win) for row in losses])
    schemes = []
    for kind, weight in (("without_task", 0.0), ("double_task", 2.0)):
        for task, name in enumerate(names):
            weights = np.ones(len(names))
            weights[task] = weight
            of_entries = np.average(values, axis=0, weights=weights)
            rank = ranked(of_entries, can_win, float(np.nanmax(np.abs(values), initial=0.0)))
            schemes.append(_scheme(kind, name, rank, can_win))
    return schemes


def _contribution(losses: Floats, method: str, can_win: Bools) -> Floats:
    """Return what a task adds to the overall score, [m], higher is better."""
    if method == "mean":
        return -losses
    if method == "mean_standardized":
        return standardized(losses, losses[can_win])
    return -ranks(losses, can_win)


def ranked(higher: Floats, can_win: Bools, scale: float = 0.0) -> Ints:
    """Return ranks [m] of scores of which higher is better; ties share the better rank.

    Only the entries that ``can_win`` [m] count. Without a score there is no rank: 0. ``scale`` is
    as in `core.rounding`.
    """
    higher = without_rounding(higher, scale)
    return np.where(np.isnan(higher), 0, 1 + (higher[None, can_win] > higher[:, None]).sum(axis=1))


def gains(schemes: Schemes, can_win: Bools) -> list[Gain]:
    """Return the entries whose place depends on the scheme, the widest range first.

    The first of the schemes is that of the ranking metric.
    """
    gained: list[Gain] = []
    for entry in np.flatnonzero(can_win & (schemes[0].rank > 0)).tolist():
        rank = int(schemes[0].rank[entry])
        placed = [(int(scheme.rank[entry]), scheme) for scheme in schemes if scheme.rank[entry] > 0]
        best = min(placed, key=lambda item: item[0])
        worst = max(placed, key=lambda item: item[0])
        if best[0] < rank or worst[0] > rank:
            gained.append((entry, rank, best, worst))
    return sorted(gained, key=lambda gain: (gain[2][0] - gain[3][0], gain[1], gain[0]))


def _scheme(kind: str, name: str, rank: Ints, can_win: Bools) -> RankingScheme:
    return RankingScheme(kind, name, rank, _numbers((rank == 1) & can_win))


def _higher(evidence: Evidence) -> Floats:
    """Return the scores [m] with the sign that makes higher ones better."""
    return oriented(evidence.metric, evidence.scores.score)


def _numbers(entries: Bools) -> frozenset[int]:
    return frozenset(np.flatnonzero(entries).tolist())


def _schemes(evaluation: EvaluatedCompetition) -> Schemes:
    """Return all schemes that rank the entries of the ranking evidence; its own is the first."""
    findings = evaluation.findings
    ranking = evaluation.of_parts
    first = findings.evidence[0]
    of_private_rows = findings.evidence[: findings.public]
    same = [evidence for evidence in of_private_rows if evidence.names == first.names]
    can_win = competing(first)
    schemes = [
        _scheme(
            "metric", evidence.metric.label, np.asarray(evidence.scores.rank), competing(evidence)
        )
        for evidence in same
    ]
    schemes += of_aggregations(same)
    # By each tie rule the ranks are equal, and the entries on top differ.
    schemes += [
        RankingScheme("tie_rule", rule, schemes[0].rank, _numbers(tied & can_win))
        for rule, tied in first.standing.tied.items()
    ]
    # A metric over tasks says nothing beside the metrics of the tasks.
    of_tasks = [evidence for evidence in same if evidence.task is not None]
    single = of_tasks if evaluation.competition.has_tasks else same
    if len(single) > 1:
        mean = np.mean([ranks(-_higher(evidence), can_win) for evidence in single], axis=0)
        labels = ", ".join(evidence.metric.label for evidence in single)
        schemes.append(_scheme("mean_rank", labels, ranked(-mean, can_win), can_win))
    if not evaluation.competition.has_tasks:
        part = evaluation.resampled[0]
        settings = findings.settings
        scorer = part.metrics[0].scorer
        rows = [scorer.names.index(name) for name in first.names]
        scorer_of_entries = scorer.keep(rows, first.names)
        columns = settings.slices or tuple(filter(None, [settings.stratify]))
        slices = {column: np.array(part.part.gold.columns[column]) for column in columns}
        return schemes + without_slices(scorer_of_entries, slices, can_win)
    if any(not set(first.names) <= set(evidence.names) for evidence in ranking):
        return schemes  # some entries are missing from a task and count as the worst there
    losses = []
    for evidence in ranking:
        rows = [evidence.names.index(name) for name in first.names]
        losses.append(-_higher(evidence)[rows])
    names = [part.part.name for part in evaluation.resampled]
    method = first.metric.function or ""
    return schemes + of_task_weights(np.array(losses), names, method, can_win)


def ranking_schemes(page: Page, evaluation: EvaluatedCompetition) -> Outcome:
    """Say who stands on top under other ranking schemes, and who gains where."""
    ranking = evaluation.findings.evidence[0]
    schemes = _schemes(evaluation)
    gained = gains(schemes, competing(ranking))
    first, *other_schemes = [scheme for scheme in schemes if scheme.kind != "tie_rule"]
    say = page.say
    language = page.language
    differing = [scheme for scheme in other_schemes if scheme.top != first.top]
    if not other_schemes:
        brief = say("There is no other ranking scheme than that of the ranking metric.")
    elif differing:
        brief = _disagreement(page, differing, len(other_schemes), ranking)
    else:
        brief = say(
            "The other ranking scheme has the same entries on top.",
            "The {count:n} other ranking schemes have the same entries on top.",
            count=len(other_schemes),
        )
    caption = say(
        "Who stands on top under each scheme; for tie rules, the leader and who is tied with it."
    )
    columns = (
        page.words("kind", say("Kind"), lambda scheme: say(_KINDS[scheme.kind])),
        page.words("name", say("Scheme"), lambda scheme: _name(scheme, language)),
        page.words("top", say("On top"), lambda scheme: _top(scheme, ranking, language)),
    )
    table = page.table("schemes", caption, schemes, columns)
    told = [
        say(
            "{entry} (rank {rank}): rank {best} under one scheme ({best_in}), rank {worst} under "
            "another ({worst_in}).",
            entry=ranking.names[entry],
            rank=rank,
            best=best,
            best_in=_named(best_in, language),
            worst=worst,
            worst_in=_named(worst_in, language),
        )
        for entry, rank, (best, best_in), (worst, worst_in) in gained[:_TOLD]
    ]
    heading = say("Other ranking schemes")
    finding = page.finding("schemes", heading, brief, [brief, *told], table, look=bool(differing))
    return Outcome(_content(ranking.names, schemes, gained), [finding])


def _disagreement(page: Page, differing: Schemes, total: int, ranking: Evidence) -> str:
    """Say which of ``total`` other schemes have others on top; of many, only the first ones."""
    tops = [
        f"{_named(scheme, page.language)} ({_top(scheme, ranking, page.language)})"
        for scheme in differing[:_NAMED]
    ]
    values = {"total": page.count(total), "schemes": "; ".join(tops)}
    if len(differing) > _NAMED:
        return page.say(
            "{count} of {total} other ranking schemes have others on top, for example: {schemes}.",
            count=page.count(len(differing)),
            **values,
        )
    return page.say(
        "{count:n} of {total} other ranking schemes has others on top: {schemes}.",
        "{count:n} of {total} other ranking schemes have others on top: {schemes}.",
        count=len(differing),
        **values,
    )


def _top(scheme: RankingScheme, ranking: Evidence, language: Language) -> str:
    """Return who stands on top, in the order of the ranking."""
    order = ranking.scores.order.tolist()
    return language.joined([ranking.names[entry] for entry in order if entry in scheme.top])


def _named(scheme: RankingScheme, language: Language) -> str:
    """Return a scheme in words that stand alone."""
    name = _name(scheme, language)
    if scheme.kind in ("metric", "aggregation"):
        return name
    return language.say(_IN_WORDS[scheme.kind], name=name)


def _name(scheme: RankingScheme, language: Language) -> str:
    """Return what the scheme does to its kind: the metric, the slice that is left out, the rule."""
    if scheme.kind == "tie_rule":
        return language.say(RULES[scheme.name])
    return language.metric(scheme.name) if scheme.kind == "metric" else scheme.name


def _content(names: Sequence[str], schemes: Schemes, gained: Sequence[Gain]) -> dict[str, Any]:
    """Return what audit.json says of ranking schemes."""

    def place(rank: int, scheme: RankingScheme) -> dict[str, Any]:
        return {"rank": rank, "kind": scheme.kind, "name": scheme.name}

    scheme_content = []
    for scheme in schemes:
        ranks_of_names = zip(names, scheme.rank.tolist(), strict=True)
        record = {
            "kind": scheme.kind,
            "name": scheme.name,
            "top": [names[entry] for entry in sorted(scheme.top)],
            "rank": {name: rank for name, rank in ranks_of_names if rank > 0},
        }
        scheme_content.append(record)
    gain_content = [
        {"entry": names[entry], "rank": rank, "best": place(*best), "worst": place(*worst)}
        for entry, rank, best, worst in gained
    ]
    return {"schemes": scheme_content, "gains": gain_content}


def optimism(
    public: PublicScores, private: Evidence, submissions: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return what audit.json says of every entry that has a public score, the largest first.

    The difference is positive if the public score is better than the private one. What is expected
    is the difference of the best of the team's submissions if all of them were equally good; None
    if their number is unknown or one.

    ``public`` maps entries to their score on the public examples and its standard error. The two
    parts share no examples, so their standard errors add in squares. Mean ranks have none (nan), so
    nothing is known of their difference. ``submissions`` maps entries
    to the number of submissions that their team has sent.
    """
    from scipy.special import ndtri

    sign = 1.0 if private.metric.greater_is_better else -1.0
    z = float(ndtri((1 + private.question.confidence) / 2))
    of_entries = []
    for entry, name in enumerate(private.names):
        if name not in public:
            continue
        (seen, error) = public[name]
        score = float(private.scores.score[entry])
        difference = sign * (seen - score)
        sent = submissions.get(name)
        margin = z * math.hypot(error, private.standard_error(entry))
        has_interval = math.isfinite(margin)
        expected = None
        if has_interval and sent and sent > 1:
            expected = error * expected_maximum(sent)
        of_entries.append(
            {
                "entry": name,
                "public": seen,
                "private": score,
                "difference": difference,
                "ci": [difference - margin, difference + margin] if has_interval else None,
                "submissions": sent,
                "expected": expected,
            }
        )
    return sorted(of_entries, key=lambda item: (-item["difference"], item["entry"]))


def expected_maximum(size: int) -> float:
    """Return the expected maximum of independent standard normal variables.

    It is ∫ Φ⁻¹(u)·d(u^size), by the midpoints of equal steps of u^size.
    """
    from scipy.special import ndtri

    steps = 100_000
    levels: Floats = (np.arange(steps) + 0.5) / steps
    return float(ndtri(levels ** (1 / size)).mean())


def public_leaderboard(page: Page, findings: Findings, public: PublicScores | None) -> Outcome:
    """Say how much better the entries look in public, of those whose difference varies.

    By default, ``public`` are the scores on the rows that the reference data call public.
    """
    private = findings.evidence[0]
    if public is None and findings.public is not None:
        public_evidence = findings.evidence[findings.public]
        errors = map(public_evidence.standard_error, range(len(public_evidence.names)))
        scored = zip(public_evidence.scores.score.tolist(), errors, strict=True)
        public = dict(zip(public_evidence.names, scored, strict=True))
    content = [] if public is None else optimism(public, private, findings.runs)
    optimistic = [item for item in content if item["ci"] is not None]
    if not optimistic:
        return Outcome({"optimism": content})
    caption = page.say(
        "How much better each entry looks on the public {things}, with a {level} interval for "
        "each by itself. The last column is what the best of so many equally good submissions "
        "gains by chance.",
        level=page.level,
    )
    columns = (
        page.words("entry", page.say("Entry"), itemgetter("entry")),
        page.numbers("public", page.say("Public score"), itemgetter("public")),
        page.numbers("private", page.say("Private score"), itemgetter("private")),
        page.numbers("difference", page.say("Optimism"), itemgetter("difference"), signed=True),
        page.intervals(page.say("Interval"), itemgetter("ci")),
        page.counts("submissions", page.say("Submissions"), itemgetter("submissions")),
        page.numbers("expected", page.say("By chance"), itemgetter("expected"), signed=True),
    )
    table = page.table("optimism", caption, optimistic, columns)
    above = sum(item["ci"][0] > 0 for item in optimistic)
    chance = (1 - private.question.confidence) / 2 * len(optimistic)
    brief = page.say(
        "{count:n} of {entries} entries looks better in public by more than its interval "
        "explains; by chance alone, {expected} would.",
        "{count:n} of {entries} entries look better in public by more than their intervals "
        "explain; by chance alone, {expected} would.",
        count=above,
        entries=page.count(len(optimistic)),
        expected=page.language.numerals.fixed(chance, 1),
    )
    heading = page.say("Public against private")
    finding = page.finding("optimism", heading, brief, [brief], table, look=bool(above))
    return Outcome({"optimism": content}, [finding])
