"""The audit's page, tables and audit.json, and what the sections of the page have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..core.phrases import Language, gettext_noop
from ..core.version import __version__
from ..document.blocks import Fact, Facts, Picture, Section, passage
from ..document.html import Document, framed, page
from ..document.take_away import Cell, ResultTable, TableColumn, cell, tables
from ..inference.evidence import Evidence
from ..report.assemble import converted
from ..report.findings import Findings
from ..report.numbers import decimals_of
from ..report.sections.account import signed
from ..report.view import FilledColumn, Writer
from ..report.write import write

#: Of audit.json.
SCHEMA_VERSION = 2
#: What an audit may leave in its folder.
_OUTPUTS = ("audit.html", "audit.json", "tables", "figures")
#: Rows that a table of the page shows; the files hold all.
_SHOWN = 10
#: Parts of a competition of which a line says what was found.
_TOLD_PARTS = 2


#: What audit.json holds of something.
Json = Mapping[str, Any]
#: What the organizer has to do about a finding, by its key.
TO_DO = {
    "regraded": gettext_noop("Decide whether the changed labels become the gold, and score again."),
    "certificate": gettext_noop("Check the gold before you announce a winner."),
    "suspects": gettext_noop("Look again at the labels that decide, whomever they help."),
    "to_check": gettext_noop("Look again at the {things} that decide, whomever they help."),
    "identical": gettext_noop("Ask the teams that sent the same predictions."),
    "copies": gettext_noop("Read what shared errors can mean before you ask a team about them."),
    "examples": gettext_noop("Check the gold of the {things} that nobody gets right."),
    "schemes": gettext_noop(
        "Say which metric ranks when you announce: by another scheme, another entry is on top."
    ),
    "optimism": gettext_noop(
        "Announce the private ranking, and say that some public scores were too good."
    ),
    "sizes": gettext_noop("Submit two serious baselines before you fix the size of the test set."),
    "checks": gettext_noop("Mend the test set before you publish it."),
}


@dataclass(frozen=True)
class Finding:
    """What a question of the audit found, in one sentence, and the section that tells all of it.

    ``part`` is the name of the part of the competition, if there are several. The organizer should
    do something about what is to ``look`` at: `TO_DO` says what, by the ``key``.
    """

    key: str
    heading: str
    part: str
    brief: str
    section: Section
    look: bool


@dataclass(frozen=True)
class Outcome:
    """What comes of a question of the audit: its keys of audit.json, and its findings."""

    content: Json = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    verdict: str = ""  # of the page; empty if this question does not decide it


class Page(Writer):
    """Writes the sections of a part, or of the whole: their ids, headings, tables and numbers.

    ``title`` is that of the part, ``suffix`` that of ids and file names, if there are several, and
    ``level`` the confidence of all intervals.
    """

    def __init__(
        self, language: Language, decimals: int, title: str = "", suffix: str = "", level: str = ""
    ) -> None:
        self.language = language
        self.decimals = decimals
        self.title = title
        self.suffix = suffix
        self.level = level

    @classmethod
    def from_evidence(
        cls, evidence: Evidence, language: Language, title: str = "", suffix: str = ""
    ) -> Page:
        """Return the page of a part by its ranking metric."""
        level = language.numerals.exact_percent(evidence.question.confidence)
        return cls(language, decimals_of(evidence), title, suffix, level)

    def answers(self, key: str, heading: str, get: Callable[[Any], bool]) -> FilledColumn:
        """Return a column of yes and no; machines read 1 and 0."""
        yes = cell(self.say("yes"), 1)
        no = cell(self.say("no"), 0)
        return TableColumn((key,), heading), lambda item: yes if get(item) else no

    def fewest(self, key: str, heading: str, name: str) -> FilledColumn:
        """Return how few changes draw a rival level; unless the number is exact, fewer may do.

        The items are as audit.json holds them; ``name`` is their key for the number.
        """

        def number_cell(item: Json) -> Cell:
            number = item[name]
            if number is None:
                return cell(self.say("no number found"), None, "")
            if item["exact"]:
                return cell(self.count(number), number, self.say("exact"))
            text = self.say("at most {distance}", distance=self.count(number))
            return cell(text, number, self.say("at most"))

        return TableColumn((key, "kind"), heading, numeric=True), number_cell

    def strongest(
        self, items: Sequence[Json], name: str, sentence: Callable[..., Any], **values: Any
    ) -> str:
        """Say of the rival that the fewest changes draw level what they do; empty if none is known.

        The items are those of `fewest`.
        """
        reachable = (item for item in items if item[name] is not None)
        least = min(reachable, key=itemgetter(name), default=None)
        if least is None:
            return ""
        values |= {"rival": least["rival"], "count": least[name]}
        brief = self.say("{rival} is level with {leader} as the labels are.", **values)
        if least[name]:
            brief = self.say(*sentence(least), **values)
        return f"{self.title}: {brief}" if self.title else brief

    def where_to_begin(self, brief: str, count: int) -> str:
        """Say with how many to begin, where nobody would look at all of them."""
        if count <= _SHOWN:
            return brief
        begin = self.say("Begin with the first {count}.", count=self.count(_SHOWN))
        return f"{brief} {begin}"

    def finding(
        self,
        key: str,
        heading: str,
        brief: str,
        paragraphs: Sequence[str] = (),
        table: ResultTable | None = None,
        pictures: Sequence[Picture] = (),
        *,
        whole: bool = False,
        look: bool = False,
    ) -> Finding:
        """Return a section with the first rows of a table, or the ``whole`` table."""
        note = table.note if table else ""
        if table and len(table.rows) > _SHOWN and not whole:
            note = self.say(
                "{shown} of {total} rows are shown; {file} holds all of them.",
                shown=self.count(_SHOWN),
                total=self.count(len(table.rows)),
                file=f"tables/gold_{table.name}.csv",
            )
            table = replace(table, excerpt=tuple(range(_SHOWN)))
        blocks = passage(paragraphs, None, table, pictures, note)
        section = Section(f"audit-{key}{self.suffix}", self.title or heading, blocks)
        return Finding(key, heading, self.title, brief, section, look)


@dataclass(frozen=True, repr=False)
class AuditResult:
    """An audit, or the plan of a competition. Keep it from participants: it may hold the gold.

    ``verdict`` is the most important finding in one sentence, ``summary`` has also what to look at
    again, a line each, and ``secret`` says what the audit holds that only the organizer may see.
    """

    verdict: str
    summary: str
    secret: str
    files: Mapping[str, str | bytes]  # path → content

    def __repr__(self) -> str:
        return f"<AuditResult: {self.verdict}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the content of audit.json."""
        content: dict[str, Any] = json.loads(self.files["audit.json"])
        return content

    def save(self, folder: str | Path) -> None:
        """Write audit.html, audit.json, tables and figures to a folder.

        Raises
        ------
        OrganizerError
            The folder cannot be written; it is left as it was.
        """
        write(Path(folder), self.files, outputs=_OUTPUTS)


