"""All files of a run."""

from __future__ import annotations

from ..inference.result import Result
from . import markup
from .assemble import Report
from .results_json import results_json
from .scores import scores, scores_json, scores_txt
from .tables import tables


def files(result: Result, report: Report) -> dict[str, str]:
    """Return everything that is written: path below OUTPUT → text."""
    flat = scores(result)
    return {
        "detailed_results.html": markup.page(report),
        "results.json": results_json(result),
        **{f"tables/{name}": text for name, text in tables(report.tables).items()},
        **{f"figures/{name}": text for name, text in markup.figures(report).items()},
        "scores.json": scores_json(flat),
        "scores.txt": scores_txt(flat),
    }
