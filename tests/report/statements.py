"""No statement of an output stands against another: read as people read, from the files alone.

Whatever a page, a figure, a table or a file says of one competition is taken from its text, and
compared with what the others say. Nothing is taken from the evidence behind them. So the outputs of
any competition can be asked:

    python -m tests.report.statements OUTPUT...

prints for each folder what stands against something else, and ends with 1 if anything does. Pages
of teams in English are read, by their ranking metric.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import traceback
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from scoring_program import report as render
from scoring_program.report.assemble import files
from scoring_program.report.findings import Findings
from tests.competitions import read_scores

#: Marks of directions around names, which readers do not see.
_ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
#: What has no end tag.
_VOID = ("br", "img", "meta", "link", "input", "hr", "col", "wbr", "use", "rect", "line", "circle")
SVG = "{http://www.w3.org/2000/svg}"
#: Numbers that sentences spell.
_SPELLED = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
}  # fmt: skip


@dataclass
class Row:
    """A row of the ranking: its cells by column, whether it is marked, and what is drawn in it."""

    classes: str
    cells: dict[str, str] = field(default_factory=dict)
    bar: tuple[float, float] | None = None
    dot: float | None = None


class Page(HTMLParser):
    """What a reader sees: the words, the first ranking, its headings, and the cards of entries."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words = ""
        self.headings: dict[str, str] = {}
        self.rows: list[Row] = []
        self.cards: dict[str, dict[str, str]] = {}
        self._stack: list[tuple[str, dict[str, str]]] = []
        self._tables = 0
        self._label = ""
        self.feed(text)
        self.words = " ".join(self.words.split()).translate(_ISOLATES)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        about = {key: value or "" for key, value in attributes}
        if tag == "table":
            self._tables += "ranking" in about.get("class", "").split()
        if self._in_ranking and tag == "tr" and "card" not in about.get("class", "").split():
            self.rows.append(Row(about.get("class", "")))
        self._draw(tag, about)
        if tag not in _VOID:
            self._stack.append((tag, about))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._draw(tag, {key: value or "" for key, value in attributes})

    def _draw(self, tag: str, about: Mapping[str, str]) -> None:
        classes = about.get("class", "").split()
        if not self._in_ranking or not self.rows:
            return
        if tag == "line" and "bar" in classes:
            first, last = (float(about[end].rstrip("%")) for end in ("x1", "x2"))
            self.rows[-1].bar = (min(first, last), max(first, last))
        if tag == "circle" and "dot" in classes:
            self.rows[-1].dot = float(about["cx"].rstrip("%"))

    @property
    def _in_ranking(self) -> bool:
        in_table = any(
            tag == "table" and "ranking" in about.get("class", "").split()
            for tag, about in self._stack
        )
        return self._tables == 1 and in_table

    def handle_endtag(self, tag: str) -> None:
        while self._stack and self._stack.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._stack]
        if {"style", "script", "head"} & {*tags} or "unseen" in self._classes():
            return
        self.words += f" {data}"
        if not self._in_ranking:
            return
        column = self._column()
        if "thead" in tags:
            self.headings[column] = self.headings.get(column, "") + data.strip()
        elif "dt" in tags:
            self._label = data
        elif "dd" in tags:
            entry = self.rows[-1].cells["name"].translate(_ISOLATES)
            self.cards.setdefault(entry, {})[self._label] = data.translate(_ISOLATES)
        elif (column and "bdi" in tags) or column not in ("", "name"):
            cells = self.rows[-1].cells
            cells[column] = (cells.get(column, "") + data.strip()).translate(_ISOLATES)

    def _classes(self) -> set[str]:
        return {name for _, about in self._stack for name in about.get("class", "").split()}

    def _column(self) -> str:
        """Return the column of the ranking in which the text stands."""
        for tag, about in reversed(self._stack):
            if tag in ("td", "th"):
                columns = {"rank", "name", "score", "range"} & {*about.get("class", "").split()}
                return columns.pop() if columns else ""
        return ""


