"""The inference step of a run: analyzes every metric of every part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from ..bootstrap.design import Design, DistinctRows
from ..bootstrap.resample import ResampledPart
from ..core.arrays import Bools, Floats
from ..core.errors import SettingsError
from ..core.executor import Executor
from ..core.folds import Folds
from ..core.rounding import counted_ahead
from ..data.competition import MEAN_RANK, Competition, Part
from ..data.targets import target_of
from ..metrics.families.unit_scores import UNIT_RANK
from ..scoring.bind import bind
from ..scoring.combined import MeanScorer
from ..scoring.overall import RELATIVE, OverallScores, overall_scores
from ..scoring.people_scorer import PeopleScorer
from ..scoring.scorer import Replicates, ScoredMetric, Scorer
from .analyze import analyze, sample_shares
from .basis import (
    MetricScores,
    corrected_by_people,
    drawn_normally,
    influence_of,
    metric_scores,
)
from .cautions import (
    about_leaving,
    about_lost_teams,
    about_prizes,
    about_reading,
    about_small_scores,
    about_these_runs,
    about_tied_documents,
    about_tied_ranks,
    about_uploads,
)
from .descriptive import MOST_ENTRIES, ranking_schemes
from .evidence import Caution, Evidence, Question, RankingSchemes
from .judge_and_people import JudgeAndPeople
from .normal import FEWEST_RUNS, NormalDraws, RunsOfMethods
from .open_answers import about_open_answers


def infer(
    competition: Competition,
    resampled: Sequence[ResampledPart],
    question: Question,
    executor: Executor,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Evidence, ...]:
    """Analyze every metric of every part and, where the parts are tasks, the overall ones first.

    The evidence has the entries that have a score by its metric. ``progress`` is called with the
    metrics analyzed and their number. The first has the cautions about uploads, too. See `analyze`
    for the errors.
    """
    if competition.form == "single":
        question = replace(question, baselines=(), reference_entry=None)
    if competition.form != "teams":  # a participant compares no costs
        question = replace(question, costs=None)
    total = len(competition.overall) + sum(len(part.metrics) for part in resampled)
    analyses = []
    inference = _Inference(competition, resampled, question, executor)
    for done, evidence in enumerate(inference.evidence()):
        if evidence is not None:
            analyses.append(evidence)
        progress(done + 1, total)
    first, *further = _withdrawn_with_tasks(analyses)
    cautions = (
        *about_uploads(competition),
        *about_tied_documents(competition),
        *first.cautions,
        *about_small_scores(first),
        *about_prizes(competition, question),
    )
    return replace(first, cautions=cautions), *further


def _withdrawn_with_tasks(analyses: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield all evidence; a serious caution about a task withdraws the claim of a mean rank."""
    for evidence in analyses:
        tasks = {metric.name for metric in evidence.metric.components}
        code = None
        if evidence.intervals is None:
            of_tasks = [analysis for analysis in analyses if analysis.metric.name in tasks]
            code = _weakened_by(of_tasks)
        if code is None or evidence.verdict.confidence is None:
            yield evidence
            continue
        verdict = replace(evidence.verdict, confidence=None, withdrawn_because=code)
        yield replace(evidence, verdict=verdict)


def _weakened_by(analyses: Sequence[Evidence]) -> str | None:
    """Return the code of the first caution that withdraws a claim; None without one."""
    for evidence in analyses:
        for caution in evidence.cautions:
            if caution.weakens:
                return caution.code
    return None


