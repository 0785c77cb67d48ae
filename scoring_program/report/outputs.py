"""All files of a run."""

from __future__ import annotations

from collections.abc import Sequence

from ..inference.findings import Findings
from . import markup
from .assemble import Report
from .conversion import converted
from .results_json import results_json
from .scores import scores, scores_json, scores_txt
from .standalone import figures
from .tables import tables


def files(
    findings: Findings, report: Report, formats: Sequence[str] | None = None
) -> dict[str, str | bytes]:
    """Return everything that is written: path below OUTPUT → content.

    Figures are converted into ``formats``, by default those of the settings. Participants who may
    see the scores only get the page and the scores.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    flat = scores(findings)
    found: dict[str, str | bytes] = {
        "detailed_results.html": markup.page(report),
        "scores.json": scores_json(flat),
        "scores.txt": scores_txt(flat),
    }
    if findings.scores_only:
        return found
    drawn = figures(report)
    wanted = findings.settings.figures if formats is None else formats
    written = tables(report.tables, report.texts)
    return {
        **found,
        "results.json": results_json(findings, report.verdict),
        **{f"tables/{name}": text for name, text in written.items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": content for name, content in converted(drawn, wanted)},
    }
