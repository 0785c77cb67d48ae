"""The sections that follow those of the metrics, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..view import MetricView
from . import (
    caution_list,
    citation,
    competitiveness_table,
    left_aside_list,
    method,
    own_scores,
    paper,
    runs,
    sample_size,
    score_schemes,
    shake_up,
    signature_list,
    slice_tables,
    task_ranks,
    trade_off_picture,
    unscored_list,
    unusable_list,
)
from .section import Section

#: Each takes a view of every metric, the ranking metric first, and gives no section where it has
#: nothing to say.
Sections = tuple[Callable[[Sequence[MetricView]], Iterable[Section]], ...]
SECTIONS: Sections = (
    caution_list.sections,
    sample_size.sections,
    shake_up.sections,
    score_schemes.sections,
    unusable_list.sections,
    unscored_list.sections,
    left_aside_list.sections,
    runs.sections,
    paper.sections,
)
#: Pictures of several metrics at once, folded away below the table of all metrics.
PICTURES: Sections = (task_ranks.sections, trade_off_picture.sections)
#: The sections for statisticians, below what they want to know of each metric.
EVIDENCE: Sections = (
    slice_tables.sections,
    competitiveness_table.sections,
    method.sections,
    citation.sections,
    signature_list.sections,
)
#: The sections of a participant who may see the scores only.
SCORES_ONLY: Sections = (own_scores.sections, signature_list.sections)