class _Inference:
    """What the analyses of one competition share."""

    def __init__(
        self,
        competition: Competition,
        resampled: Sequence[ResampledPart],
        question: Question,
        executor: Executor,
    ) -> None:
        self.competition = competition
        self.resampled = resampled
        self.question = question
        self.executor = executor
        self.about_teams = tuple(about_lost_teams(competition))
        self.averages = any(
            isinstance(item.scorer, MeanScorer) for part in resampled for item in part.metrics
        )

    def evidence(self) -> Iterator[Evidence | None]:
        """Yield the evidence about every metric, None if nobody has a score by one over tasks."""
        for evidence in self._analyses():
            if evidence is None or not self.averages or evidence.seed_share is not None:
                yield evidence
            else:
                yield replace(evidence, cautions=(*evidence.cautions, about_these_runs()))

    def _analyses(self) -> Iterator[Evidence | None]:
        overall = self.competition.overall
        for place in range(len(overall)):
            yield self._analyze_overall(place, first=place == 0)
        for part in self.resampled:
            task = part.part.name if self.competition.has_tasks else None
            for place in range(len(part.metrics)):
                first = place == 0 and not overall
                evidence = self._analyze_metric(part, place, first=first)
                cautions = (*evidence.cautions, *self._about_reading(part, place))
                yield replace(evidence, task=task, cautions=cautions)

    def _about_reading(self, resampled: ResampledPart, place: int) -> Iterator[Caution]:
        """Yield what is said of the columns that the ``place``-th metric of a part reads."""
        if self.competition.form != "teams":
            return
        part = resampled.part
        metrics = [m.scorer.metric.name.removeprefix(part.prefix) for m in resampled.metrics]
        yield from about_reading(part.reading, metrics[place], metrics)

    def _named(self, entries: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of entries, and those of their teams."""
        every = self.competition.names
        names = tuple(every[entry] for entry in entries)
        return names, tuple(self.competition.teams.get(name, name) for name in names)

    def _asked(self, names: Sequence[str], teams: Sequence[str], *, first: bool) -> Question:
        """Return the question without the baselines and the reference entry that have no score.

        Costs are those of the entries, by their names here, and not of their teams.

        A margin is a size in the units of the metric that ranks: the ``first``, over all tasks if
        there are several.
        """
        question = self.question
        reference = self.question.reference_entry
        costs = question.costs
        if isinstance(costs, Mapping):
            of_entries = zip(names, teams, strict=True)
            costs = {name: costs[team] for name, team in of_entries if team in costs}
        return replace(
            question,
            costs=costs,
            baselines=tuple(name for name in question.baselines if name in names),
            reference_entry=reference if reference in names else None,
            margin=question.margin if first else None,
        )

    def _analyze_metric(self, resampled: ResampledPart, place: int, *, first: bool) -> Evidence:
        """Analyze the ``place``-th metric of a part."""
        scored = resampled.metrics[place]
        part = resampled.part
        scorer = scored.scorer
        executor = self.executor
        names, teams = self._named(scored.entries)
        asked = self._asked(names, teams, first=first)
        lacking = _lacking([part], scored.entries)
        if not scorer.can_be_drawn:
            from .scores_alone import analyze_scores_alone  # late, as below

            return analyze_scores_alone(scored, names, teams, asked, part.gold.examples)
        counts = partial(resampled.unit_counts, scored.replicates)
        scores = replace(
            metric_scores(scored, names, teams, resampled.design, counts, asked, executor),
            by_position=_by_position(part, scored.entries),
            lacking=lacking,
            distinct=resampled.distinct,
            set_counts=partial(resampled.set_counts, scored.replicates),
            set_influence=_set_influence(scored, resampled.distinct),
            unit_names=part.gold.unit_columns,
        )
        if part.people is not None:
            scores = corrected_by_people(scores, part.people.judged, resampled.design)
        normal = self._normal_draws(scored, resampled.design, asked, names)
        scores, asked = self._with_costs(scores, asked, resampled, scored, normal)
        if normal is not None:
            scores = drawn_normally(scores, normal, asked.seed, _competing(names, asked))
            asked = replace(asked, interval="standard_error")
        # Without predictions of both, a test has nothing to exchange, and no answers to count.
        tests = () if lacking else _tests_that_fit(resampled, scores, asked)
        of_labels = scorer.metric.kind == "labels"
        about_answers = about_open_answers(self.competition) if of_labels else ()
        about_data = (*self.about_teams, *about_answers)
        evidence = analyze(scores, replace(asked, tests=tests), executor, about_data)
        if resampled.slices:
            from .slice_evidence import slice_evidence  # late, as below: few competitions have any

            slices = slice_evidence(resampled, place, evidence, teams, executor)
            evidence = replace(evidence, slices=tuple(slices))
        return self._with_parts_of_scores(evidence, resampled, scorer, asked)

    def _with_parts_of_scores(
        self, evidence: Evidence, resampled: ResampledPart, scorer: Scorer, asked: Question
    ) -> Evidence:
        """Add what the scores are made of, such as runs, people's scores, samples or schemes."""
        names = evidence.names
        if isinstance(scorer, MeanScorer):
            evidence = replace(evidence, run_scores=scorer.run_scores)
        if isinstance(scorer, PeopleScorer):
            # No ranking scheme: ranks of the judge's scores are not corrected.
            beside = _judge_and_people(scorer, evidence, asked, resampled.design)
            return replace(evidence, people=beside)
        of_samples = scorer.metric.sample_variance
        if of_samples is not None and len(scorer.data.y_preds) == len(names):  # no mean over runs
            variance = of_samples(scorer.data, scorer.metric.all_params)
            return replace(evidence, samples=sample_shares(variance, evidence))
        tied_ranks = about_tied_ranks(
            names,
            evidence.metric.label,
            evidence.scores.leaders,
            _leaders_by_better_ranks(scorer, evidence),
        )
        return replace(
            evidence,
            cautions=(*evidence.cautions, *tied_ranks),
            schemes=_schemes(resampled, scorer, evidence),
        )

    def _with_costs(
        self,
        scores: MetricScores,
        question: Question,
        resampled: ResampledPart,
        scored: ScoredMetric,
        normal: NormalDraws | None,
    ) -> tuple[MetricScores, Question]:
        """Return the scores with the costs on the units, and the question with their means.

        Both stay as they are where costs were not measured. Raises SettingsError if the scores are
        drawn in another way than costs on units can be.
        """
        part = resampled.part
        if part.costs is None or question.costs is None:
            return scores, question
        if normal is not None:
            raise SettingsError(
                "costs: a column of costs needs units that are drawn with replacement, and folds "
                "or two kinds of groups are not; give each system's cost, as in "
                "'costs: {A: 0.12, B: 0.5}'"
            )
        target = target_of(part.costs, part.gold)
        assert target is not None
        names = list(scores.names)
        entries = [part.entries[entry] for entry in scored.entries]
        costs = [entry.predictions[target] for entry in entries if entry is not None]
        scorer = bind(part.costs, np.zeros(part.gold.n), costs, names=names)
        design = resampled.design
        counts = partial(resampled.unit_counts, scored.replicates)
        drawn = []
        for of_units in counts():
            of_rows = of_units if design.units is None else of_units[:, design.units]
            drawn.append(scorer.replicate(of_rows).values)
        means = ScoredMetric(scorer, scored.entries, Replicates(np.concatenate(drawn), 0))
        measured = metric_scores(
            means, names, scores.teams, design, counts, question, self.executor
        )
        of_entries = dict(zip(names, scorer.observed.tolist(), strict=True))
        return replace(scores, costs=measured), replace(question, costs=of_entries)

    def _normal_draws(
        self, scored: ScoredMetric, design: Design, asked: Question, names: Sequence[str]
    ) -> NormalDraws | None:
        """Return the variance of scores that no resample of units repeats; else None."""
        if isinstance(asked.folds, Folds):
            return _of_folds(scored.scorer, design, asked.folds, _competing(names, asked))
        if design.is_crossed:
            return _of_crossed_groups(scored.scorer, design, _competing(names, asked))
        return self._crossed_with_seeds(scored, design, asked, names)

    def _crossed_with_seeds(
        self, scored: ScoredMetric, design: Design, asked: Question, names: Sequence[str]
    ) -> NormalDraws | None:
        """Return the variance of means over runs if they tell of methods; else None."""
        scorer = scored.scorer
        if not isinstance(scorer, MeanScorer) or asked.seeds != "cross":
            return None
        sizes = scorer.sizes
        competing = _competing(names, asked)
        if self.competition.has_tasks or (sizes[competing] < FEWEST_RUNS).any():
            return None
        of_runs = ScoredMetric(scorer.runs, (), scored.drawn)
        influence = influence_of(of_runs, design, asked, self.executor)()
        if influence is None:  # a metric without influence values, or of too many evaluations
            return None
        units = design.grouping.of_units
        runs = RunsOfMethods(influence * units.examples, scorer.runs.observed, sizes)
        return NormalDraws.of_seeds(runs, competing, units)

    def _analyze_overall(self, place: int, *, first: bool) -> Evidence | None:
        """Analyze the ``place``-th metric over tasks.

        None if nobody can be compared, because so few have a score in all tasks that it needs. The
        number of examples, or of groups, is that of the task with the fewest.
        """
        from .mean_ranks import analyze_mean_rank  # late: few competitions have tasks
        from .overall_units import OverallUnits

        metric = self.competition.overall[place]
        resampled = self.resampled
        question = self.question
        every, teams = self._named(range(len(self.competition.names)))
        scores = overall_scores(
            metric,
            [part.metrics for part in resampled],
            [name not in question.baselines for name in every],
            worst_if_missing=question.missing_task == "worst",
            teams=teams,
        )
        if scores is None or self._is_alone(scores, ranks_all=place == 0):
            return None
        units = OverallUnits.from_tasks(scores, resampled, question, self.executor)
        names, teams = self._named(units.scores.entries)
        asked = self._asked(names, teams, first=first)
        if metric.function == MEAN_RANK:
            evidence = analyze_mean_rank(units, names, teams, asked)
        else:
            lacking = _lacking([task.part for task in units.tasks], units.scores.entries)
            # The jackknife, which BCa needs, leaves out examples of one test set.
            interval = "percentile" if question.interval == "bca" else question.interval
            asked = replace(asked, interval=interval, tests=())
            unit_names = [name for task in units.tasks for name in task.part.gold.unit_columns]
            scores_of_all = replace(
                units.metric_scores(names, teams, lacking),
                unit_names=tuple(dict.fromkeys(unit_names)),
            )
            evidence = analyze(scores_of_all, asked, self.executor, self.about_teams)
        names, teams = self._named(scores.entries)
        label = evidence.metric.label
        anonymous_teams = self.competition.anonymous_teams
        leaders_without = {
            anonymous_teams.get(team, team): leaders
            for team, leaders in scores.leaders_without(teams).items()
        }
        cautions = [*about_leaving(names, label, leaders_without)]
        if metric.function == MEAN_RANK:
            by_better_ranks = scores.leaders_by_better_ranks
            cautions += about_tied_ranks(names, label, scores.leaders, by_better_ranks)
        return replace(evidence, cautions=(*evidence.cautions, *cautions))

    def _is_alone(self, scores: OverallScores, *, ranks_all: bool) -> bool:
        """Whether there is nobody to compare with by a metric over tasks.

        A method that compares teams needs two of them. The metric that ``ranks_all`` ranks nobody
        if all others lack a task; a single submission has its score, for the leaderboard.
        """
        teams = {*self._named(scores.entries)[1]}
        if scores.metric.function in RELATIVE:
            return len(teams) < 2
        return ranks_all and self.competition.form == "teams" and len(scores.entries) < 2


def _competing(names: Sequence[str], question: Question) -> Bools:
    """Return which entries [m] can win."""
    return np.array([name not in question.baselines for name in names], np.bool_)


def _judge_and_people(
    scorer: PeopleScorer, evidence: Evidence, question: Question, design: Design
) -> JudgeAndPeople:
    """Return what people's scores say beside the judge's."""
    leader = evidence.scores.leader
    is_competing = _competing(evidence.names, question)
    competing = np.flatnonzero(is_competing)
    return JudgeAndPeople.from_scorer(
        scorer,
        leader,
        competing[competing != leader],
        competing=is_competing,
        groups=design.units,
        alpha=1 - question.confidence,
    )


def _of_folds(scorer: Scorer, design: Design, folds: Folds, competing: Bools) -> NormalDraws:
    """Return the variance of means of scores on folds.

    Raises
    ------
    SettingsError
        The metric is no mean over units.
    """
    influence = scorer.influence(None, design.size)
    if influence is None or not scorer.metric.of_scores:
        raise SettingsError(
            f"folds: they are for means of scores, and {scorer.metric.name!r} is none; choose "
            "mean_score, or leave 'folds' out"
        )
    return NormalDraws.of_folds(influence * design.size, folds, competing)


def _of_crossed_groups(scorer: Scorer, design: Design, competing: Bools) -> NormalDraws | None:
    """Return the variance of scores of lines that belong to two groups each.

    None of so many lines of so many entries that both kinds of groups are drawn instead.
    """
    assert design.units is not None
    influence = scorer.influence(None, design.size)
    if influence is None:
        return None
    first, second = design.units
    return NormalDraws.of_crossed_groups(influence, (first, second - second.min()), competing)


def _tests_that_fit(
    resampled: ResampledPart, scores: MetricScores, asked: Question
) -> tuple[str, ...]:
    """Return the tests for a metric: McNemar's is for metrics that count what is right.

    If the part has none of those, the test stays, and `analyze` says why it cannot be done.
    """
    if scores.correct is None and _counts_right(resampled):
        return tuple(test for test in asked.tests if test != "mcnemar")
    return tuple(asked.tests)


def _counts_right(resampled: ResampledPart) -> bool:
    """Whether some metric counts right and wrong predictions, or scores of 0 and 1."""
    return any(item.scorer.diagnostics.correct is not None for item in resampled.metrics)


def _set_influence(
    scored: ScoredMetric, distinct: DistinctRows | None
) -> Callable[[DistinctRows], Floats | None] | None:
    """Return what returns the influence values of sets of equal rows, if these are drawn."""
    if distinct is None:
        return None
    return cache(lambda sets: scored.runs.influence_of_sets(sets.first, sets.sizes))


def _lacking(parts: Sequence[Part], entries: Sequence[int]) -> list[int]:
    """Return the places among ``entries`` of those without predictions in some of the parts."""
    none = {entry for part in parts for entry in entries if part.entries[entry] is None}
    return [place for place, entry in enumerate(entries) if entry in none]


def _by_position(part: Part, entries: Sequence[int]) -> list[int]:
    """Return the places among ``entries`` of those whose rows were matched by position, not id."""
    sent = [part.entries[entry] for entry in entries]
    return [place for place, entry in enumerate(sent) if entry and entry.by_position]


def _leaders_by_better_ranks(scorer: Scorer, evidence: Evidence) -> tuple[int, ...]:
    """Return who would lead if ties within units shared the better rank.

    They are those who lead where ranks within units do not rank, or where not all that were
    ranked are here.
    """
    leaders = evidence.scores.leaders
    if evidence.metric.function != UNIT_RANK or len(scorer.data.y_preds) != len(evidence.names):
        return leaders
    ranks = np.array(scorer.data.y_preds).T  # [n, m]
    size = ranks.shape[1]
    if (ranks.sum(axis=1) != size * (size + 1) / 2).any():
        return leaders
    everyone = np.ones(size, np.bool_)
    ahead, _ = counted_ahead(ranks, everyone)
    competing = np.delete(np.arange(size), list(evidence.scores.baselines))
    sums = ahead.sum(axis=0)[competing]
    return tuple(competing[sums == sums.min()].tolist())


def _schemes(resampled: ResampledPart, scorer: Scorer, evidence: Evidence) -> RankingSchemes | None:
    """Return the schemes of the first metric that aggregates a column of scores made elsewhere."""
    metric = evidence.metric
    order = evidence.scores.order
    of_column = (
        candidate.name
        for candidate in resampled.part.metrics
        if candidate.of_scores
        and candidate.function != UNIT_RANK
        and candidate.column == metric.column
    )
    if order.size > MOST_ENTRIES or not metric.of_scores or next(of_column, None) != metric.name:
        return None
    competing = order[~np.isin(order, evidence.scores.baselines)]
    cases = np.array([scorer.data.y_preds[i] for i in competing]).T
    if np.isnan(cases).any():  # the other schemes need a score of every entry on every unit
        return None
    better = metric.greater_is_better
    confidence = evidence.question.confidence
    units = resampled.design.units
    return ranking_schemes(
        cases, competing, greater_is_better=better, confidence=confidence, units=units
    )
