"""All files of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..document.blocks import Document
from ..document.html import page
from ..document.standalone import bare, framed
from ..document.take_away import tables
from .assemble import summaries
from .conversion import converted
from .findings import Findings
from .results_json import results_json
from .scores import scores, scores_json, scores_txt


def figures(report: Document) -> Mapping[str, str]:
    """Return file name → SVG of every figure, each complete in itself, and of the card."""
    found = {
        f"{name}.svg": bare(one, "column.css.j2") if one.unit else framed(one, report.source)
        for name, one in report.figures.items()
    }
    return found if report.card is None else {**found, "card.svg": bare(report.card)}


def files(
    findings: Findings, report: Document, formats: Sequence[str] | None = None
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
        "detailed_results.html": page(report),
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
        "results.json": results_json(findings, report.verdict, summaries(findings)),
        **{f"tables/{name}": text for name, text in written.items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": content for name, content in converted(drawn, wanted)},
    }
