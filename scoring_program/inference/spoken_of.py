"""Which entries the verdict speaks of; a caution about others does not weaken it."""

from __future__ import annotations

import numpy as np

from ..core.arrays import Bools
from .basis import Basis
from .reference_comparisons import References


def entries_spoken_of(basis: Basis, references: References) -> Bools:
    """Return the entries [m] that the verdict speaks of.

    They are the leaders, the entries tied with them or with the reference, the submission that the
    page is about, in a task the entries tied over all tasks, and the best entry that the verdict
    excludes, with all of the same score. Baselines are not among them, for they cannot win.
    """
    field, theta, rule = basis.field, basis.bootstrap.theta, basis.settings.tie_rule
    found = references.leader.tied[rule] | references.shown.tied[rule]
    found[[*field.leaders, references.shown.entry]] = True
    found[list(basis.scores.also_spoken_of)] = True
    excluded = field.competing & ~found
    if excluded.any():
        found |= excluded & (theta == theta[excluded].max())
    return np.asarray(found & field.competing)