def report(
    audited: Findings,
    language: Language,
    verdict: str,
    notes: Sequence[str],
    findings: Iterable[Finding],
    content: object,
) -> AuditResult:
    """Return a page with these findings; the first of the ``notes`` says what it holds.

    Raises SettingsError if the library that converts figures is not installed.
    """
    say = language.say
    secret = notes[0]
    settings = audited.settings
    tasks, blocks = _ordered(findings, language)
    document = Document(
        language=language,
        overline=say("Audit for the organizer"),
        title=settings.title or say("Audit of the competition"),
        verdict=verdict,
        consequence=tuple(filter(None, notes)),
        blocks=(
            *blocks,
            signed(audited, language),
        ),
        made_by=say("Made by Deadheat {version}", version=__version__).strip(),
        contains_gold=True,
    )
    # The names of the files say it, too, because a CSV has no room for a caption.
    gold_tables = [
        replace(table, name=f"gold_{table.name}", note=f"{table.note} {secret}".strip())
        for table in document.tables
    ]
    figures = document.figures.items()
    source = f"{document.title} · {document.made_by}"
    drawn = {f"gold_{name}.svg": framed(figure, source) for name, figure in figures}
    files: dict[str, str | bytes] = {
        "audit.html": page(document),
        "audit.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        **{f"tables/{name}": text for name, text in tables(gold_tables).items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": picture for name, picture in converted(drawn, settings.figures)},
    }
    summary = "\n".join([verdict, *(f"{task.label} {task.value}" for task in tasks)])
    return AuditResult(verdict, summary, secret, files)


def _ordered(
    findings: Iterable[Finding], language: Language
) -> tuple[Sequence[Fact], Sequence[Section]]:
    """Return what to do, a line a question, and the lists and sections of the page.

    What the organizer has something to do about comes first.
    """
    questions: dict[str, list[Finding]] = {}
    for finding in findings:
        questions.setdefault(finding.key, []).append(finding)
    say = language.say
    tasks: list[Fact] = []
    links: list[Fact] = []
    urgent: list[Section] = []
    calm: list[Section] = []
    for key, answers in questions.items():
        if any(finding.look for finding in answers):
            tasks.append(Fact(say(TO_DO[key]), *_told(answers)))
            urgent.append(_section(answers))
        else:
            links.append(Fact(answers[0].heading, *_told(answers)))
            calm.append(_section(answers))
    heading = say("What else the audit found" if tasks else "What the audit found")
    lists = [*_list("to-do", say("What to do"), tasks), *_list("found", heading, links)]
    return tasks, [*lists, *urgent, *calm]


def _list(key: str, heading: str, links: Sequence[Fact]) -> Iterator[Section]:
    """Yield a list of links below its heading, if it holds any."""
    if links:
        listed = Facts(tuple(links), "brief", heading, links=True)
        yield Section(f"audit-{key}", heading, (listed,))


def _told(answers: Sequence[Finding]) -> tuple[str, str]:
    """Return what a question found, and the place of its section.

    Of several parts, it is told of the first ones to look at, else of the first one: the part that
    decides the ranking.
    """
    sentences = []
    for finding in [finding for finding in answers if finding.look][:_TOLD_PARTS] or answers[:1]:
        part = f"{finding.part}: " if finding.part else ""
        sentences.append(f"{part}{finding.brief}")
    return " ".join(sentences), _section(answers).id


def _section(answers: Sequence[Finding]) -> Section:
    """Return the section of a question, with one of each part below it if there are several."""
    first = answers[0]
    if not first.part:
        return first.section
    folded = [replace(finding.section, folded=True) for finding in answers[1:]]
    return Section(f"audit-{first.key}", first.heading, (first.section, *folded))