@dataclass(frozen=True)
class Outputs:
    """All outputs of a competition, read."""

    page: Page
    record: Any  # of the ranking metric in results.json
    files: Mapping[str, str]
    terminal: tuple[str, ...]

    @property
    def winners(self) -> set[str]:
        """The possible winners, as the rows of the page mark them."""
        return {row.cells["name"] for row in self._rows if "winner" in row.classes.split()}

    @property
    def _rows(self) -> list[Row]:
        return [row for row in self.page.rows if "name" in row.cells]

    def rows(self) -> list[Row]:
        """Return the rows of the ranking, without its head."""
        return self._rows

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a table as CSV."""
        return list(csv.DictReader(io.StringIO(self.files[f"tables/{name}.csv"])))


def read(findings: Findings) -> Outputs:
    """Make the outputs of a competition, and read them."""
    report = render.build(findings)
    written = files(findings, report, ())
    texts = {name: text for name, text in written.items() if isinstance(text, str)}
    record = json.loads(texts["results.json"])["metrics"][0]
    return Outputs(Page(texts["detailed_results.html"]), record, texts, report.finish)


def read_folder(folder: Path) -> Outputs | None:
    """Read the outputs in a folder; None if they are not those of teams in English.

    What the run printed is in no file.
    """
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".html", ".json", ".txt", ".csv", ".md", ".svg")
    }
    results = json.loads(texts["results.json"])
    record = results["metrics"][0]
    is_english = '<html lang="en"' in texts["detailed_results.html"]
    if not is_english or len(record.get("entries", ())) < 2:
        return None
    return Outputs(Page(texts["detailed_results.html"]), record, texts, ())


def places_of(said: str) -> tuple[int, float] | None:
    """Return the ends of places as they are said: "2", "1–5", "≥ 2" or a dash."""
    if found := re.fullmatch(r"(?:≥ ?)?([\d,]+)(?:–([\d,]+))?", said.replace("\u202f", "")):
        low = int(found[1].replace(",", ""))
        if said.startswith("≥"):
            return low, float("inf")
        return low, int((found[2] or found[1]).replace(",", ""))
    assert said in ("–", "-", ""), said
    return None


def ranks_lie_in_their_places(outputs: Outputs) -> None:
    """Where rows are teams; where they are runs, the heading says that places are of teams."""
    teams = {row["team"] for row in outputs.record["entries"] if not row["baseline"]}
    runs = [row for row in outputs.record["entries"] if not row["baseline"]]
    of_teams = len(teams) < len(runs)
    assert outputs.page.headings["range"] == ("Places (teams)" if of_teams else "Places")
    best: dict[str, int] = {}
    for row in runs:
        best[row["team"]] = min(best.get(row["team"], row["rank"]), row["rank"])
    ranks_of_teams = sorted(best.values())
    for row, item in zip(outputs.rows(), outputs.record["entries"], strict=True):
        assert row.cells["name"] == item["entry"]
        places = places_of(row.cells["range"])
        if places is None:
            continue
        rank = int(row.cells["rank"])
        assert rank == item["rank"]
        of_team = 1 + sum(other < best[item["team"]] for other in ranks_of_teams)
        assert places[0] <= (of_team if of_teams else rank) <= places[1], row
        card = outputs.page.cards[item["entry"]]["Place"]
        assert row.cells["range"] in card
        assert ("places of its team" in card) == of_teams


def dots_lie_in_their_bars(outputs: Outputs) -> None:
    """On the page, in the figures that stand alone, on the card and in a terminal."""
    for row in outputs.rows():
        if row.bar is not None and row.dot is not None:
            assert row.bar[0] - 0.01 <= row.dot <= row.bar[1] + 0.01, row
    for name in ("photo_finish_column", "photo_finish_page", "card"):
        root = ElementTree.fromstring(outputs.files[f"figures/{name}.svg"])
        for lane in root.iter(f"{SVG}g"):
            bars = [one for one in lane.findall(f"{SVG}line") if one.get("class") == "bar"]
            dots = [
                one for one in lane.findall(f"{SVG}circle") if "dot" in (one.get("class") or "")
            ]
            for bar, dot in zip(bars, dots, strict=False):
                ends = sorted((float(bar.get("x1", "")), float(bar.get("x2", ""))))
                assert ends[0] - 0.02 <= float(dot.get("cx", "")) <= ends[1] + 0.02, name
    for line in outputs.terminal:
        drawn = re.search(r"(-*)o(-*)", line) if "|" in line and "-" in line else None
        if drawn is not None:
            assert drawn[1] or drawn[2], line


def winners_are_one_set(outputs: Outputs) -> None:
    """In rows, sentences, counts, figures, tables, the paper, and both kinds of scores."""
    winners, words = outputs.winners, outputs.page.words
    verdict = outputs.record["verdict"]
    assert winners == {*verdict["possible_winners"]}
    flags = read_scores(outputs.files["scores.txt"])
    slugs = [key for key in flags if key.startswith("tied_with_leader.")]
    assert sum(flags[key] for key in slugs) == len(winners)
    leader = verdict["leaders"][0]
    assert flags["n_tied_with_leader"] == len(winners - {leader})
    # In facts as in sentences, the leader is one of them.
    assert (
        found := re.search(r"(?:Possible winners|Leader and tied with it) (\d+) of (\d+)", words)
    )
    ranked = [row for row in outputs.record["entries"] if row["rank_range"] is not None]
    assert [int(found[1]), int(found[2])] == [len(winners), len(ranked)]
    for said in re.findall(r"Any of these (\w+)", words):
        assert _SPELLED.get(said, said) in (len(winners), str(len(winners)))
    for said in re.findall(r"any of (?:the )?(\d+) (?:entries|of them|possible winners)", words):
        assert int(said) == len(winners)
    if named := re.search(
        r"Possible winners \((\d+)\): (.+?)\.\n", outputs.files["tables/paper.md"]
    ):
        assert int(named[1]) == len(winners)
        assert {*re.split(", | and ", named[2].translate(_ISOLATES))} == winners
    marked = {
        row["entry"] for row in outputs.table("ranking") if row["status"] in ("tied", "leader")
    }
    if verdict["rule"] == "max_t" and outputs.record["reference"] == leader:
        assert marked - winners <= {*verdict["leaders"]}
        assert winners <= marked


def prizes_are_one_record(outputs: Outputs) -> None:
    """In the first screen, the section, the table, scores.txt, results.json, and as places."""
    prizes = outputs.record["prizes"]
    flags = read_scores(outputs.files["scores.txt"])
    said = {key: value for key, value in flags.items() if key.startswith("prize.")}
    if prizes is None or prizes["sure"] is None:
        assert not said
        assert "tables/prizes.csv" not in outputs.files
        return
    count = prizes["places"]
    assert sum(said.values()) == len(prizes["sure"])
    assert len(said) == len(prizes["sure"]) + len(prizes["out"])
    table = {row["team"]: row for row in outputs.table("prizes")}
    for key in ("sure", "open", "out"):
        assert {team for team, row in table.items() if row["prize"] == key} == {*prizes[key]}
    of_team = {
        item["team"]: item["rank_range"]
        for item in outputs.record["entries"]
        if item["rank_range"] is not None
    }
    for team, row in table.items():
        ends = [int(row["rank_low"]), int(row["rank_high"])]
        assert ends == of_team[team]
        if count < len(of_team):
            assert (ends[1] <= count) == (row["prize"] == "sure"), (team, row)
            assert (ends[0] > count) == (row["prize"] == "out"), (team, row)
    for text in (outputs.page.words, " ".join(outputs.terminal), outputs.files["tables/paper.md"]):
        for names, places in re.findall(r"(Team [^.]+?) (?:is|are) among the first (\d+)\.", text):
            if int(places) == count and " not" not in names and " more teams" not in names:
                listed = re.split(", | and ", names.translate(_ISOLATES).split(". ")[-1])
                assert {*listed} <= {*prizes["sure"]}, names


def nobody_is_nearer_than_what_the_test_set_finds(outputs: Outputs) -> None:
    """Of the entries that the page calls worse than the leader, or than others on a card."""
    sentence = re.search(r"A true difference of about (.+?) would be found", outputs.page.words)
    label = re.escape(outputs.record["label"])
    said = re.search(rf"([\d.]+) in {label}(?:,| and|$)", sentence[1] if sentence else "")
    if said is None:
        return
    score = {item["entry"]: item["score"] for item in outputs.record["entries"]}
    behind = [
        abs(score[item["entry"]] - score[outputs.record["leader"]])
        for item in outputs.record["entries"]
        if item["rank_range"] is not None and item["entry"] not in outputs.winners
    ]
    shown = [
        abs(score[entry] - score[worse])
        for entry, card in outputs.page.cards.items()
        for worse in re.split(", | and ", card.get("Shown worse", ""))
        if worse in score
    ]
    # As it is said, with two digits.
    rounding = 0.5 * 10.0 ** -len(said[1].partition(".")[2])
    assert min((*behind, *shown), default=1.0) >= float(said[1]) - rounding


def separated_means_one_thing(outputs: Outputs) -> None:
    """Whoever is called separated from another is not undecided on that other's card."""
    reference, cards = outputs.record["reference"], outputs.page.cards
    chosen = "Every entry is compared with" not in outputs.page.words
    undecided = {*re.split(", | and ", cards.get(reference, {}).get("Undecided", ""))}
    texts = [outputs.page.words, *outputs.files.values()]
    # Where the leader is the reference, those behind are not possible winners, or not tied with it.
    behind = f"behind {reference} and separated from it"
    assert not (chosen and any(behind in text.translate(_ISOLATES) for text in texts))
    if undecided - {""}:
        assert "separates it from every other" not in outputs.page.words
    if not chosen:
        status = {row["entry"]: row["status"] for row in outputs.table("ranking")}
        for entry in cards.keys() - {reference}:
            assert (status[entry] in ("behind", "ahead")) <= (entry not in undecided), entry


