"""The record of the ranking metric with the words to announce it, and whom a letter is for."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..api.record_view import RecordView
from ..api.rows import RankingRow
from ..core.phrases import Phrase
from ..core.version import __version__
from ..data.gold import PRIVATE
from ..data.score_tables.table_of_all import BATTLES
from ..document.shortening import isolated, slugs, told_apart
from ..inference.evidence import OF_UPLOADS
from ..reading.formats.kind import UNITS
from ..report.announcement import announcement, recorded_podium
from ..report.prize_words import PrizeWords, unknown
from ..report.view import IN_SENTENCE

#: How the signature names the hash of the reference data; of a part, in brackets, too.
HASH_OF_GOLD = "sha256 of the reference data"
#: Names of files have at most so many letters.
_LONGEST_NAME = 100
#: Names that Windows keeps for devices, whatever follows them.
_OF_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Team:
    """A team that competes, and the entry that stands for it."""

    name: str
    row: RankingRow
    record: Mapping[str, Any]  # of the entry, as results.json has it
    has_other_name: bool  # whether the entry is not called like the team


class AnnouncedResults(RecordView):
    """The ranking metric of a results.json in a language, and what is announced of it."""

    def __init__(self, document: Mapping[str, Any], language: str | None = None) -> None:
        settings = dict(document["settings"])
        if language is not None:
            settings["language"] = language
        record = document["metrics"][0]
        super().__init__(record, {**document, "settings": settings})
        self.document = document
        self.settings = settings
        self.record = record
        self.verdict = record["verdict"]
        self.podium = recorded_podium(document, record)
        self.announcement = announcement(self.podium, self.language)
        self.scores_only = settings.get("participants") == "score"
        self.page_address = str(settings.get("page_url") or "")

    @property
    def title(self) -> str:
        """The title of the competition."""
        return str(self.document["title"] or self.say("Competition results"))

    @property
    def about(self) -> str:
        """The host and the date of the results."""
        parts = (self.settings.get("host"), self.settings.get("date"))
        return " · ".join(part for part in parts if part)

    @property
    def source(self) -> str:
        """Where a picture comes from."""
        made_by = self.language.say("Made by Deadheat {version}", version=__version__).strip()
        return " · ".join(part for part in (self.about, made_by) if part)

    @cached_property
    def names(self) -> dict[str, str]:
        """Team → its name as sentences have it."""
        teams = list(dict.fromkeys(row["team"] for row in self.record["entries"]))
        shortened = told_apart(teams, IN_SENTENCE)
        return dict(zip(teams, map(isolated, shortened), strict=True))

    def team_of(self, entry: str) -> str:
        """Return the name of the team of an entry, as sentences have it."""
        return self.names[self._teams_of_entries[entry]]

    @cached_property
    def _teams_of_entries(self) -> dict[str, str]:
        return {row["entry"]: row["team"] for row in self.record["entries"]}

    @cached_property
    def teams(self) -> list[Team]:
        """The teams that compete, best first, each with the entry that stands for it."""
        standing: dict[str, Team] = {}
        for row, record in zip(self.rows, self.record["entries"], strict=True):
            team = record["team"]
            # Of the runs of a team, only the one that stands for it has places.
            is_first = team not in standing or standing[team].row.rank_low is None
            if not row.baseline and is_first:
                standing[team] = Team(team, row, record, team != row.entry)
        return list(standing.values())

    @property
    def has_gold(self) -> bool:
        """Whether there are correct answers, and not only scores that were made elsewhere."""
        return self.kind not in (UNITS, BATTLES)

    @property
    def ranks_private_rows(self) -> bool:
        """Whether the reference data have public rows, too, which have no part in the ranking.

        Of tasks, each has a hash of its own.
        """
        hashed = [key for key in self.document["signature"] if key.startswith(HASH_OF_GOLD)]
        return hashed == [f"{HASH_OF_GOLD} ({PRIVATE})"]

    @property
    def competing(self) -> int:
        """The number of entries that compete."""
        return sum(not row.baseline for row in self.rows)

    @property
    def baselines_ahead(self) -> list[str]:
        """The names of the baselines that score better than the leader, best first."""
        baselines = (row for row in self.rows if row.baseline)
        ahead = (row for row in baselines if self.sign * (row.score - self.best) > 0)
        return [self.team_of(row.entry) for row in ahead]

    @property
    def is_withdrawn(self) -> bool:
        """Whether a serious caution withdraws what is said of possible winners."""
        return self.podium.serious_cautions > 0

    @property
    def serious_cautions(self) -> list[str]:
        """The serious cautions about the evidence, in the language, each once."""
        return self._serious(without=OF_UPLOADS)

    @property
    def to_settle_first(self) -> list[str]:
        """The same and, for the organizer, those about uploads, which withdraw no confidence."""
        return self._serious(without=())

    def _serious(self, *, without: Container[str]) -> list[str]:
        sentences = [
            self.of_warning(warning)
            for warning in self.document["warnings"]
            if warning["level"] == "red" and warning["code"] not in without
        ]
        return list(dict.fromkeys(sentences))

    def of_warning(self, warning: Mapping[str, Any]) -> str:
        """Return a warning in the language; in English where the file does not hold its phrase."""
        return self._said(warning, str(warning["message"]))

    def reason_of(self, item: Mapping[str, Any]) -> str:
        """Return in the same way why an entry has no score."""
        return self._said(item, str(item["reason"]))

    def _said(self, item: Mapping[str, Any], english: str) -> str:
        """Return the phrase of an item in the language, or else its English text."""
        if self.language.code == "en" or not item.get("phrase"):
            return english
        try:
            return self.language.say(Phrase.from_dict(item["phrase"]))
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            return english

    def prizes(self) -> list[str]:
        """Return who surely takes a prize, who may and who does not; empty if nobody asked."""
        prizes = self.record["prizes"]
        if prizes is None or len(self.teams) < 2:
            return []
        words = self.prize_words
        if words is None:
            return [unknown(self.language, prizes["places"], str(prizes["reason"]), self.rule)]
        return list(words.sentences())

    @cached_property
    def prize_words(self) -> PrizeWords | None:
        """The teams by what is settled of the prizes; None where nothing is."""
        prizes = self.record["prizes"]
        if prizes is None or prizes["sure"] is None:
            return None
        return PrizeWords(
            self.language,
            prizes["places"],
            sure=self._named(prizes["sure"]),
            open=self._named(prizes["open"]),
            out=self._named(prizes["out"]),
            first_open=len(self.podium.possible_winners) > 1,
        )

    def _named(self, teams: Sequence[str]) -> list[str]:
        return [self.names[team] for team in teams]

    def examples(self) -> str:
        """Return the number of test examples, with the noun."""
        return self.language.examples(self.kind, int(self.document["n"]))


def file_names(keys: Mapping[str, str], more: Sequence[str]) -> dict[str, str]:
    """Return name → name of a file, without its ending, for teams and for ``more`` names.

    ``keys`` has the keys of the teams in scores.txt, which are the names of their files unless a
    system could not tell two of them apart or would refuse one.
    """
    extra = [name for name in more if name not in keys]
    wanted = dict(keys)
    free = slugs([*keys.values(), *extra])[len(keys) :]
    wanted.update(zip(extra, free, strict=True))
    taken: set[str] = set()
    names = {}
    for name, key in wanted.items():
        start = key[:_LONGEST_NAME]
        if _OF_DEVICES.match(start):
            start = f"_{start}"
        unique = start
        number = 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{start}_{number}"
        taken.add(unique.casefold())
        names[name] = unique
    return names
