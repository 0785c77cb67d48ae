"""The findings of a run, from which all outputs are made, and its signature, to get them again."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata

from ..core.errors import LeftOut
from ..core.phrases import Phrase
from ..core.version import __version__
from ..data.competition import Competition, Form, Uncompared
from ..data.gold import Gold
from ..data.targets import target_of
from ..inference.evidence import Evidence
from ..metrics import Metric, without_formulas
from ..reading.formats import texts
from ..reading.formats.kind import ROWS
from ..recognize.reading_record import Reading
from ..settings.model import Settings


@dataclass(frozen=True, eq=False)
class Findings:
    """The evidence about all metrics, the settings, and facts about the run.

    ``form`` is ``teams`` (every entry competes), ``field`` (the entry ``focus`` is compared with a
    packed field) or ``single`` (one submission alone).
    """

    settings: Settings
    form: Form
    names: tuple[str, ...]  # of the entries, [m]
    n: int  # test examples, of all tasks together
    evidence: tuple[Evidence, ...]  # about the ranking metric first
    signature: Mapping[str, str]
    focus: int | None = None
    groups: int | None = None  # their number, if whole groups are resampled
    public: int | None = None  # evidence that ranks on the public rows, if there are any
    unusable: tuple[LeftOut, ...] = ()
    #: Entry and where it has no score → reason.
    unscored: Mapping[tuple[str, str], Phrase] = field(default_factory=dict)
    uncompared: tuple[Uncompared, ...] = ()
    left_aside: tuple[LeftOut, ...] = ()  # the uncompared ones included
    averaged: int = 0  # runs beyond the first of their teams, which count in the teams' means
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    #: Entry → team, where an entry is not called like its team and teams have names.
    teams: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Phrase, ...] = ()
    #: Task → what its files mean; of the only task, which has no name, under "".
    readings: Mapping[str, Reading] = field(default_factory=dict)
    kind: str = ROWS  # what an example is, if all tasks have the same kind of data
    duration: float | None = None  # of the submission, in seconds, if the platform gave it

    @property
    def scores_only(self) -> bool:
        """Whether a participant reads the outputs, who may see the scores only."""
        return self.settings.shows_scores_only(self.form)

    @property
    def uploads(self) -> int:
        """The number of uploads: compared, averaged with these, unusable and left aside."""
        return len(self.names) + self.averaged + len(self.unusable) + len(self.left_aside)

    def team_of(self, entry: str) -> str:
        """Return what the outputs call the team of an entry."""
        return self.teams.get(entry, entry)

    @property
    def count_unusable(self) -> int:
        """The number of uploads that no metric can score, for whatever reason."""
        nowhere = {*self.names}.difference(*(evidence.names for evidence in self.evidence))
        return len(self.unusable) + len(nowhere)

    @property
    def account(self) -> Phrase:
        """What became of every upload, as a sum without zeros."""
        unusable = self.count_unusable
        count = len(self.names) + len(self.unusable) - unusable
        aside = len(self.left_aside)
        sum_so_far = Phrase("{compared:n} compared", compared=count)
        if self.averaged:
            sum_so_far = Phrase(
                "{compared:n} compared + {averaged:n} averaged with them",
                compared=count,
                averaged=self.averaged,
            )
        if unusable:
            sum_so_far = Phrase(
                "{compared} + {count:n} unusable",
                "{compared} + {count:n} unusable",
                count=unusable,
                compared=sum_so_far,
            )
        if aside:
            sum_so_far = Phrase(
                "{compared} + {count:n} left aside", compared=sum_so_far, count=aside
            )
        return Phrase("{uploads:n} = {compared}", uploads=self.uploads, compared=sum_so_far)


# Signature ----------------------------------------------------------------------------------------


_DEFAULTS = Settings()
TEXT = texts.KIND.name
_PACKAGES = ("numpy", "scipy", "scikit-learn", "statsmodels")
#: Settings that are named where they are not the default.
_NAMED_IF_CHANGED = (
    "stratify",
    "slices",
    "baselines",
    "reference_entry",
    "labels",
    "missing",
    "runs",
    "human_sample",
)


def signature(
    competition: Competition, settings: Settings, evidence: Sequence[Evidence]
) -> dict[str, str]:
    """Return what identifies a run, name → value, in the order in which it is shown.

    Where participants may see the scores only, their commitment stands for the seed, and the hashes
    of the reference data and of the rivals' files are left out: a short file can be found from its
    hash, and resamples that can be drawn again tell more about the gold.
    """
    scores_only = settings.shows_scores_only(competition.form)
    public = not scores_only and settings.seed == _DEFAULTS.seed
    studentized = (
        (of_metric.metric.name, of_metric.standing.studentized) for of_metric in evidence
    )
    # What the setting chose by the data.
    reasons = [f"{name} {why}" for name, why in studentized if why]
    result = {
        "deadheat": __version__,
        **({} if scores_only else {"seed": str(settings.seed)}),
        # The default needs no commitment where it is shown.
        **({} if public else {"seed_commitment": commitment(settings.seed)}),
        "resamples": ", ".join(dict.fromkeys(str(of_metric.resamples) for of_metric in evidence)),
        "confidence": f"{settings.confidence:g}",
        "interval": settings.interval,
        "tie_rule": settings.tie_rule,
        "studentized": settings.studentized + (f" ({', '.join(reasons)})" if reasons else ""),
    }
    if settings.group_name is not None:
        result["group"] = settings.group_name
    for name in _NAMED_IF_CHANGED:
        value = getattr(settings, name)
        if value != getattr(_DEFAULTS, name):
            result[name] = value if isinstance(value, str) else ", ".join(map(str, value))
    for task, reading in competition.readings.items():
        of_task = f" ({task})" if task else ""
        result[f"reading{of_task}"] = " ".join(map(str, reading.lines(participants_read=True)))
    for part in competition.parts:
        for metric in part.metrics:
            result[f"metric {metric.name}"] = in_full(metric, part.gold)
    result["python"] = platform.python_version()
    metrics = (metric for part in competition.parts for metric in without_formulas(part.metrics))
    counted = (metric.statistics for metric in metrics)
    used = {
        name for statistics in counted if statistics is not None for name in statistics.libraries
    }
    result.update(_versions(*_PACKAGES, *sorted(used)))
    result.update(_hashes(competition, scores_only=scores_only))
    return result


def _hashes(competition: Competition, *, scores_only: bool) -> dict[str, str]:
    """Return the hashes of the files by what they hold: where a participant may see them."""
    hashes = {}
    for part in competition.parts[:1] if competition.split_by_usage else competition.parts:
        of_task = f" ({part.name})" if len(competition.parts) > 1 else ""
        if not scores_only:
            hashes[f"sha256 of the reference data{of_task}"] = part.gold.sha256
            if part.people is not None:
                hashes["sha256 of people's scores"] = part.people.sha256
        for number, entry in enumerate(part.entries):
            if entry and (not scores_only or number == (competition.focus or 0)):
                hashes[f"sha256 of {entry.name}{of_task}"] = entry.sha256
    return hashes


def in_full(metric: Metric, gold: Gold) -> str:
    """Return what decides a metric's value: of a library's, also its version.

    Of texts, the defaults and the number of references belong to it. Where the library has
    signatures of its own, as sacreBLEU has, it is that.
    """
    statistics = metric.statistics
    if statistics is None or not statistics.libraries:
        return metric.description
    versions = _versions(*statistics.libraries)
    target = target_of(metric, gold) if metric.kind == TEXT else None
    if target is None:
        return " ".join((metric.description, *map(":".join, versions.items())))
    cells = gold.columns[target.column]
    counts = {1 if isinstance(cell, str) else len(cell) for cell in cells}
    references = counts.pop() if len(counts) == 1 else -1
    signature_of = getattr(statistics.count, "signature", None)
    if signature_of is not None:
        return f"{metric.description} {signature_of(metric.all_params, references)}"
    values = {**metric.all_params, "nrefs": references if references > 0 else "var", **versions}
    return f"{metric.function}({', '.join(f'{key}={value}' for key, value in values.items())})"


def commitment(seed: int) -> str:
    """Return the SHA-256 hash of a seed's decimal digits.

    Participants see it while the seed is secret. Once the organizer shows the seed, everybody can
    check that it is the one that was used.
    """
    return hashlib.sha256(str(seed).encode()).hexdigest()


@cache  # of SciPy, reading it takes as long as a small analysis takes to draw
def _versions(*packages: str) -> Mapping[str, str]:
    """Return the versions of the packages that are installed; bundles carry only what they need."""
    versions = {}
    for package in packages:
        with suppress(metadata.PackageNotFoundError):
            versions[package] = metadata.version(package)
    return versions
