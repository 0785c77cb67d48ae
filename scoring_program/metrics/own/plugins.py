"""Metrics of installed packages.

A package adds a metric by an entry point of the group ``deadheat.metrics``, whose name is what the
settings write, and whose value is a plain function:

    [project.entry-points."deadheat.metrics"]
    hit_rate = "my_package.metrics:hit_rate"

The function is called like an organizer's own, ``hit_rate(y_true, y_pred, **params)`` with arrays,
on the whole test set and on every resample. It returns one finite number each time. A parameter
``sample_weight`` has its meaning in scikit-learn: a row of weight w counts as w rows. Attributes of
the function state facts about the metric. All of them are optional:

    hit_rate.greater_is_better = True  # else the settings must say so
    hit_rate.kind = "labels"           # "scores", "probabilities" or "numbers"; else as the gold is
    hit_rate.label = "hit rate"        # the short name for people; else the settings' name
    hit_rate.ideal, hit_rate.low, hit_rate.high = 1.0, 0.0, 1.0  # the best value and the bounds

A name of the registry cannot be taken. Entry points are looked up only for a metric that the
registry does not know; `core.entry_points` says where.
"""

from __future__ import annotations

import math

from ...core import entry_points
from .organizer import OwnFunction, facts

GROUP = "deadheat.metrics"


def find(function: str, metric: str) -> OwnFunction | None:
    """Return the function that an installed package provides under a name; None if there is none.

    Raises SettingsError if it cannot be loaded or one of its attributes is invalid.
    """
    loaded = entry_points.load(GROUP, function, f"metric {metric!r}")
    if loaded is None:
        return None
    call, origin = loaded
    kind, better = facts(call, metric, origin, default="gold")
    return OwnFunction(
        call,
        better,
        kind,
        origin,
        label=getattr(call, "label", None),
        ideal=getattr(call, "ideal", None),
        low=getattr(call, "low", -math.inf),
        high=getattr(call, "high", math.inf),
    )


def names() -> list[str]:
    """Return the names of the metrics that installed packages provide."""
    return entry_points.names(GROUP)
