"""The findings of a run, from which the page, results.json and the scores are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..alignment.competition import Form, Uncompared, Unusable
from ..core.notes import LeftAside, Note
from ..core.phrases import Phrase
from ..reading.formats.kind import ROWS
from ..settings.model import Settings
from .analysis import MetricAnalysis


@dataclass(frozen=True, eq=False)
class Findings:
    """The analyses of all metrics, their settings, and facts about the run.

    ``form`` is ``teams`` (every entry competes), ``field`` (the entry ``focus`` is compared with a
    packed field) or ``single`` (one submission alone).
    """

    settings: Settings
    form: Form
    names: tuple[str, ...]  # of the entries, [m]
    n: int  # test examples, of all tasks together
    analyses: tuple[MetricAnalysis, ...]  # of the ranking metric first
    signature: Mapping[str, str]
    focus: int | None = None
    groups: int | None = None  # their number, if whole groups are resampled
    public: int | None = None  # the analysis that ranks on the public rows, if there are any
    unusable: tuple[Unusable, ...] = ()
    #: Entry and where it has no score → reason.
    unscored: Mapping[tuple[str, str], Phrase] = field(default_factory=dict)
    uncompared: tuple[Uncompared, ...] = ()
    left_aside: tuple[LeftAside, ...] = ()  # the uncompared ones included
    averaged: int = 0  # runs beyond the first of their teams, which count in the teams' means
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    notes: tuple[Note, ...] = ()
    kind: str = ROWS  # what an example is, if all tasks have the same kind of data
    duration: float | None = None  # of the submission, in seconds, if the platform gave it

    @property
    def scores_only(self) -> bool:
        """Whether a participant reads the outputs, who may see the scores only."""
        return self.settings.shows_scores_only(self.form)

    @property
    def uploads(self) -> int:
        """The number of uploads: compared, averaged with these, unusable and left aside."""
        return len(self.names) + self.averaged + len(self.unusable) + len(self.left_aside)

    @property
    def account(self) -> Note:
        """What became of every upload, as a sum."""
        compared = Note("facts.compared", {"compared": len(self.names)})
        if self.averaged:
            numbers = {**compared.values, "averaged": self.averaged}
            compared = Note("facts.compared_with_means", numbers)
        return Note(
            "facts.account",
            {
                "uploads": self.uploads,
                "compared": compared,
                "unusable": len(self.unusable),
                "left_aside": len(self.left_aside),
            },
        )
