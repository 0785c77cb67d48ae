"""One entry against all: the leader, or a reference that was fixed in advance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools
from .analysis import Differences
from .comparisons import Comparisons, compare
from .corrections import adjust
from .field import Field
from .inputs import Bootstrap
from .significance import two_sided_bootstrap
from .ties import tied


@dataclass(frozen=True, eq=False)
class Against:
    """How one entry compares with all [m], and which are tied with it under each rule."""

    comparisons: Comparisons
    differences: Differences
    tied: Mapping[str, Bools]

    @classmethod
    def of(
        cls,
        bootstrap: Bootstrap,
        field: Field,
        entry: int,
        could_be_best: Bools,
        ahead: Bools,
        *,
        interval: str,
        tail: float,
        alpha: float,
        fixed: bool = False,
    ) -> Against:
        """Compare an entry with every one, two-sided where it was ``fixed`` in advance.

        ``could_be_best`` [m] are the entries that ``max_t`` keeps as tied with it, ``ahead`` [m]
        those that other tests have found to be better.
        """
        against = compare(
            bootstrap,
            np.full_like(field.order, entry),
            np.arange(field.order.size),
            interval=interval,
            tail=tail,
        )
        differences = _differences(bootstrap, against, field, two_sided=fixed)
        ties = tied(
            against,
            differences,
            could_be_best,
            ahead,
            reference=entry,
            two_sided=fixed,
            alpha=alpha,
        )
        return cls(against, differences, ties)


def _differences(
    bootstrap: Bootstrap, against: Comparisons, field: Field, *, two_sided: bool
) -> Differences:
    p_two_sided = two_sided_bootstrap(
        bootstrap.differences(against.first, against.second),
        against.mean,
        against.observed,
        against.tolerance,
    )
    # The reference's comparison with itself is in no family; those with a baseline are one apart.
    reference = int(against.first[0])
    family = (field.competing[against.second] != field.competing[field.leader]).astype(np.intp)
    family[reference] = -1
    adjusted = adjust(p_two_sided if two_sided else against.p_one_sided, family)
    for p_values in adjusted.values():
        p_values[reference] = 1.0
    return Differences(
        observed=against.observed,
        mean=against.mean,
        standard_error=against.standard_error,
        low=against.low,
        high=against.high,
        p_one_sided=against.p_one_sided,
        p_two_sided=p_two_sided,
        p_adjusted=adjusted,
    )
