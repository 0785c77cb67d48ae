"""The table of what the simulations observed, beside what they must observe."""

from __future__ import annotations

from scipy.stats import binomtest

from tests.simulations import observed
from tests.simulations.checks import CHECKS, NO_CLAIM

from .reference import table


def chance(value: float, competitions: int) -> str:
    """Return the exact 95% interval of a share of so many competitions; else nothing.

    Of a mean of shares, such as that of the entries kept in each, it is at least as wide as needed.
    """
    if not competitions or not 0 <= value <= 1:
        return ""
    low, high = binomtest(round(value * competitions), competitions).proportion_ci()
    return f"{low:.3f} to {high:.3f}"


def simulations() -> str:
    """Return one row for each measure; raises KeyError for one that was never observed."""
    found, rows = observed.read(), []
    for check in CHECKS:
        for measure, (low, high) in check.bands.items():
            value, competitions = found[check.number, measure]
            rows.append(
                (
                    check.number,
                    check.what,
                    measure,
                    "no claim" if (low, high) == NO_CLAIM else f"{low:g} to {high:g}",
                    f"{value:g}",
                    chance(value, competitions),
                    f"{competitions:,}" if competitions else "",
                    " ".join(map(str, check.seeds)),
                )
            )
    header = (
        "check",
        "what is simulated",
        "measure",
        "required",
        "observed",
        "by chance",
        "competitions",
        "seeds",
    )
    return table(header, rows)
