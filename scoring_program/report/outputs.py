"""All files of a run."""

from __future__ import annotations

from ..inference.findings import Findings
from . import markup
from .assemble import Report
from .results_json import results_json
from .scores import scores, scores_json, scores_txt
from .standalone import figures
from .tables import tables


def files(findings: Findings, report: Report) -> dict[str, str]:
    """Return everything that is written: path below OUTPUT → text.

    Participants who may see the scores only get the page and the scores.
    """
    flat = scores(findings)
    found = {
        "detailed_results.html": markup.page(report),
        "scores.json": scores_json(flat),
        "scores.txt": scores_txt(flat),
    }
    if findings.scores_only:
        return found
    return {
        **found,
        "results.json": results_json(findings, report.verdict),
        **{f"tables/{name}": text for name, text in tables(report.tables).items()},
        **{f"figures/{name}": text for name, text in figures(report).items()},
    }
