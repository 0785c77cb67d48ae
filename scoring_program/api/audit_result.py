"""The organizer's audit as an object of the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..audit.pages.page import OUTPUTS, AuditReport
from ..report.write import write


class AuditResult:
    """An audit, or the plan of a competition. Keep it from participants: it may hold the gold."""

    def __init__(self, report: AuditReport) -> None:
        self._report = report

    def __repr__(self) -> str:
        return f"<AuditResult: {self.verdict}>"

    @property
    def verdict(self) -> str:
        """The most important finding in one sentence."""
        return self._report.verdict

    @property
    def summary(self) -> str:
        """The verdict and what to look at again, a line each."""
        return self._report.text

    @property
    def secret(self) -> str:
        """What it holds that nobody but the organizer may see."""
        return self._report.secret

    def to_dict(self) -> dict[str, Any]:
        """Return the content of audit.json."""
        content: dict[str, Any] = json.loads(self._report.files["audit.json"])
        return content

    def save(self, folder: str | Path) -> None:
        """Write audit.html, audit.json, tables and figures to a folder.

        Raises
        ------
        OrganizerError
            The folder cannot be written; it is left as it was.
        """
        write(Path(folder), self._report.files, outputs=OUTPUTS)
