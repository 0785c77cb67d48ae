"""What is asked of the scores: the settings that the inference reads, under the same names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from ..core.errors import SettingsError, nearest
from ..core.methods import INTERVALS, STUDENTIZED, TESTS, TIE_RULES
from ..settings.model import Settings


@dataclass(frozen=True)
class Question:
    """How to judge scores; see `Settings` for the defaults' reasons.

    ``confidence`` is the level of the intervals, rank ranges and rank sets; the significance level
    is 1 − confidence. ``interval`` is the method for the entries' scores; with "bca", differences
    still have percentile intervals, because BCa covers differences worst. ``tie_rule`` marks
    entries as tied with the leader. ``studentized`` says when the draws of max-T are studentized
    (`studentized`). ``baselines`` are entries that are shown and tested, but cannot win (`Field`).

    ``reference_entry`` is the entry that all are compared with instead of the leader. It is fixed
    in advance, so its tests are two-sided: ``none`` and the corrections use two-sided p-values, and
    ``max_t`` is algorithm A. ``margin`` is the largest distance from the best, in the metric's
    units, that makes no difference in practice. ``prizes`` is the number K of places of which the
    first K entries may be verified (`standing`). ``tests`` are further tests of the reference
    against every entry, and ``seed`` is that of the swaps for "randomization". ``missing_task``
    says what an entry that is missing from a task gets by a metric over tasks.

    Raises
    ------
    SettingsError
        A method is unknown, or two do not go together.
    """

    confidence: float = 0.95
    interval: str = "percentile"
    tie_rule: str = "max_t"
    studentized: str = "auto"
    baselines: tuple[str, ...] = ()
    reference_entry: str | None = None
    margin: float | None = None
    prizes: int | None = None
    tests: tuple[str, ...] = ()
    seed: int = 0
    missing_task: str = "drop"

    def __post_init__(self) -> None:
        """Check the methods."""
        _check("interval", self.interval, INTERVALS)
        _check("tie_rule", self.tie_rule, TIE_RULES)
        _check("studentized", self.studentized, STUDENTIZED)
        for test in self.tests:
            _check("tests", test, TESTS)
        if self.interval == "bca" and self.tie_rule == "interval":
            raise SettingsError(
                "tie_rule: 'interval' needs intervals of differences, for which BCa is the worst "
                "method; choose another tie rule, or the interval percentile or standard_error"
            )

    @classmethod
    def from_settings(cls, settings: Settings) -> Question:
        """Return what the settings ask."""
        return cls(**{item.name: getattr(settings, item.name) for item in fields(cls)})

    @property
    def alpha(self) -> float:
        """Significance level of the tests."""
        return round(1 - self.confidence, 12)


def _check(setting: str, value: str, known: Mapping[str, str]) -> None:
    if value not in known:
        choices = ", ".join(known)
        raise SettingsError(
            f"{setting}: unknown value {value!r} (known: {choices}){nearest(value, known)}"
        )
