"""The entries of a competition: their order, the leader and the baselines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError, nearest


@dataclass(frozen=True, eq=False)
class Field:
    """The entries of a competition under one metric.

    A baseline is shown and tested but cannot win: it does not lead and does not count in the ranks,
    rank sets, tiers, families of tests and competitiveness of the entries that can.
    """

    order: Ints  # [m] best first; exact ties by name
    competing: Bools  # [m] all but the baselines
    leader: int
    leaders: tuple[int, ...]  # all that share the leader's score, in ``order``
    rivals: (
        Bools  # [m, m] pairs that may be compared: not an entry with itself or a run of its team
    )

    @classmethod
    def of(
        cls,
        theta: Floats,
        names: Sequence[str],
        baselines: Iterable[str],
        teams: Sequence[str] = (),
    ) -> Field:
        """Order the entries with oriented scores ``theta`` [m].

        ``teams`` [m] are the entries' teams; without them, every entry is a team of its own.
        Raises `SettingsError` if a baseline is not an entry, or if every entry is a baseline.
        """
        competing = np.ones(theta.size, dtype=np.bool_)
        competing[[number(name, names, "baselines") for name in baselines]] = False
        if not competing.any():
            raise SettingsError(
                "baselines: every entry is a baseline, so nobody can win; leave at least one out"
            )
        by_name = sorted(range(theta.size), key=names.__getitem__)
        order = np.array(sorted(by_name, key=lambda entry: -theta[entry]), dtype=np.intp)
        ranked = order[competing[order]]
        leaders = ranked[theta[ranked] == theta[ranked[0]]]
        team = np.unique(np.array(teams or range(theta.size)), return_inverse=True)[1]
        return cls(
            order,
            competing,
            int(leaders[0]),
            tuple(int(entry) for entry in leaders),
            team[:, None] != team[None, :],
        )

    def with_runs(self, theta: Floats, of: Ints) -> Field:
        """Return the field of runs with oriented scores ``theta`` [k].

        ``of`` [k] are the entries of this field that stand for the runs' teams. The first runs are
        these entries themselves.
        """
        return Field(
            np.argsort(-theta, kind="stable"),
            self.competing[of],
            self.leader,
            self.leaders,
            self.rivals[np.ix_(of, of)],
        )

    @property
    def baselines(self) -> tuple[int, ...]:
        """The entries that cannot win."""
        return tuple(int(entry) for entry in np.flatnonzero(~self.competing))

    def pairs(self) -> tuple[Ints, Ints]:
        """Return all pairs (better, worse), [m(m−1)/2] each; of exact ties the first by name."""
        above, below = np.triu_indices(self.order.size, 1)
        return self.order[above], self.order[below]

    def family(self, kind: str, first: Ints, second: Ints) -> Ints:
        """Return the family number of each comparison of ``first`` [k] with ``second`` [k], or −1.

        ``kind`` is one of `analysis.FAMILIES`. Comparisons with a baseline form separate families.
        −1 means that a comparison is in no family, as that of two runs of one team.
        """
        number = (~(self.competing[first] & self.competing[second])).astype(np.intp)
        if kind == "row":
            number += 2 * first
        within = self.rivals[first, second]
        if kind == "leader":
            within = within & ((first == self.leader) | (second == self.leader))
        return np.where(within, number, -1)


def number(name: str, names: Sequence[str], setting: str) -> int:
    """Return the number of the entry with this name; `SettingsError` if there is none."""
    if name not in names:
        raise SettingsError(f"{setting}: there is no entry {name!r}{nearest(name, names)}")
    return list(names).index(name)
