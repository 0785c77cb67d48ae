"""What no verdict may contradict, as one function over the evidence about a metric."""

from __future__ import annotations

import numpy as np

from scoring_program.core.methods import VALID_TIE_RULES
from scoring_program.inference.evidence import PROJECTION, Evidence


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
    # 9: entries without a difference have the same record.
    if evidence.pairs is not None and not scores.several_runs:
        same = (evidence.pairs.observed == 0) & (evidence.pairs.standard_error == 0)
        for one, other in zip(evidence.pairs.better[same], evidence.pairs.worse[same], strict=True):
            if ranked[one] and ranked[other]:
                assert winners[one] == winners[other]
                assert (low[one], high[one]) == (low[other], high[other])
    # 11: what does not compete has no ring, bar or range.
    assert not ranked[baselines].any()
    prizes_agree(evidence)


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
