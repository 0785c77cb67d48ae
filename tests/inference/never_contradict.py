"""What no verdict may contradict, as functions over the evidence about a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from scoring_program.core.arrays import Array
from scoring_program.core.folds import Folds
from scoring_program.core.methods import VALID_TIE_RULES
from scoring_program.core.phrases import Phrase
from scoring_program.inference.evidence import PROJECTION, Evidence
from scoring_program.inference.normal import FOLDS, SEEDS
from scoring_program.scoring.diagnostics import ComparedAnswers
from tests.competitions import told


def never_contradicts(evidence: Evidence) -> None:
    """Assert that every part of the evidence says the same of who may be the best."""
    scores, standing, verdict = evidence.scores, evidence.standing, evidence.verdict
    winners, low, high = verdict.possible_winners, standing.rank_low, standing.rank_high
    ranked = low > 0
    count, sole = int(winners.sum()), int(winners.sum()) == 1
    closed = standing.rule in (*VALID_TIE_RULES, PROJECTION)
    # 1: leaders may win.
    assert winners[list(verdict.leaders)].all()
    # 2 and 4: the ranges that begin at 1 are those of winners.
    assert not winners[~ranked].any()
    if closed:
        assert ((low == 1) == winners)[ranked].all()
        if standing.rule != PROJECTION:
            assert (high[winners] >= count).all()
            assert sole == bool(((low == 1) & (high == 1))[winners].all() and count == 1)
    # 5: a range holds the rank, which counts teams where some have several runs. Hidden runs decide
    # the range, too, but not the rank by a metric that did not choose which run is shown.
    assert (low <= high).all()
    rank = 1 + np.count_nonzero(scores.rank[:, None] > scores.rank[ranked], axis=1)
    baselines = list(scores.baselines)
    hidden = scores.several_runs and ranked.sum() + len(baselines) == ranked.size
    if standing.rule != PROJECTION and not hidden:
        assert (low[ranked] <= rank[ranked]).all()
        assert (rank[ranked] <= high[ranked]).all()
    # 2 and 3: bars reach the line exactly where an entry may win.
    if evidence.distances is not None:
        near, far = evidence.distances.near, evidence.distances.from_best
        assert (np.isfinite(near) == ranked).all()
        assert ((near == 0) == winners)[ranked].all()
        assert (far >= near)[ranked].all()
        if sole:
            assert far[winners] == 0
    # 6, 7 and 13: what is verified, and what is withdrawn.
    if verdict.verified:
        assert winners.nonzero()[0].tolist() == list(verdict.leaders)
        assert ranked.sum() > 1
    if verdict.places is not None and not hidden:
        first = ranked & (rank <= verdict.places)
        assert not (winners & ~first).any()
        assert (high[first] <= verdict.places).all()
        assert (low[ranked & ~first] > verdict.places).all()
    assert (verdict.confidence is None) == (verdict.withdrawn_because is not None)
    if verdict.confidence is None:
        assert not verdict.verified
        assert verdict.places is None
        assert verdict.corrected is None
    assert (verdict.corrected is None) == (verdict.uncorrected_because is not None)
    # 8: nobody who may win is said to be worse than another, and a sole winner is better than all.
    assert not standing.better[np.ix_(ranked, winners)].any()
    assert not (standing.better & standing.better.T).any()
    if sole and standing.rule != PROJECTION:
        assert standing.better[np.ix_(winners, ranked & ~winners)].all()
    # Whoever is ruled out is so by another.
    entries = np.arange(scores.score.size)
    if standing.rule in ("max_t", PROJECTION):
        assert ((standing.separated_from < 0) == winners)[ranked].all()
    assert (standing.separated_from != entries).all()
    # 11: what does not compete has no ring, bar or range.
    assert not ranked[baselines].any()
    cautions_agree(evidence)
    prizes_agree(evidence)
    front_agrees(evidence)
    draws_agree(evidence)
    ranks_agree(evidence)


#: What a caution never says of a possible winner: the record is that it may be the best.
_DENIES = re.compile(r"cannot (?:be judged|be the best|win)|is (?:not|no longer) a possible winner")


def cautions_agree(evidence: Evidence) -> None:
    """Assert that a caution says of a possible winner what the verdict says, and of no other one.

    A score may be far worse than the leader's, and its entry a possible winner all the same.
    """
    names_of_winners = {evidence.names[i] for i in evidence.verdict.possible_winners.nonzero()[0]}
    for caution in evidence.cautions:
        (sentence,) = told([caution.sentence])
        assert not _DENIES.search(sentence), sentence
        if caution.code == "far_winner":
            assert "may be as good" in sentence, sentence
            assert {*_names_with_scores(caution.sentence)} <= names_of_winners, sentence


def _names_with_scores(sentence: Phrase) -> Iterator[str]:
    """Yield the names of entries that stand in a sentence with their scores."""
    for value in sentence.values.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Phrase):
                yield from _names_with_scores(part)
    if "entry" in sentence.values:
        yield str(sentence.values["entry"])


def prizes_agree(evidence: Evidence) -> None:
    """Assert rule 17: who is sure of a prize and who is out, as the places have it."""
    standing, verdict = evidence.standing, evidence.verdict
    prizes, places = verdict.prizes, evidence.question.prizes
    assert (prizes is None) == (places is None)
    if prizes is None:
        return
    assert prizes.places == places
    settles = verdict.confidence is not None and standing.rule == "max_t"
    assert (prizes.confidence is None) == (prizes.reason is not None) == (not settles)
    if prizes.sure is None or prizes.open is None or prizes.out is None:
        assert prizes.sure is prizes.open is prizes.out is None
        assert prizes.reason is not None
        return
    assert prizes.confidence == verdict.confidence
    low, high = standing.rank_low, standing.rank_high
    ranked = low > 0
    times_named = prizes.sure.astype(int) + prizes.open + prizes.out
    np.testing.assert_array_equal(times_named, ranked)
    assert not (verdict.possible_winners & prizes.out).any()
    assert prizes.sure.sum() <= prizes.places
    assert ((high <= prizes.places) == prizes.sure)[ranked].all()
    assert ((low > prizes.places) == prizes.out)[ranked].all()
    if verdict.places is not None:
        assert prizes.sure.sum() == verdict.places
        assert not prizes.open.any()


def front_agrees(evidence: Evidence) -> None:
    """Assert that whoever may be the best is on the front, and whoever is off it names another.

    Of fixed costs, nobody is on the front whom a pair that is named shows to be worse at no lower
    cost, and the cheapest are on it.
    """
    standing, verdict = evidence.standing, evidence.verdict
    front = verdict.front
    assert (front is None) == (evidence.question.costs is None)
    if front is None:
        return
    shows = verdict.confidence is not None and standing.rule == "max_t"
    assert (front.confidence is None) == (front.reason is not None) == (not shows)
    if front.on is None or front.excluded_by is None:
        assert front.on is None
        assert front.excluded_by is None
        assert front.reason is not None
        return
    assert front.confidence == verdict.confidence
    ranked = standing.rank_low > 0
    assert not (verdict.possible_winners & ~front.on).any()
    assert not front.on[~ranked].any()
    assert np.isfinite(front.costs[ranked]).all()
    off = ranked & ~front.on
    assert ((front.excluded_by >= 0) == off).all()
    sign = 1 if evidence.metric.greater_is_better else -1
    oriented = sign * evidence.scores.score
    for entry in np.flatnonzero(off).tolist():
        rival = front.excluded_by[entry]
        assert ranked[rival]
        assert rival != entry
        if not evidence.scores.several_runs:
            assert oriented[rival] > oriented[entry]
        assert front.costs[rival] <= front.costs[entry]
    if front.measured:
        return
    no_dearer = front.costs[:, None] <= front.costs
    assert not (standing.better & no_dearer)[:, front.on].any()
    assert front.on[ranked & (front.costs == front.costs[ranked].min())].any()


def draws_agree(evidence: Evidence) -> None:
    """Assert that what is said of folds, seeds and crossed groups fits how scores were drawn.

    Where a mean over runs is not crossed with seeds, it is said that these runs are meant. More
    folds of the same data say little, so none are planned, and few folds or runs correct no score.
    """
    verdict, source = evidence.verdict, evidence.normal_source
    codes = {caution.code for caution in evidence.cautions}
    weakened = {caution.code for caution in evidence.cautions if caution.weakens}
    assert not weakened or verdict.confidence is None
    if "folds" in codes:
        assert "folds" in weakened
        assert evidence.question.folds is None
        assert source != FOLDS
    if isinstance(evidence.question.folds, Folds):
        assert source == FOLDS
    assert (evidence.seed_share is not None) == (source == SEEDS)
    if evidence.seed_share is not None:
        assert 0 <= evidence.seed_share <= 1
        assert evidence.question.seeds == "cross"
        assert "these_runs" not in codes
    if source is None:
        return
    assert evidence.standing.rule != PROJECTION
    assert evidence.standing.studentized is None
    assert evidence.undefined == 0
    if source in (SEEDS, FOLDS):
        assert verdict.corrected is None
    if source == FOLDS:
        assert evidence.plan == ()
        assert evidence.smallest_separable is None
    for pair in evidence.plan:
        assert source == SEEDS or pair.runs_needed is None


def ranks_agree(evidence: Evidence) -> None:
    """Assert that ranks count who competes, and that only the reference that is named is another.

    The mean rank of all who compete is (m + 1)/2: ties share the average rank.
    """
    scores, competing = evidence.scores, np.ones(len(evidence.names), np.bool_)
    competing[list(scores.baselines)] = False
    sign = 1 if evidence.metric.greater_is_better else -1
    oriented = sign * scores.score
    ahead = oriented[competing][:, None] > oriented
    np.testing.assert_array_equal(scores.rank, 1 + np.count_nonzero(ahead, axis=0))
    assert competing[scores.leader]
    assert oriented[scores.leader] == oriented[competing].max()
    assert (oriented[list(scores.leaders)] == oriented[scores.leader]).all()
    named = evidence.question.reference_entry
    reference = evidence.names[scores.reference]
    assert reference == (evidence.names[scores.leader] if named is None else named)
    if evidence.intervals is not None:
        fixed = {*scores.baselines, *([] if named is None else [scores.reference])}
        assert {*evidence.reference_tests} == fixed
    if evidence.standing.rule == PROJECTION and not scores.several_runs:
        places = np.array([*evidence.places_in_tasks.values()])[:, competing]
        sharing = (places[:, :, None] == places[:, None, :]).sum(axis=2)
        ranks = places + (sharing - 1) / 2
        np.testing.assert_allclose(ranks.mean(axis=1), (places.shape[1] + 1) / 2)
        np.testing.assert_allclose(ranks.mean(axis=0), scores.score[competing])


def copies_share_a_record(evidence: Evidence, answers: Sequence[ComparedAnswers]) -> None:
    """Assert that the evidence says the same of entries with identical predictions (rule 9).

    ``answers`` are those of the entries in each test set. A standard error of 0 is no proof of
    identical predictions: on few resamples, two entries may happen to be equal each time, although
    each differs from a third one on other examples.
    """
    if evidence.scores.several_runs or not answers:
        return
    standing, ranked = evidence.standing, evidence.standing.rank_low > 0
    records = (
        evidence.scores.rank,
        evidence.verdict.possible_winners,
        standing.rank_low,
        standing.rank_high,
        standing.joint_low,
        standing.joint_high,
        standing.tier,
        *standing.tied.values(),
    )
    for entry, copy in combinations(np.flatnonzero(ranked).tolist(), 2):
        if _predict_the_same(answers, entry, copy):
            assert [record[entry] for record in records] == [record[copy] for record in records]


def _predict_the_same(answers: Sequence[ComparedAnswers], entry: int, copy: int) -> bool:
    """Whether two entries give the same answer to every example of every test set."""
    return all(
        _equal(layer.answers[entry], layer.answers[copy])
        for test_set in answers
        for layer in test_set.layers
    )


def _equal(first: Array, second: Array) -> bool:
    """Whether two arrays hold the same values; nan is nan."""
    if first.shape != second.shape:
        return False
    missing = (first != first) & (second != second)
    return bool(((first == second) | missing).all())
