"""The digits of a number that are read, compared and written; those after them are rounding."""

import math

#: Significant digits of a score that is read, compared or written: more than the bootstrap has,
#: fewer than rounding disturbs.
DIGITS = 12


def significant(value: float) -> float:
    """Return a number as it is written: without the digits that rounding decides."""
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else value
