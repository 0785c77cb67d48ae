"""The keyword arguments of `score` and `score_submission`: the settings of scoring.yaml, typed.

The reference of the settings tells what each does; a test compares this list with their table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from .metric_arguments import Metrics


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
    greater_is_better: bool | None
    baselines: str | Sequence[str]
    reference_entry: str | None
    yardstick: Sequence[Sequence[str]]
    margin: float | None
    prizes: int | None
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
    largest_file: int | None
    largest_upload: int | None
    most_files: int
    most_ratio: int
    most_nested: int


class Keywords(SubmissionKeywords, total=False):
    """All settings, none of them required; they override the file."""

    reference: Mapping[str, Any] | None