#: What is said of nobody who may be the best.
_DENIED = re.compile(r"cannot be judged|cannot be the best|can no longer|is not a possible winner")


def nobody_who_may_be_the_best_is_denied_it(outputs: Outputs) -> None:
    """A caution about a far winner says what the verdict says; no sentence says the contrary."""
    results = json.loads(outputs.files["results.json"])
    metric = outputs.record["name"]
    warnings = [item for item in results["warnings"] if item["metric"] == metric]
    told_far = [item["message"] for item in warnings if item["code"] == "far_winner"]
    for message in told_far:
        assert "may be as good as the leader" in message
        named = {name for name in outputs.winners if f"{name} (" in message}
        assert named, message
    everywhere = [outputs.page.words, *outputs.terminal, *outputs.files.values()]
    for text in everywhere:
        for sentence in re.split(r"(?<=[.!?])\s", text.translate(_ISOLATES)):
            if _DENIED.search(sentence):
                denied = [name for name in outputs.winners if f"{name} " in sentence]
                assert not denied, sentence


#: Possible winners, where they are named or counted: not where a rule is said to leave some out.
_CALLED_WINNERS = re.compile(
    r"(?<!leaves out )(?<!leave out )(?<!name )(?<!drop )(?<!dropping a )possible winner",
    re.IGNORECASE,
)


