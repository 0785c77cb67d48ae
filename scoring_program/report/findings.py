"""The findings of a run, from which the page, results.json and the scores are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.errors import LeftOut
from ..core.phrases import Phrase
from ..data.competition import Form, Uncompared
from ..inference.evidence import Evidence
from ..reading.formats.kind import ROWS
from ..settings.model import Settings


@dataclass(frozen=True, eq=False)
class Findings:
    """The evidence about all metrics, the settings, and facts about the run.

    ``form`` is ``teams`` (every entry competes), ``field`` (the entry ``focus`` is compared with a
    packed field) or ``single`` (one submission alone).
    """

    settings: Settings
    form: Form
    names: tuple[str, ...]  # of the entries, [m]
    n: int  # test examples, of all tasks together
    evidence: tuple[Evidence, ...]  # about the ranking metric first
    signature: Mapping[str, str]
    focus: int | None = None
    groups: int | None = None  # their number, if whole groups are resampled
    public: int | None = None  # evidence that ranks on the public rows, if there are any
    unusable: tuple[LeftOut, ...] = ()
    #: Entry and where it has no score → reason.
    unscored: Mapping[tuple[str, str], Phrase] = field(default_factory=dict)
    uncompared: tuple[Uncompared, ...] = ()
    left_aside: tuple[LeftOut, ...] = ()  # the uncompared ones included
    averaged: int = 0  # runs beyond the first of their teams, which count in the teams' means
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    notes: tuple[Phrase, ...] = ()
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
    def account(self) -> Phrase:
        """What became of every upload, as a sum without zeros.

        What no metric can score is unusable.
        """
        nowhere = {*self.names}.difference(*(one.names for one in self.evidence))
        count = len(self.names) - len(nowhere)
        compared = Phrase("{compared:n} compared", compared=count)
        if self.averaged:
            compared = Phrase(
                "{compared:n} compared + {averaged:n} averaged with them",
                compared=count,
                averaged=self.averaged,
            )
        if unusable := len(self.unusable) + len(nowhere):
            compared = Phrase(
                "{compared} + {unusable:n} unusable", compared=compared, unusable=unusable
            )
        if aside := len(self.left_aside):
            compared = Phrase("{compared} + {count:n} left aside", compared=compared, count=aside)
        return Phrase("{uploads:n} = {compared}", uploads=self.uploads, compared=compared)
