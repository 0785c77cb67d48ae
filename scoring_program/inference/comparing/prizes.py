"""Which teams surely take one of the first K places, and which surely do not.

A team is sure of a prize if its joint rank set (algorithm C′) ends at K or before, if the first K
are verified and it is one of them, or if it is the only possible winner. It is surely without one
if its joint rank set begins below K, or if it is none of the verified first K. All of this holds at
once with the stated confidence; the verified winner and places have their own. For a single prize
the possible winners decide.

Places agree with prizes by one more clause of the closure (`judge`), which only widens: a range
ends at K or before exactly for the teams that are sure, and begins below K exactly for those that
are out. It leaves the possible winners as they are: of those who are not, no range begins at 1.

At most K teams are sure. A joint set that ends at K belongs to a team that is shown better than
m − K others, and whoever is shown better has the better score. Of K + 1 such teams, the one with
the worst score would be better than m − K teams outside, and there are m − K − 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Ints


@dataclass(frozen=True, eq=False)
class Settled:
    """What is settled of the prizes of T teams, and the ends of rank ranges that agree, [T] each.

    Whoever is neither sure of a prize nor out of the prizes may take one.
    """

    sure: Bools
    out: Bools
    low: Ints
    high: Ints


def settled(
    places: int,
    winners: Bools,
    first: Bools | None,
    joint: tuple[Ints, Ints],
    ranges: tuple[Ints, Ints],
) -> Settled:
    """Say who is sure of one of the first ``places``, who is out, and widen the ranges to it.

    ``winners`` [T] may be the best, and ``first`` [T] are verified to be the first ``places``, or
    None. ``joint`` are the ends [T] of the joint rank sets, and ``ranges`` those of the closure.
    """
    low, high = ranges
    # No place is worse than the last one, and a larger number may be none of NumPy's.
    places = min(places, len(winners))
    sole = winners & (np.count_nonzero(winners) == 1)
    if places == 1:
        sure = sole
        out = ~winners
    elif first is not None:
        sure = first
        out = ~first
    else:
        sure = (joint[1] <= places) | sole
        out = joint[0] > places
    # Where a range says less than a joint set, as beside a winner of another test, so do prizes.
    sure = sure & (high <= places)
    out = out & (low > places) & ~winners
    return Settled(
        sure,
        out,
        low=np.where(out, low, np.minimum(low, places)),
        high=np.where(sure, high, np.maximum(high, places + 1)),
    )
