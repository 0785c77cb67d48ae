"""Which entries are tied with the reference, under each tie rule."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.arrays import Bools
from .analysis import CORRECTIONS, Differences
from .comparisons import Comparisons


def tied(
    against: Comparisons,
    differences: Differences,
    could_be_best: Bools,
    apart: Bools,
    *,
    two_sided: bool,
    alpha: float,
) -> Mapping[str, Bools]:
    """Return rule → which entries [m] are tied with the reference, itself included.

    ``interval``: the interval of the difference contains 0 [Nava-Muñoz, Graff, Escalante 2023,
    table 3]; ``none`` and the corrections: the (adjusted) p-value is α or more [2024, tables 5–11],
    one-sided, or ``two_sided`` against an entry fixed in advance; ``max_t``: ``could_be_best`` [m].
    An entry that is ``apart`` [m] is tied under no rule: another test shows that it is better, or
    it is behind outright. So a leader whose team is shown not to be the best is not tied.
    """
    zero_inside = (against.low <= against.tolerance) & (against.high >= -against.tolerance)
    rules = {"interval": zero_inside}
    raw = differences.p_two_sided if two_sided else differences.p_one_sided
    for correction in CORRECTIONS:
        p_values = raw if correction == "none" else differences.p_adjusted[correction]
        rules[correction] = p_values >= alpha
    rules["max_t"] = could_be_best
    return {rule: kept & ~apart for rule, kept in rules.items()}
