"""The types of arguments of calls in Python: frames, metrics, and settings as keywords.

The reference of the settings tells what each does; a test compares the keywords with their table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack
elif sys.version_info >= (3, 11):
    from typing import Unpack
else:
    Unpack = type  # Python 3.10 has none; hints are resolved all the same

__all__ = [
    "Frame",
    "Interval",
    "Keywords",
    "Metrics",
    "OneMetric",
    "SubmissionKeywords",
    "Tests",
    "TieRule",
    "Unpack",
]

TieRule = Literal["max_t", "holm", "bonferroni", "fdr_bh", "none", "interval"]
Interval = Literal["percentile", "standard_error", "bca"]
_Test = Literal["randomization", "mcnemar"]
Tests = _Test | Sequence[_Test]


class Frame(Protocol):
    """A data frame or a table of named columns, such as those of pandas, polars and pyarrow."""

    @property
    def columns(self) -> Any:
        """The names of the columns, or the columns themselves."""

    def __getitem__(self, key: Any, /) -> Any:
        """Return a column by its name."""


#: A scorer's or a function's name, a function, or a mapping as in the settings; or several of them.
OneMetric = str | Callable[..., Any] | Mapping[str, Any]
Metrics = OneMetric | Sequence[OneMetric]


class SubmissionKeywords(TypedDict, total=False):
    """Settings of `score_submission`, whose argument ``reference`` is another than the setting."""

    title: str
    date: str
    host: str
    url: str
    page_url: str
    metrics: Metrics
    rank_by: str | None
    resamples: int
    seed: int
    confidence: float
    interval: Literal["percentile", "standard_error", "bca"]
    tie_rule: Literal["interval", "none", "bonferroni", "holm", "fdr_bh", "max_t"]
    studentized: Literal["auto", "always", "never"]
    group: str | Sequence[str] | None
    stratify: str | None
    slices: str | Sequence[str]
    layout: Literal["auto", "single", "teams", "wide", "long"]
    format: str
    submissions: Mapping[str, Any] | None
    name_pattern: str | None
    phase: int | None
    other_tasks: str | Sequence[str]
    bare_files: Literal["refuse", "accept"]
    runs: Literal["all", "best", "last", "mean"]
    seeds: Literal["cross", "ignore"]
    missing: Literal["error", "wrong", "worst", "drop_unit", "judged"]
    overall: str | None
    missing_task: Literal["drop", "worst"]
    labels: str | int | Sequence[str | int] | None
    extra_ids: Literal["error", "ignore"]
    reader: str | None
    kit_reader: bool
    id_column: str | None
    unit: str | Sequence[str] | None
    system: str | None
    sample: str | None
    folds: Mapping[str, Any] | str | None
    human: str | None
    human_sample: Literal["random"] | None
    greater_is_better: bool | None
    baselines: str | Sequence[str]
    reference_entry: str | None
    yardstick: Sequence[Sequence[str]]
    margin: float | None
    prizes: int | None
    costs: Mapping[str, float] | str | None
    tests: Literal["randomization", "mcnemar"] | Sequence[Literal["randomization", "mcnemar"]]
    anonymize: bool
    participants: Literal["full", "score"]
    precision: Literal["digits", "standard_error"]
    language: str
    color_scheme: Literal["auto", "light", "dark"]
    print: Literal["short", "full"]
    interactive: bool
    figures: Literal["pdf", "png"] | Sequence[Literal["pdf", "png"]]
    strict: bool
    time_budget: float | None
    memory: float
    workers: int
    backend: Literal["auto", "threads", "processes", "loky", "dask", "ray"]
    scheduler: str | None
    limits: Mapping[str, int] | None
    largest_file: int | None
    largest_upload: int | None
    most_files: int
    most_ratio: int
    most_nested: int


class Keywords(SubmissionKeywords, total=False):
    """All settings, none of them required; they override the file."""

    reference: Mapping[str, Any] | None