def winners_are_called_so_by_a_rule_that_names_them(outputs: Outputs) -> None:
    """A rule that is no confidence set ties entries with the leader, and says no more.

    It may put a hidden run ahead of the leader, which is then tied with nobody.
    """
    verdict = outputs.record["verdict"]
    is_beaten = not {*verdict["leaders"]} <= outputs.winners
    if verdict["withdrawn_because"] not in ("rule", "runs", "few") or is_beaten:
        return
    # The words of the page are read without its style.
    files_read = [text for name, text in outputs.files.items() if not name.endswith(".html")]
    assert "who may be the best is in the ranking" not in outputs.page.words
    for text in (outputs.page.words, *outputs.terminal, *files_read):
        called = _CALLED_WINNERS.search(" ".join(text.split()))
        assert called is None, text[max(called.start() - 80, 0) : called.end() + 20]


CHECKS = (
    winners_are_called_so_by_a_rule_that_names_them,
    nobody_who_may_be_the_best_is_denied_it,
    ranks_lie_in_their_places,
    dots_lie_in_their_bars,
    winners_are_one_set,
    prizes_are_one_record,
    nobody_is_nearer_than_what_the_test_set_finds,
    separated_means_one_thing,
)


def against_another(outputs: Outputs) -> Iterator[str]:
    """Yield what stands against something else: the check, and the line of it that fails."""
    for check in CHECKS:
        try:
            check(outputs)
        except AssertionError as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            said = f": {error}" if str(error) else ""
            yield f"{check.__name__.replace('_', ' ')}: {line.line}{said}"


def main(folders: Sequence[str]) -> int:
    """Print what stands against something else in the outputs of each folder."""
    faults = 0
    for folder in folders:
        outputs = read_folder(Path(folder))
        if outputs is None:
            print(f"{folder}: no ranking of teams in English, nothing was compared")
            continue
        told = [*against_another(outputs)]
        faults += len(told)
        print(f"{folder}: {'; '.join(told) or 'nothing stands against anything else'}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
