"""The entries that the leader is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..inference.evidence import Evidence

#: Rivals that get a certificate: the possible winners and the best of the others.
_NEAR = 10
#: The best rivals, of which one may take the lead where labels are wrong.
_BEST = 20


@dataclass(frozen=True)
class Rivals:
    """The competing entries, best first: numbers of the evidence.

    Baselines cannot win, and a run of the leader's own team is no rival.
    """

    order: tuple[int, ...]
    own: tuple[int, ...]  # the leader, and the other runs of its team
    others: tuple[int, ...]  # of other teams
    near: tuple[int, ...]  # of the others, those tied with the leader, and the best ones

    @property
    def leader(self) -> int:
        """The leading entry."""
        return self.order[0]

    @property
    def best(self) -> tuple[int, ...]:
        """The best rivals."""
        return self.others[:_BEST]

    @classmethod
    def of(cls, evidence: Evidence, teams: Sequence[str]) -> Rivals:
        """Return the rivals by a metric; ``teams`` [m] are those of the entries."""
        order = [
            entry
            for entry in evidence.scores.order.tolist()
            if entry not in evidence.scores.baselines
        ]
        own = [entry for entry in order if teams[entry] == teams[order[0]]]
        rivals = [entry for entry in order if entry not in own]
        tied = np.asarray(evidence.standing.tied_with_leader)
        near = [e for place, e in enumerate(rivals) if place < _NEAR or tied[e]]
        return cls(*map(tuple, (order, own, rivals, near)))
