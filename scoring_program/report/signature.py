"""The signature of a run: everything needed to get the same numbers again."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata

from ..alignment.competition import Competition
from ..core.version import __version__
from ..inference.analysis import MetricAnalysis
from ..settings.model import Settings

_DEFAULTS = Settings()
_PACKAGES = ("numpy", "scipy", "scikit-learn", "statsmodels")


def signature(
    competition: Competition, settings: Settings, analyses: Sequence[MetricAnalysis]
) -> dict[str, str]:
    """Return what identifies a run, name → value, in the order in which it is shown."""
    used = dict.fromkeys(str(analysis.resamples) for analysis in analyses)
    result = {
        "deadheat": __version__,
        "seed": str(settings.seed),
        "resamples": ", ".join(used),
        "confidence": f"{settings.confidence:g}",
        "interval": settings.interval,
        "tie_rule": settings.tie_rule,
    }
    if settings.group is not None:
        result["group"] = settings.group
    if settings.stratify is not None:
        result["stratify"] = settings.stratify
    for name in ("baselines", "reference_entry", "labels", "missing", "runs"):
        value = getattr(settings, name)
        if value != getattr(_DEFAULTS, name):
            result[name] = value if isinstance(value, str) else ", ".join(map(str, value))
    for part in competition.parts:
        for metric in part.metrics:
            result[f"metric {metric.name}"] = metric.description
    result["python"] = platform.python_version()
    result.update({name: _version(name) for name in _PACKAGES})
    for part in competition.parts[:1] if competition.split_by_usage else competition.parts:
        of_task = f" ({part.name})" if len(competition.parts) > 1 else ""
        result[f"sha256 of the reference data{of_task}"] = part.gold.sha256
        for entry in part.entries:
            result[f"sha256 of {entry.name}{of_task}"] = entry.sha256
    return result


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"
