"""What rendering is given: the analyses of the inference step and the facts around them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..alignment.competition import Unusable
from ..core.notes import Note
from ..inference.analysis import MetricAnalysis


@dataclass(frozen=True)
class MetricInput:
    """One metric: its analysis and how people call and read it; unbounded sides are infinite."""

    analysis: MetricAnalysis
    label: str  # "F1"
    definition: str  # readable, with parameters: "f1_score(pos_label='offensive')"
    ideal: float | None = None
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class PageInput:
    """Everything on the page that is not inferred.

    ``metrics`` starts with the ranking metric. ``form`` is ``teams`` (every entry competes),
    ``field`` (``focus`` is one submission among a packed field) or ``single`` (one alone).
    """

    title: str
    n: int
    entries: tuple[str, ...]
    metrics: tuple[MetricInput, ...]
    form: Literal["teams", "field", "single"] = "teams"
    focus: int | None = None
    unusable: tuple[Unusable, ...] = ()
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    runs_policy: str = "all"
    notes: tuple[Note, ...] = ()
    signature: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    color_scheme: str = "auto"
    version: str = ""
    group: str | None = None  # column whose groups were resampled whole
    groups: int | None = None  # how many of them
    stratify: str | None = None
    public: int | None = None  # of the metrics, the ranking one on the public rows, if any are
