"""The groups in which people find the settings: the most used group first, and so within each.

The help, the reference and the schema for editors show the keys in this order.
"""

from __future__ import annotations

from collections.abc import Mapping

#: What a group is about → its keys.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "what counts": (
        "metrics",
        "rank_by",
        "labels",
        "missing",
        "baselines",
        "prizes",
        "costs",
        "greater_is_better",
    ),
    "what the files mean": (
        "reference",
        "submissions",
        "id_column",
        "layout",
        "format",
        "unit",
        "system",
        "sample",
        "human",
        "human_sample",
        "reader",
        "other_tasks",
        "extra_ids",
    ),
    "how the test set is resampled": (
        "resamples",
        "seed",
        "confidence",
        "group",
        "stratify",
        "slices",
        "seeds",
        "folds",
    ),
    "statistics for experts": (
        "tie_rule",
        "interval",
        "tests",
        "margin",
        "reference_entry",
        "studentized",
        "yardstick",
    ),
    "uploads": ("runs", "strict", "name_pattern", "phase", "bare_files", "kit_reader"),
    "tasks": ("overall", "missing_task"),
    "the page": (
        "title",
        "date",
        "host",
        "url",
        "language",
        "anonymize",
        "figures",
        "page_url",
        "interactive",
        "color_scheme",
        "print",
    ),
    "what participants see": ("participants", "precision"),
    "limits and resources": (
        "time_budget",
        "workers",
        "memory",
        "limits",
        "backend",
        "scheduler",
        "largest_file",
        "largest_upload",
        "most_files",
        "most_ratio",
        "most_nested",
    ),
}

#: Key → what its group is about.
GROUP_OF = {key: about for about, keys in GROUPS.items() for key in keys}
