"""The table of what the simulations observed, beside what they must observe."""

from __future__ import annotations

from tests.simulations import observed
from tests.simulations.checks import CHECKS, NO_CLAIM

from .reference import table


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
        "competitions",
        "seeds",
    )
    return table(header, rows)
