"""Warnings about the results, each with its number; a healthy competition has none.

A comparison that is not reliable is in no family of tests (`reliable`), which makes the list of
possible winners longer and leaves the confidence. So what makes single comparisons unreliable is no
serious caution. Serious is what no family can mend.

The limits come from simulated coverage: 95% intervals of F1 with 5 / 10 / 20 / 50 positives cover
.91 / .94 / .95 / .95, of AUC .76 / .85 / .91 / .94; with 20 groups percentile intervals cover .92.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ..core.arrays import Bools, Ints, distinct, median
from ..core.errors import InternalError
from ..core.folds import Folds
from ..core.phrases import EXAMPLES_SHOWN, Phrase, Value, gettext_noop, ngettext_noop
from ..data.competition import NOT_CONNECTED, Competition
from ..metrics import without_formulas
from ..reading.formats.tied_scores import BY_NAME
from ..reading.names import lookalikes, same_when_read
from ..recognize.reading_record import Reading
from ..recognize.tables_of_scores.score_names import names_folds
from ..scoring.diagnostics import SURELY
from .basis import Basis, MetricScores
from .comparing.comparisons import skewness, tail_limits
from .comparing.reliable import FEW_EXAMPLES, about_sharing, needed_resamples
from .comparing.standing import Contest, References
from .evidence import (
    CORRECTIONS,
    Caution,
    Comparisons,
    EntryIntervals,
    Evidence,
    Question,
    Standing,
    Verdict,
)
from .normal import CROSSED, FEWEST_RUNS, FOLDS

FEW_MINORITY_RED = 10
FEW_MINORITY_AMBER = 30
FEW_MINORITY_AMBER_SCORES = 50
FEW_GROUPS_RED = 20
FEW_GROUPS_AMBER = 100
#: The same of crossed groups, whose tests have a t distribution.
FEW_CROSSED_GROUPS = 4
#: Below these shares of the right width, intervals within strata are too narrow.
NARROW_RED = 0.9
NARROW_AMBER = 0.95
#: From this share of resamples on, those on which a metric is undefined are many.
MANY_UNDEFINED = 0.05
#: A possible winner is far worse than the leader if its score is so many times as bad, or so many
#: MADs from the median of at least so many teams: below .005 in fields of equal, normal scores.
FAR_TIMES = 10
FAR_MADS = 15
FAR_TEAMS = 6
#: Below this, ten decimals leave two significant digits at most.
_SMALL = 1e-8
#: An error is enormous for an entry that is so many times as large as any of its own.
FAR_LARGER = 3
#: What else makes intervals and p-values approximate where there are few examples: that says it.
_OF_FEW_EXAMPLES = ("few_minority_examples", "heavy_tails")

#: What is said of numbers, labels and scores that stand for others.
_OTHER_UNIT = gettext_noop(
    "The numbers of {entries} go with the correct ones, but are further from them than one "
    "number for all {things} would be: they may be in another unit, or logarithms, "
    "percentages or negative. Ask before you name winners."
)
_OTHER_NAMES = gettext_noop(
    "The labels of {entries} tell the correct ones apart, but each under another name: two may be "
    "swapped, or all counted from another number. Ask before you name winners."
)
_OTHER_LETTERS = gettext_noop(
    "Most texts of {entries} match only if capital letters, spaces and signs do not count. Ask "
    "before you name winners, or choose a metric that ignores them."
)
_OTHER_SCHEME = gettext_noop(
    "Most entities of {entries} that match have other tags than in the reference data, as in BIOES "
    "instead of BIO, and count as wrong. Ask for the same scheme before you name winners, or rank "
    "by entity_f1, which reads every scheme."
)
_OTHERS = {
    "numbers": _OTHER_UNIT,
    "labels": _OTHER_NAMES,
    "text": _OTHER_LETTERS,
    "tags": _OTHER_SCHEME,
}
_SAME_PREDICTIONS = gettext_noop("{entries} have identical predictions.")
_SAME_SCORES = gettext_noop("{entries} have identical scores.")
#: What is said of possible winners that score far worse: where a few units decide, and elsewhere.
_FAR_BY_FEW = ngettext_noop(
    "{entries} may be as good as the leader, {leader} ({score:n}), or better by {metric}, although "
    "its score is far worse: a few {things} decide the difference, so no test excludes it. Look at "
    "these {things} before you name winners.",
    "{entries} may be as good as the leader, {leader} ({score:n}), or better by {metric}, although "
    "their scores are far worse: a few {things} decide the differences, so no test excludes them. "
    "Look at these {things} before you name winners.",
)
_FAR = ngettext_noop(
    "{entries} may be as good as the leader, {leader} ({score:n}), or better by {metric}, although "
    "its score is far worse: it is so uncertain that no test excludes it. Look at where it fails "
    "before you name winners.",
    "{entries} may be as good as the leader, {leader} ({score:n}), or better by {metric}, although "
    "their scores are far worse: they are so uncertain that no test excludes them. Look at where "
    "they fail before you name winners.",
)
#: What is said of counted p-values that cannot be significant.
_COUNTED = ngettext_noop(
    "With {resamples:n} resamples and {count:n} comparison in {family}, no p-value "
    "adjusted by Bonferroni or Holm can fall below {smallest:n}, and the significance "
    "level is {alpha:n}. Use max-T or more resamples.",
    "With {resamples:n} resamples and {count:n} comparisons in {family}, no p-value "
    "adjusted by Bonferroni or Holm can fall below {smallest:n}, and the significance "
    "level is {alpha:n}. Use max-T or more resamples.",
)
_COUNTED_BESIDE_MAX_T = ngettext_noop(
    "With {resamples:n} resamples and {count:n} comparison in {family}, no p-value "
    "adjusted by Bonferroni or Holm can fall below {smallest:n}, and the significance "
    "level is {alpha:n}. Who is tied does not depend on them; more resamples allow smaller ones.",
    "With {resamples:n} resamples and {count:n} comparisons in {family}, no p-value "
    "adjusted by Bonferroni or Holm can fall below {smallest:n}, and the significance "
    "level is {alpha:n}. Who is tied does not depend on them; more resamples allow smaller ones.",
)
_PERCENTAGES = gettext_noop(
    "The scores of {entries} look like percentages, and those of all others like fractions. Ask "
    "before you name winners."
)
_OTHER_CLASS = gettext_noop(
    "The scores of {entries} are higher for another class than for the one that they count for: "
    "they may be of that class, or their columns in another order. Ask before you name winners, or "
    "for one column for each class, called like it."
)


def cautions_of(
    basis: Basis,
    entries: EntryIntervals,
    references: References,
    pairs: Comparisons,
    contest: Contest,
) -> tuple[Caution, ...]:
    """Return every caution about one metric, red ones first.

    ``contest`` is what the tests show of all runs, and ``pairs`` compares all entries that are
    shown. If the tie rule uses p-values, the page shows the p-values of all pairs,
    adjusted as one family; otherwise only those against the reference.
    Neither family contains comparisons with baselines.
    """
    scores = basis.scores
    field = basis.field
    against = references.differences
    rivals = int(np.count_nonzero(field.competing))
    rule = basis.question.tie_rule
    size = rivals * (rivals - 1) // 2
    family = Phrase("the family of all pairs")
    if rule not in CORRECTIONS:
        size = rivals - int(field.competing[against.first[0]])
        family = Phrase("the family of comparisons with the leader")
    disagreements = None if scores.diagnostics is None else scores.diagnostics.disagreements
    cautions = [
        *_about_predictions(scores, field.competing),
        *_about_folds(scores, basis.question.folds),
        *_about_sample(scores),
        *_about_strata(scores, studentized=contest.draws.why is not None),
        *_about_resamples(scores),
        *_about_tails(basis, references),
        *_about_extremes(scores),
        *_about_counting(size, family, basis.bootstrap.resamples, basis.question.alpha, rule),
        *_about_scores(scores, entries.used),
        *_about_shifted_intervals(basis, entries),
        *_about_pairs(scores, pairs, disagreements),
        *about_sharing(scores),
        *_about_names(scores.names),
        *about_enormous_errors(needed_resamples(basis.tested), basis.bootstrap.resamples),
        *about_influence([basis.tested]),
        *_about_rare_errors(basis.tested, contest.may_be_best),
    ]
    if any(caution.code == "few_examples" for caution in cautions):
        cautions = [
            caution
            for caution in cautions
            if caution.level == "red" or caution.code not in _OF_FEW_EXAMPLES
        ]
    return red_first(cautions)


def red_first(cautions: Iterable[Caution]) -> tuple[Caution, ...]:
    """Return cautions with the serious ones first."""
    return tuple(sorted(cautions, key=lambda caution: caution.level != "red"))


def about_these_runs() -> Caution:
    """Warn that means over few runs say nothing of other seeds."""
    sentence = Phrase(
        "A team's score is the mean over its runs, and only {things} are resampled: the confidence "
        "is about these submissions on other {things}. With other seeds, another team may be "
        "first. Where every competing team has {fewest:n} runs or more, the tests allow for seeds, "
        "unless the setting seeds is ignore, there are several tasks, or the metric has no "
        "influence values.",
        fewest=FEWEST_RUNS,
    )
    return Caution("amber", "these_runs", FEWEST_RUNS, sentence)


def about_small_scores(evidence: Evidence) -> Iterator[Caution]:
    """Warn about scores by which the platform ranks, and which its ten decimals print alike."""
    metric = evidence.metric
    scores = evidence.scores
    small = np.abs(scores.score) < _SMALL
    ranked = scores.rank[small]
    printed = scores.score[small].round(10)
    if distinct(ranked).size > distinct(printed).size:
        digits = math.ceil(-math.log10(np.abs(scores.score[small]).max()))
        sentence = Phrase(
            "Scores by {metric} are so small that the ten decimals of scores.txt print different "
            "ones alike. Rank by a formula that scales them, such as {formula}.",
            metric=metric.label,
            formula=f"1e{digits} * {metric.name}",
        )
        yield Caution("amber", "small_scores", int(small.sum()), sentence)


def about_uploads(competition: Competition) -> Iterator[Caution]:
    """Warn about all entries, whatever the metric: names, internal errors, who met whom.

    Names that are the same when read are serious: readers, and the organizer, take one team for
    another. An entry that is no run has its team's name. Anonymous entries are named as shown.
    """
    if competition.form != "teams":
        return
    first: dict[str, str] = {}  # team → its first entry
    for name in competition.names:
        first.setdefault(competition.teams.get(name, name), name)
    if groups := same_when_read(first):
        listed = []
        for teams in groups:
            entries_of_teams = [first[team] for team in teams]
            listed.append(_together(entries_of_teams))
        sentence = Phrase(
            "These teams are different ones, and their names differ only in case, spaces or "
            "characters that look the same: {groups}. One may pass itself off as the other: "
            "look at whose uploads they are before you name winners.",
            groups=tuple(listed),
        )
        yield Caution("red", "same_names", len(groups), sentence)
    for note in competition.notes:
        if note.is_made_of(NOT_CONNECTED):
            yield Caution("amber", "not_connected", len(competition.names), note)
    names = [item.name for item in competition.unusable if _is_internal(item.reason)]
    names += [competition.names[i.entry] for i in competition.unscored if _is_internal(i.reason)]
    if names:
        entries = tuple(dict.fromkeys(names))
        sentence = Phrase(
            "{count:n} submission lacks a score because of an error of this program: "
            "{entries}. Its reason states a number; please report it, and do not publish the "
            "ranking without this submission.",
            "{count:n} submissions lack a score because of an error of this program: "
            "{entries}. Their reasons state a number; please report it, and do not publish "
            "the ranking without these submissions.",
            count=len(entries),
            entries=entries,
        )
        yield Caution("red", "internal_errors", len(entries), sentence)


def about_lost_teams(competition: Competition) -> Iterator[Caution]:
    """Warn if most teams have no score: a winner of the few others may not be the best.

    It is serious, and withdraws the claim. If what can be scored does not depend on how good a team
    is, the best one has a score in less than half of such competitions.
    """
    sent = competition.teams_sent
    lost = competition.teams_without_score
    if competition.form != "teams" or 2 * lost <= sent:
        return
    sentence = Phrase(
        "Only {scored:n} of {sent:n} teams have a score. The best one may be among the others, and "
        "the cause may be the reference data or what participants were asked to send. Look at the "
        "reasons, and score again, before you name winners.",
        scored=sent - lost,
        sent=sent,
    )
    yield Caution("red", "lost_teams", lost, sentence)


def about_tied_documents(competition: Competition) -> Iterator[Caution]:
    """Warn of runs in which names decide between documents with equal scores, against the ranks."""
    queries: Counter[str] = Counter()
    for part in competition.parts:
        for entry in filter(None, part.entries):  # some may lack a part
            for note in entry.notes:
                count = note.values.get("count")
                if note.is_made_of(BY_NAME) and isinstance(count, int):
                    queries[entry.name] += count
    if not queries:
        return
    sentence = Phrase(
        "The name of a document decides, not its rank in the file, where documents have equal "
        "scores, as in trec_eval. In brackets is the number of queries in which this changes the "
        "order: {entries}. Scores that differ for every document of a query let ranks decide.",
        entries=tuple(f"{name} ({count})" for name, count in queries.items()),
    )
    yield Caution("amber", "tied_documents", sum(queries.values()), sentence)


def about_reading(
    reading: Reading | None, metric: str, metrics: Collection[str]
) -> Iterator[Caution]:
    """Warn about columns that a metric reads, and that were chosen by their names alone.

    ``metrics`` are all that are shown. What concerns none of them, such as an ingredient of a
    formula, is said of each.
    """
    for decision, concerned in () if reading is None else reading.doubtful:
        if metric not in concerned and not {*concerned}.isdisjoint(metrics):
            continue
        sentence = Phrase(
            "The column {column} was read by its name alone; {rivals} could be meant, too. If "
            "it is right, state it: deadheat read INPUT --freeze.",
            column=str(decision.value),
            rivals=decision.rivals,
        )
        yield Caution("amber", "read_by_name", len(decision.rivals), sentence)


def about_prizes(competition: Competition, question: Question) -> Iterator[Caution]:
    """Warn if there are as many prizes as teams that can win, or more.

    A field grows, and may still be small.
    """
    if question.prizes is None or competition.form != "teams":
        return
    competing = [name for name in competition.names if name not in question.baselines]
    teams = len({competition.teams.get(name, name) for name in competing})
    if question.prizes < teams:
        return
    sentence = Phrase(
        "Only {count:n} team can win, so it is sure of one of the first {prizes:n} places. Set "
        "fewer prizes, or none.",
        "Only {count:n} teams can win, so all of them are sure of one of the first {prizes:n} "
        "places. Set fewer prizes, or none.",
        count=teams,
        prizes=question.prizes,
    )
    yield Caution("amber", "prizes_for_all", question.prizes, sentence)


def _is_internal(reason: Phrase) -> bool:
    return reason.is_made_of(InternalError.sentence)


def about_leaving(
    names: Sequence[str], metric: str | Phrase, leaders_without: Mapping[str, Sequence[int]]
) -> Iterator[Caution]:
    """Warn about teams whose leaving changes who leads: team → numbers of the leaders without it.

    Ranks, medians and spreads depend on everybody who takes part, so an entry that is sent for that
    purpose can decide which of two others leads.
    """
    if leaders_without:
        cases = []
        for team, numbers in leaders_without.items():
            leaders = _together([names[i] for i in numbers])
            cases.append(Phrase("{leaders} without {team}", team=team, leaders=leaders))
        sentence = Phrase(
            "Who leads by {metric} depends on which other teams take part. It would be {cases}.",
            cases=tuple(cases),
            metric=metric,
        )
        yield Caution("amber", "leader_depends", len(cases), sentence)


def about_tied_ranks(
    names: Sequence[str],
    metric: str | Phrase,
    leaders: Collection[int],
    leaders_by_better_ranks: Collection[int],
) -> Iterator[Caution]:
    """Warn if others would lead by a mean of ranks in which ties share the better rank."""
    if set(leaders) == set(leaders_by_better_ranks):
        return
    would_lead = [names[entry] for entry in leaders_by_better_ranks]
    sentence = Phrase(
        "Ties share the average rank. If they shared the better rank, as in challengeR, {leaders} "
        "would be first by {metric}.",
        leaders=_together(would_lead),
        metric=metric,
    )
    yield Caution("amber", "tied_ranks", len(would_lead), sentence)


def _subject(names: Sequence[str]) -> Value:
    """Return the names as a sentence takes them: "A and B", and of many only the first."""
    return tuple(names) if len(names) > EXAMPLES_SHOWN else _together(names)


def _together(names: Sequence[str]) -> str | Phrase:
    """Return the names as one item of a list."""
    if len(names) == 1:
        return names[0]
    return Phrase("{first} and {last}", first=tuple(names[:-1]), last=names[-1])


def about_enormous_errors(needed: int | None, resamples: int) -> Iterator[Caution]:
    """Warn if the resamples are too few to see through enormous errors: ``needed`` says of that."""
    if needed is not None:
        sentence = Phrase(
            "Some differences have heavy tails, and {resamples:n} resamples are too few to "
            "see whether an entry with a few enormous errors only appears to be tied. Use at "
            "least {needed:n}.",
            resamples=resamples,
            needed=needed,
        )
        yield Caution("amber", "enormous_errors", needed, sentence)


def about_influence(bases: Sequence[Basis]) -> Iterator[Caution]:
    """Warn where the rules for few units, heavy tails or enormous errors cannot act.

    ``bases`` are those of the runs that are tested: one, or those of the tasks behind a mean rank.
    """
    basis = max(bases, key=lambda basis: basis.resamples_for_influence or 0)
    needed = basis.resamples_for_influence
    if needed:
        sentence = Phrase(
            "{resamples:n} resamples are too few to tell whether a few {things} decide "
            "differences in {metric}. So no test allows for small test sets, heavy tails or "
            "enormous errors, and ties, places and distances are not reliable. Use at "
            "least {needed:n} resamples, and a time budget that is enough for them.",
            metric=basis.scores.metric.label,
            resamples=basis.bootstrap.resamples,
            needed=needed,
        )
        yield Caution("red", "unknown_influence", needed, sentence)


def _about_predictions(scores: MetricScores, competing: Bools) -> Iterator[Caution]:
    """Warn about predictions that may have been read otherwise than they are meant.

    What is serious is asked of the entries that are ``competing`` [m]: a baseline withdraws nothing
    of what is said of the others, and gives nothing back.
    """
    yield from _about_matching(scores, competing)
    ranked = scores.predicted & competing  # those on which the ranking rests
    yield from _about_directions(scores, ranked)

    # Entries that count positions otherwise than the gold; serious if all do.
    moved = None if scores.diagnostics is None else scores.diagnostics.moved
    if moved is not None and moved.any():
        sentence = Phrase(
            "Most spans of {entries} match the reference data if their ends, or all positions, are "
            "moved by one: is the last character part of a span, and is the first one 0 or 1? "
            "Agree on this before you name winners.",
            entries=named(scores.names, moved),
        )
        everybody = ranked.any() and moved[ranked].all()
        yield Caution("red" if everybody else "amber", "moved_spans", int(moved.sum()), sentence)

    # Numbers, labels or scores that stand for others. It is serious if all look so, and where those
    # that do, or others, are sure to lead by it.
    rescaled = None if scores.diagnostics is None else scores.diagnostics.rescaled
    if rescaled is not None and rescaled.any():
        template = _OTHERS.get(scores.metric.kind, _OTHER_CLASS)
        serious = scores.metric.kind == "tags" or bool(rescaled[ranked].all())
        if scores.metric.of_scores:
            template = _PERCENTAGES
            serious = scores.metric.greater_is_better
        serious = serious and bool(rescaled[ranked].any())
        sentence = Phrase(template, entries=named(scores.names, rescaled))
        yield Caution("red" if serious else "amber", "other_scale", int(rescaled.sum()), sentence)


def _about_matching(scores: MetricScores, competing: Bools) -> Iterator[Caution]:
    """Warn where rows of some entries are matched by id, and those of others by position."""
    # Nothing shows whether rows without ids are in the order of the test set.
    by_position = tuple(scores.names[place] for place in scores.by_position)
    if 0 < len(by_position) < len(scores.names):
        sentence = Phrase(
            "The rows of {entries} were matched by position, because they have no ids, and "
            "those of the others by id: nothing shows whether they are in the order of the "
            "reference data. Ask for files with ids before you name winners.",
            entries=by_position,
        )
        apart = np.isin(np.arange(competing.size), scores.by_position)[competing]
        level = "red" if 0 < np.count_nonzero(apart) < apart.size else "amber"
        yield Caution(level, "read_differently", len(by_position), sentence)


def _about_directions(scores: MetricScores, ranked: Bools) -> Iterator[Caution]:
    """Warn about scores that are surely worse than chance: the predictions may be reversed."""
    if (chance := scores.metric.no_skill) is not None:
        errors = scores.replicates.values.std(axis=0, ddof=1)
        short = chance - scores.observed
        reversed_ = (short > 0) & (short > SURELY * errors) & scores.predicted
        if reversed_.any():
            worst = float(scores.observed[reversed_].min())
            sentence = Phrase(
                "{metric} of {entries} is worse than chance ({score:n}; predictions that tell "
                "nothing have {chance:n}), so the direction looks reversed: a higher prediction "
                "may stand for less, or two labels may be swapped.",
                entries=named(scores.names, reversed_),
                score=round(worst, 4),
                chance=chance,
                metric=scores.metric.label,
            )
            # Where nobody is better than chance, the order of the leaderboard may be reversed.
            nobody = bool((short[ranked] > 0).all() and reversed_[ranked].any())
            yield Caution("red" if nobody else "amber", "reversed", round(worst, 4), sentence)


def _about_extremes(scores: MetricScores) -> Iterator[Caution]:
    """Warn about a score that a single example decides, for which the bootstrap is inconsistent."""
    if any(metric.extreme for metric in without_formulas([scores.metric])):
        sentence = Phrase(
            "{metric} rests on a single {thing}, the one with the largest error. Resampling "
            "cannot tell how large that error would be on other {things}, so intervals, "
            "p-values, ties, places and distances are not reliable.",
            metric=scores.metric.name,
        )
        yield Caution("red", "single_example", 1, sentence)


def _about_folds(scores: MetricScores, stated: Folds | str | None) -> Iterator[Caution]:
    """Warn about units that are called folds, of which nothing says how they came about."""
    named_so = [name for name in scores.unit_names if names_folds(name)]
    if stated is None and named_so:
        sentence = Phrase(
            "Folds share training data, so no confidence follows from them ({columns}). State "
            "folds: {stated}, or give a score for every prediction instead of every fold. If these "
            "units are independent, state folds: none.",
            columns=tuple(named_so),
            stated="{repeats: r, folds: k}",
        )
        yield Caution("red", "folds", scores.n, sentence)


def _about_strata(scores: MetricScores, *, studentized: bool) -> Iterator[Caution]:
    """Warn about strata of few units, within which resamples vary too little.

    The variance of a mean of n units that are drawn with replacement from themselves is (n − 1)/n
    of the estimate without bias, in every stratum. Of N units in H strata that vary alike, it is
    1 − H/N. Sources: Efron 1982, "The Jackknife, the Bootstrap and Other Resampling Plans"; Rao and
    Wu 1988, "Resampling Inference With Complex Survey Data", Journal of the American Statistical
    Association 83. Where the draws of the families are ``studentized``, possible winners are kept
    as often as stated all the same, though intervals and p-values are as said (checks 56).
    """
    if scores.strata is None or scores.normal_source is not None:
        return
    strata = np.unique(scores.strata).size
    units = scores.strata.size if scores.of_units is None else scores.of_units.examples
    width = math.sqrt(1 - strata / units)
    if width >= NARROW_AMBER:
        return
    sentence = Phrase(
        "The {strata:n} strata hold {mean:n} units on average, and resamples of so few vary too "
        "little: intervals are about {percent:p} too narrow, and p-values are too small. Join "
        "strata that are alike.",
        strata=strata,
        mean=round(units / strata, 1),
        percent=round(100 * (1 - width)),
    )
    serious = width < NARROW_RED and not studentized
    yield Caution("red" if serious else "amber", "small_strata", round(width, 3), sentence)


def _about_sample(scores: MetricScores) -> Iterator[Caution]:
    """Warn about few examples, few groups or few examples of the rarest class."""
    yield from _about_minority(scores)
    groups = scores.groups_in_effect
    n = scores.n
    least = FEW_GROUPS_RED
    enough = FEW_GROUPS_AMBER
    if scores.normal_source == CROSSED:
        # The t distribution allows for few groups, but not for so few.
        least = enough = FEW_CROSSED_GROUPS
    if groups is not None and groups < enough:
        few = groups < least
        rounded_groups = round(groups, 1)
        number = scores.groups or 0
        if rounded_groups == number and scores.people is not None:
            counted = Phrase("People scored only {groups:n} groups", groups=number)
        elif rounded_groups == number:
            counted = Phrase("There are only {groups:n} groups", groups=number)
        else:
            counted = Phrase(
                "The {groups:n} groups count for {effective:n} groups of equal size",
                groups=number,
                effective=rounded_groups,
            )
        sentence = Phrase(
            "{groups}, fewer than {limit:n}: intervals and p-values rest on few independent units.",
            groups=counted,
            limit=least if few else enough,
        )
        yield Caution("red" if few else "amber", "few_groups", rounded_groups, sentence)
    elif scores.people is not None and scores.people < FEW_EXAMPLES:
        approximate = Phrase(
            "People scored only {count:n} {things}, fewer than {limit:n}: intervals and p-values "
            "are approximate.",
            count=scores.people,
            limit=FEW_EXAMPLES,
        )
        yield Caution("amber", "few_examples", scores.people, approximate)
    elif n < FEW_EXAMPLES and scores.normal_source not in (FOLDS, CROSSED):
        sentence = Phrase(
            "Only {count:n} {thing}, fewer than {limit:n}: intervals and p-values are approximate.",
            "Only {count:n} {things}, fewer than {limit:n}: intervals and p-values are "
            "approximate.",
            count=n,
            limit=FEW_EXAMPLES,
        )
        yield Caution("amber", "few_examples", n, sentence)


def _about_minority(scores: MetricScores) -> Iterator[Caution]:
    """Warn about few examples of the rarest class, or few errors of an entry.

    Few examples of a class are serious where the metric is a mean over classes: what an entry
    scores in that class counts as much as the rest, and the test set does not show it.
    """
    metric = scores.metric
    diagnostics = scores.diagnostics
    if diagnostics is None:
        return
    errors = diagnostics.errors
    averaged = diagnostics.averaged
    if scores.correct is not None:
        errors = np.count_nonzero(~scores.correct, axis=0)
    if errors is not None:
        number = int(errors.min())
        what = ngettext_noop("{count:n} error", "{count:n} errors")
    elif diagnostics.minority is not None:
        number = diagnostics.minority
        what = ngettext_noop(
            "{count:n} minority-class example", "{count:n} minority-class examples"
        )
    else:
        return
    enough = FEW_MINORITY_AMBER_SCORES if metric.kind == "scores" else FEW_MINORITY_AMBER
    if averaged and number < FEW_MINORITY_RED:
        yield Caution(
            "red", "few_class_examples", number, _of_the_smallest_class(number, metric.label)
        )
    elif number < enough:
        examples = Phrase(*what, count=number)
        sentence = Phrase(
            "Only {examples}, fewer than {limit:n}: the intervals of {metric} may be narrower "
            "than they should be.",
            examples=examples,
            limit=enough,
            metric=metric.label,
        )
        yield Caution("amber", "few_minority_examples", number, sentence)


def _of_the_smallest_class(count: int, metric: str | Phrase) -> Phrase:
    """Say that a mean over classes rests on a class with few examples, or none."""
    if not count:
        return Phrase(
            "One class of the task has no {things}, and {metric} is a mean over classes. The test "
            "set does not show how good an entry is at this class, so neither the possible winners "
            "nor the intervals are reliable. Add {things} of this class, or use a metric that does "
            "not average over classes.",
            metric=metric,
        )
    return Phrase(
        "One class has only {count:n} {thing}, fewer than {limit:n}, and counts as much as "
        "the others in {metric}. The test set hardly shows how good an entry is at this "
        "class, so neither the possible winners nor the intervals are reliable. Add "
        "{things} of this class, or use a metric that does not average over classes.",
        "One class has only {count:n} {things}, fewer than {limit:n}, and counts as much "
        "as the others in {metric}. The test set hardly shows how good an entry is at this "
        "class, so neither the possible winners nor the intervals are reliable. Add "
        "{things} of this class, or use a metric that does not average over classes.",
        count=count,
        limit=FEW_MINORITY_RED,
        metric=metric,
    )


def _about_resamples(scores: MetricScores) -> Iterator[Caution]:
    """Warn about resamples on which the metric is undefined, or has a ``zero_division`` value."""
    metric = scores.metric
    replicates = scores.replicates
    undefined = replicates.undefined
    zero_divisions = replicates.zero_divisions
    if undefined:
        sentence = Phrase(
            "{metric} is undefined on {count:n} of {resamples:n} resamples, for example "
            "because a class or an opponent is missing there. That resample was left out.",
            "{metric} is undefined on {count:n} of {resamples:n} resamples, for example "
            "because a class or an opponent is missing there. Those resamples were left out.",
            count=undefined,
            resamples=replicates.drawn,
            metric=metric.label,
        )
        many = undefined > MANY_UNDEFINED * replicates.drawn
        yield Caution("red" if many else "amber", "undefined_resamples", undefined, sentence)
    if zero_divisions is not None and zero_divisions.any():
        most = int(zero_divisions.max())
        sentence = Phrase(
            "For {entries}, {metric} divides by zero on as many as {times:n} of {resamples:n} "
            "resamples and takes its zero_division value there: a class is missing from the "
            "reference data or never predicted.",
            entries=named(scores.names, zero_divisions > 0),
            times=most,
            resamples=replicates.drawn,
            metric=metric.label,
        )
        yield Caution("amber", "zero_divisions", most, sentence)


def named(names: Sequence[str], marked: Bools) -> tuple[str, ...]:
    """Return the names of the ``marked`` entries."""
    return tuple(names[int(i)] for i in np.flatnonzero(marked))


def _about_tails(basis: Basis, references: References) -> Iterator[Caution]:
    """Warn about comparisons that few units decide: intervals and counted p-values ignore it.

    They are those with the leader and, if it is another entry, with the one that was fixed in
    advance. Without influence values, the skewness is counted on the resamples, with noise. About
    entries that have the worst value, for lack of predictions, there is nothing to say.
    """
    scores = basis.scores
    influence = basis.deciding_influence
    told = scores.predicted | (np.ptp(scores.replicates.values, axis=0) > 0)
    limits = tail_limits(scores.units if influence is None else influence.units)
    against_leader = references.leader
    against_reference = references.differences
    by_first = {
        int(against_leader.first[0]): against_leader,
        int(against_reference.first[0]): against_reference,
    }
    for entry, against in by_first.items():
        # Skewness and excess kurtosis of the differences' sums, [2, k].
        noise = 2 * math.sqrt(6 / basis.bootstrap.resamples)
        counted = np.abs(skewness(basis.bootstrap, against)) - noise
        tails = np.stack([counted, np.zeros_like(counted)])
        if influence is not None:
            exact = np.stack([part[against.first, against.second] for part in influence.tails])
            exact[0] = np.abs(exact[0])
            tails = np.where(np.isfinite(exact).all(axis=0), exact, tails)
        beyond = tails / np.array(limits)[:, None]
        heavy = (beyond.max(axis=0) > 1) & told[against.second]
        if heavy.any():
            kind, most = np.unravel_index(np.where(heavy, beyond, 0.0).argmax(), beyond.shape)
            size = float(tails[kind, most])
            names = [basis.scores.names[i] for i in against.second]
            sentence = Phrase(
                "A few {things} decide the difference between {reference} and {entries} "
                "(skewness or excess kurtosis {size:n} for {most}; it matters from {limit:n} "
                "on): intervals and p-values that rest on it are approximate.",
                reference=basis.scores.names[entry],
                entries=named(names, heavy),
                size=round(size, 2),
                limit=round(limits[int(kind)], 2),
                most=names[int(most)],
            )
            yield Caution("amber", "heavy_tails", size, sentence)


def heavy_tails_by(metrics: tuple[str, ...], largest: Caution) -> Phrase:
    """Return what the cautions about comparisons that few units decide say of several metrics.

    The ``largest`` of them has the size that is said, and its limit.
    """
    return Phrase(
        "A few {things} decide some differences by {metric} (skewness or excess kurtosis up to "
        "{size:n}; it matters from {limit:n} on): intervals and p-values that rest on them are "
        "approximate.",
        metric=metrics,
        size=round(largest.number, 2),
        limit=largest.sentence.values["limit"],
    )


def _about_rare_errors(every: Basis, may_be_best: Bools) -> Iterator[Caution]:
    """Warn where an entry is excluded beside others that have rare enormous errors.

    How many of them an entry made here is chance. One that made few looks better than it is, and
    its standard error is too small to show it; then it excludes an entry that makes none. Without
    this caution, such an entry is dropped in .1 to .4 of simulated competitions in which it is as
    good as all others (check 23). Entries with heavy tails of their own judge each other fairly.
    """
    influence = every.compact_influence
    if influence is None:
        return
    field = every.field
    values = influence.values
    largest = np.maximum(values.max(axis=0), -values.min(axis=0))
    heavy = influence.heavy_scores & field.competing
    of_kept = (~field.rivals & may_be_best).any(axis=1)  # another run keeps the team
    lost = np.flatnonzero(field.competing & ~heavy & ~of_kept & every.scores.predicted)
    enormous = heavy & (largest > FAR_LARGER * largest[lost, None])
    enough = max(2.0, np.count_nonzero(field.competing) / 4)
    doubtful = np.count_nonzero(enormous, axis=1) >= enough
    if doubtful.any():
        with_enormous_errors = enormous[doubtful].any(axis=0)
        sentence = Phrase(
            "{entries} have rare errors in {metric}, more than three times as large as any "
            "error of {excluded}. How many of them an entry made on these {things} is partly "
            "luck, so {excluded} may be excluded wrongly: who may be the best is not "
            "reliable. Look at these errors, or use more {things}, before you name winners.",
            entries=_subject(named(every.scores.names, with_enormous_errors)),
            excluded=_subject(
                named(every.scores.names, np.isin(np.arange(may_be_best.size), lost[doubtful]))
            ),
            metric=every.scores.metric.label,
        )
        yield Caution("red", "rare_errors", int(np.count_nonzero(with_enormous_errors)), sentence)


def _about_counting(
    size: int, family: Phrase, resamples: int, alpha: float, rule: str
) -> Iterator[Caution]:
    """Warn if even the smallest counted p-value cannot be significant after correction.

    Under max-T, no tie rests on such a p-value, but the page shows them.
    """
    smallest = min(size / (resamples + 1), 1.0)
    if smallest > alpha:
        template = _COUNTED_BESIDE_MAX_T if rule == "max_t" else _COUNTED
        sentence = Phrase(
            *template,
            count=size,
            family=family,
            resamples=resamples,
            smallest=float(f"{smallest:.2g}"),
            alpha=float(f"{alpha:g}"),
        )
        yield Caution("amber", "counted_p_values", smallest, sentence)


def about_far_winners(basis: Basis, standing: Standing, verdict: Verdict) -> Iterator[Caution]:
    """Warn about possible winners that score far worse than the leader; each team counts once.

    They are possible winners all the same: a score may be so uncertain that no test excludes it.
    That a few units decide it is said of pairs with heavy tails only. Ratios of scores tell
    something only where zero is the least that any unit can have (`_has_zero`).
    """
    scores = basis.scores
    metric = scores.metric
    observed = scores.observed
    ranked = standing.rank_low > 0
    oriented = observed if metric.greater_is_better else -observed
    leader = int(np.where(ranked, oriented, -np.inf).argmax())
    best = float(observed[leader])
    worse = oriented[leader] - oriented
    smaller = observed if metric.greater_is_better else np.full(observed.size, best)
    larger = np.full(observed.size, best) if metric.greater_is_better else observed
    far = (smaller > 0) & (larger > FAR_TIMES * smaller) & verdict.possible_winners
    if far.any() and not _has_zero(basis, ranked):
        far[:] = False
    teams = worse[ranked]
    if teams.size >= FAR_TEAMS:
        center = float(median(teams))
        spread = float(median(np.abs(teams - center)))
        far |= (spread > 0) & (worse - center > FAR_MADS * spread)
    far &= verdict.possible_winners
    by_few = far & basis.heavy_tailed[leader]
    for template, marked in ((_FAR_BY_FEW, by_few), (_FAR, far & ~by_few)):
        if not marked.any():
            continue
        entries = tuple(
            Phrase("{entry} ({score:n})", entry=scores.names[i], score=_shown(observed[i]))
            for i in np.flatnonzero(marked).tolist()
        )
        sentence = Phrase(
            *template,
            count=len(entries),
            entries=_subject(entries),
            leader=scores.names[leader],
            score=_shown(best),
            metric=metric.label,
        )
        worst = float(observed[marked][worse[marked].argmax()])
        yield Caution("amber", "far_winner", worst, sentence)


def _has_zero(basis: Basis, ranked: Bools) -> bool:
    """Whether zero is the least that any unit can have: else a ratio of scores says nothing.

    Without bounds, no score of a unit may be negative. The entries that are ``ranked`` [m] count.
    What a unit counts in a function of the organizer's follows from its influence value.
    """
    scores = basis.scores
    metric = scores.metric
    observed = scores.observed
    if metric.greater_is_better and not metric.ratio_scale:
        return False
    if (observed[ranked] < 0).any():
        return False
    if metric.low >= 0:
        return True
    if metric.of_scores:
        return scores.diagnostics is not None and not scores.diagnostics.negative
    influence = basis.compact_influence
    if influence is None or influence.noise > 0:
        return False
    sign = 1 if metric.greater_is_better else -1
    of_units = sign * influence.values * influence.units + observed
    return bool((of_units >= -1e-9 * observed)[:, ranked].all())


def _shown(score: float) -> float:
    """Return a score with four significant digits, for a sentence."""
    return float(f"{score:.4g}")


def _about_scores(scores: MetricScores, interval_used: Sequence[str]) -> Iterator[Caution]:
    """Warn about entries that have no interval."""
    without = named(scores.names, (np.array(interval_used) == "none") & scores.predicted)
    if without:
        sentence = Phrase(
            "There is no interval of {metric} for {entries}: its score is the same on every "
            "resample.",
            "There is no interval of {metric} for {entries}: their scores are the same on "
            "every resample.",
            count=len(without),
            entries=without,
            metric=scores.metric.label,
        )
        yield Caution("amber", "no_interval", len(without), sentence)


def _about_shifted_intervals(basis: Basis, entries: EntryIntervals) -> Iterator[Caution]:
    """Warn about intervals that do not hold the score that they are of.

    A resample lacks some of the examples. Where a class, or a number, that few examples have counts
    much, the scores on resamples lie on one side of that on the test set.
    """
    spare = 1e-12 * np.maximum(np.abs(basis.observed), 1.0)
    shifted = (entries.low > basis.observed + spare) | (entries.high < basis.observed - spare)
    if shifted.any():
        scores = basis.scores
        sentence = Phrase(
            "The interval of {metric} for {entries} does not hold the score itself: on nearly "
            "every resample, which lacks some {things}, the score is shifted to one side. Do not "
            "report this interval.",
            "The intervals of {metric} for {entries} do not hold the scores themselves: on nearly "
            "every resample, which lacks some {things}, the scores are shifted to one side. Do not "
            "report these intervals.",
            count=int(np.count_nonzero(shifted)),
            entries=named(scores.names, shifted),
            metric=scores.metric.label,
        )
        yield Caution("amber", "shifted_interval", int(np.count_nonzero(shifted)), sentence)


def _about_pairs(
    scores: MetricScores, pairs: Comparisons, disagreements: Ints | None
) -> Iterator[Caution]:
    """Warn about identical submissions, and about differences that no resample changes."""
    names = scores.names
    predicted = scores.predicted
    unchanging = (pairs.standard_error == 0) & predicted[pairs.first] & predicted[pairs.second]
    same = unchanging & (pairs.observed == 0)
    if disagreements is not None:
        same &= disagreements[pairs.first, pairs.second] == 0
    constant = unchanging & ~same
    first_like: dict[int, int] = {}
    for i, j in zip(pairs.first[same].tolist(), pairs.second[same].tolist(), strict=True):
        low, high = sorted((i, j))
        first_like[high] = min(low, first_like.get(high, low))
    template = _SAME_SCORES if scores.metric.of_scores else _SAME_PREDICTIONS
    alike: dict[int, list[str]] = {}  # first of the identical entries → names of all
    for entry in sorted(first_like):
        first = first_like[entry]
        alike.setdefault(first, [names[first]]).append(names[entry])
    for entries in alike.values():
        sentence = Phrase(template, entries=_together(entries))
        yield Caution("amber", "identical_predictions", len(entries), sentence)
    if number := int(np.count_nonzero(constant)):
        ends = pairs.first[constant], pairs.second[constant]
        sentence = Phrase(
            "{count:n} pair of entries has the same difference on every resample, so its "
            "standard error is 0: {pairs}.",
            "{count:n} pairs of entries have the same difference on every resample, so its "
            "standard error is 0: {pairs}.",
            count=number,
            pairs=tuple(_together([names[i], names[j]]) for i, j in zip(*ends, strict=True)),
        )
        yield Caution("amber", "constant_difference", number, sentence)


def _about_names(names: Sequence[str]) -> Iterator[Caution]:
    """Warn about entries whose names look alike."""
    if groups := lookalikes(names):
        listed = tuple(map(_together, groups))
        sentence = Phrase(
            "The names of these entries look alike, because some of their letters are of "
            "other scripts: {groups}. Make sure that readers can tell them apart.",
            groups=listed,
        )
        yield Caution("amber", "lookalike_names", len(groups), sentence)
