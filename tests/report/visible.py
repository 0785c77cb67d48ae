"""What no output may contradict, as one function over everything that people and machines read.

It reads the outputs as their readers do: the words and marks of the page, its slices and plans, the
paragraph for a paper, the tables, scores.txt, results.json, what the terminal prints, what the API
returns, the page of `deadheat compare` and the page of a plan that `deadheat audit` makes.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scoring_program import report as render
from scoring_program.announcing.record import AnnouncedResults
from scoring_program.api.result import MetricResult
from scoring_program.audit.page import AuditResult
from scoring_program.core import catalogs
from scoring_program.core.methods import VALID_EVERYWHERE, VALID_TIE_RULES
from scoring_program.core.phrases import Phrase
from scoring_program.document.blocks import Paragraph, Section, every
from scoring_program.document.html import Announced, Document
from scoring_program.document.shortening import file_part, slugs
from scoring_program.document.take_away import ResultTable
from scoring_program.inference.descriptive import closest, distinct
from scoring_program.inference.evidence import OF_UPLOADS, PROJECTION, Caution, Evidence
from scoring_program.pipeline import EvaluatedCompetition
from scoring_program.report import comparison
from scoring_program.report.announcement import announcement, podium_of
from scoring_program.report.assemble import files
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import measures_of, read_document
from tests.competitions import read_scores
from tests.inference.never_contradict import never_contradicts

#: Marks of directions around names, which readers do not see.
_ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
#: Numbers that sentences spell.
_NUMBERS = dict(enumerate(("three", "four", "five", "six", "seven", "eight", "nine", "ten"), 3))
#: A percentage that promises something about who is ahead; intervals of scores have theirs anyway.
_PROMISED = re.compile(r"\d% confidence(?!, if)|in at most \S+% of competitions")
#: Words that claim more than a rule whose confidence is withdrawn can say.
_CLAIMED = re.compile(rf"{_PROMISED.pattern}|[Rr]ules out|settles which|is shown")


def nothing_contradicts(findings: Findings) -> None:
    """Assert that all outputs of a competition say the same of who may be the best."""
    for language in {"en", findings.settings.language}:
        said = replace(findings, settings=replace(findings.settings, language=language))
        report = render.build(said)
        agrees(said, report, files(said, report, ()))


def agrees(findings: Findings, report: Document, written: Mapping[str, str | bytes]) -> None:
    """Assert that these outputs of a competition do; their words are read where they are English.

    ``written`` are the files by their path.
    """
    for evidence in findings.evidence:
        never_contradicts(evidence)
    texts = {name: text for name, text in written.items() if isinstance(text, str)}
    if findings.scores_only:
        _in_own_scores(findings, texts)
        return
    results = json.loads(texts["results.json"])
    contents = results["metrics"]
    for evidence, content in zip(findings.evidence, contents, strict=True):
        _in_results(evidence, content)
        _in_api(evidence, MetricResult(content, results))
    _in_comparison(findings, texts["results.json"])
    _in_tables(findings, report, texts)
    _in_slices(findings, report, contents, texts)
    _in_plan(findings, report, contents)
    _in_scores(findings, read_scores(texts["scores.txt"]))
    first, english = findings.evidence[0], findings.settings.language == "en"
    if findings.form == "teams":
        assert report.verdict == contents[0]["verdict"]["sentence"]
    page = _Page(texts["detailed_results.html"])
    if len(first.names) > 1:
        _on_page(findings, page)
        if english:
            _in_page_words(findings, page)
    if findings.form == "teams" and len(first.names) > 1:
        _in_terminal(first, report.finish)
        _in_announcement(findings, report, results)
        if english:
            _in_words(first, report, texts.get("tables/paper.md", ""))
            _in_selection(first, report, page, texts["tables/paper.md"])
            _in_prizes(findings, report, texts)
            _in_front(findings, report, contents[0], texts)
    if findings.form == "teams" and english:
        for evidence, content in zip(findings.evidence, contents, strict=True):
            if len(evidence.names) > 1:
                _in_sentence(evidence, content["verdict"]["sentence"])


def plan_agrees(evaluation: EvaluatedCompetition, entries: int, result: AuditResult) -> None:
    """Assert that the page, the table and audit.json of a plan say the same, and name no winner.

    Whether a size suffices follows from it, and from what the present test set separates.
    """
    findings = evaluation.findings
    texts = {name: text for name, text in result.files.items() if isinstance(text, str)}
    language = catalogs.load(findings.settings.language, findings.kind)
    page = _Page(texts["audit.html"])
    words = " ".join(" ".join(page.words).split()).translate(_ISOLATES)
    assert " ".join(result.verdict.split()).translate(_ISOLATES) in words
    saved_parts = json.loads(texts["audit.json"])["plan"]
    for number, (part, saved) in enumerate(
        zip(evaluation.resampled, saved_parts, strict=True), start=1
    ):
        name = f"tables/gold_examples_needed{f'-{number}' if len(saved_parts) > 1 else ''}"
        rows = list(csv.DictReader(io.StringIO(texts[f"{name}.csv"])))
        n, separable = part.part.gold.n, saved["separable"]
        assert (saved["n"], saved["entries"]) == (n, entries)
        for size, row in zip(saved["examples_needed"], rows, strict=True):
            difference, needed = size["difference"], size["examples"]
            assert float(row["difference"]) == difference
            assert row["examples"] == ("" if needed is None else str(needed))
            enough = needed is not None and needed <= n
            assert row["enough"] == language.say("yes" if enough else "no")
            assert enough == (difference >= separable * (1 - 1e-6))
        # As many decimals as the table has.
        shown = [line for line in texts[f"{name}.md"].splitlines() if line.startswith("|")]
        written = shown[2].split("|")[1].strip()
        decimals = len(written.rpartition(language.numerals.decimal)[2])
        assert (
            language.numerals.fixed(saved["examples_needed"][0]["difference"], decimals) == written
        )
        assert language.numerals.fixed(separable, decimals) in words
        if findings.settings.language == "en":
            assert ("Put two serious baselines" in words) == (not saved["paired"]), words
            for baseline in saved["constant"]:
                assert baseline in words
    if findings.settings.language == "en":
        assert not re.search("winner|is first|may be as good", words), words
        assert not _CLAIMED.search(words), words


def _winners(evidence: Evidence) -> list[str]:
    """Return the names of the possible winners, best first."""
    kept = evidence.verdict.possible_winners
    return [evidence.names[i] for i in evidence.scores.order if kept[i]]


def _weakened(evidence: Evidence) -> bool:
    """Return whether a serious caution withdraws the confidence."""
    return evidence.verdict.withdrawn_because not in (None, "alone", "rule", "runs", "few")


def _serious(evidence: Evidence) -> bool:
    """Return whether a serious caution withdraws what else has a confidence, such as ranges."""
    return _weakened(evidence) or any(caution.weakens for caution in evidence.cautions)


def _in_results(evidence: Evidence, content: Mapping[str, Any]) -> None:
    """Assert that results.json, and so the API, holds the record and what follows from it."""
    verdict, record, winners = evidence.verdict, content["verdict"], _winners(evidence)
    alone = verdict.withdrawn_because == "alone"
    assert record["possible_winners"] == winners
    assert record["leaders"] == [evidence.names[i] for i in verdict.leaders]
    assert (content["leader"], content["leaders"]) == (record["leaders"][0], record["leaders"])
    assert set(record["leaders"]) <= set(winners)
    assert record["verified"] == (winners[0] if verdict.verified else None)
    assert record["verified_places"] == verdict.places
    assert (record["confidence"] is None) == (record["withdrawn_because"] is not None)
    corrected = record["leader_corrected"]
    assert (corrected["ci"] is None) == (corrected["estimate"] is None)
    assert (corrected["ci"] is None) == (corrected["reason"] is not None)
    best = np.count_nonzero([1 for _ in winners]) == 1
    closed = content["tie_rule"] in (*VALID_TIE_RULES, PROJECTION)
    for entry in content["entries"]:
        wins = entry["entry"] in winners
        assert entry["tied_with_leader"] == wins
        assert not (entry["baseline"] and wins)
        assert (entry["rank_range"] is None) >= entry["baseline"]
        if closed and entry["rank_range"] is not None:
            assert (entry["rank_range"][0] == 1) == wins
        if content["tie_rule"] != "max_t" or alone or entry["baseline"]:
            assert entry["bar"] is None
        elif entry["bar"] is not None:
            near, far = entry["bar"]
            assert (near == 0) == wins
            assert far is None or far >= near
            assert far == entry["distance_from_best"]
            assert not (wins and best) or far == 0
        by = entry["separated_from"]
        assert not wins or by is None or content["tie_rule"] != "max_t"
        assert by is None or by != entry["entry"]


def _in_api(evidence: Evidence, found: MetricResult) -> None:
    """Assert that the API returns the record."""
    winners = _winners(evidence)
    assert list(found.possible_winners) == winners
    assert found.verified == (winners[0] if evidence.verdict.verified else None)
    assert found.places == evidence.verdict.places
    assert set(found.tied) == set(winners) - {found.leader}


def _in_comparison(findings: Findings, results: str) -> None:
    """Assert that `deadheat compare` counts the possible winners beside the leader, and no others.

    The page sets the competition beside itself: neither is closer, and nothing is promised.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.json")
        path.write_text(results, encoding="utf-8")
        document = read_document(path, partly=True)
        names = [evidence.metric.name for evidence in findings.evidence]
        measures = [measures_of(document, path, name) for name in names]
    for evidence, found in zip(findings.evidence, measures, strict=True):
        (entries,) = (one["entries"] for one in document["metrics"]
                      if one["name"] == evidence.metric.name)  # fmt: skip
        # Each team has one range, and baselines have none.
        others = sum(entry["rank_range"] is not None for entry in entries) - 1
        tied = len(_winners(evidence)) - 1
        assert found.measures["tied_with_leader"] == tied
        assert found.measures["others"] == others
        assert found.rule == evidence.standing.rule
    twice = distinct(measures[:1] * 2)
    assert not closest(twice)
    page = comparison.build(twice, {})
    (shown,) = (table for table in page.tables if table.name == "comparison")
    named = measures[0].rule in (*VALID_EVERYWHERE, PROJECTION)
    assert {row[0].text: [cell.text for cell in row[1:]] for row in shown.rows}[
        "Possible winners" if named else "Leader and tied with it"
    ] == [str(int(measures[0].measures["tied_with_leader"] or 0) + 1)] * 2
    words = " ".join((page.verdict, *page.consequence))
    assert not _CLAIMED.search(words), words


def _in_tables(findings: Findings, report: Document, written: Mapping[str, str]) -> None:
    """Assert that tables and figures mark the possible winners, and no pair that one loses."""
    tables = {table.name: table for table in report.tables}
    for place, evidence in enumerate(findings.evidence):
        if len(evidence.names) < 2:
            continue
        suffix = f"_{file_part(evidence.metric.name)}" if place else ""
        rows = csv.DictReader(io.StringIO(written[f"tables/ranking{suffix}.csv"]))
        winners, closed = set(_winners(evidence)), evidence.standing.rule in VALID_TIE_RULES
        for row in rows:
            name = row["entry"].removeprefix("'")
            if closed and name in evidence.names:
                assert (row["rank_low"] == "1") == (name in winners), name
        pairs = tables.get(f"pairwise{suffix}")
        for cells in () if pairs is None else pairs.rows:
            starred = any("*" in cell.mark for cell in cells)
            assert not (starred and cells[1].text in winners)
        figure = written[f"figures/photo_finish{suffix}_column.svg"]
        assert figure.count('<g class="tied">') == len(winners)


def _in_slices(
    findings: Findings,
    report: Document,
    contents: Sequence[Mapping[str, Any]],
    written: Mapping[str, str],
) -> None:
    """Assert that another leader of a slice is named everywhere, or nowhere, and is ahead there."""
    for place, (evidence, content) in enumerate(zip(findings.evidence, contents, strict=True)):
        if not evidence.slices:
            continue
        sign = 1 if evidence.metric.greater_is_better else -1
        suffix = f"_{file_part(evidence.metric.name)}" if place else ""
        rows = csv.DictReader(io.StringIO(written[f"tables/slices{suffix}.csv"]))
        leader, said = evidence.scores.leader, _all_said(report).translate(_ISOLATES)
        for one, saved, row in zip(evidence.slices, content["slices"], rows, strict=True):
            other = one.other_leader
            assert saved["other_leader"] == (None if other is None else evidence.names[other])
            named = None if other is None else _listed([evidence.names[other]])
            told = None if named is None else f"{one.value} (where {named} leads)"
            is_english = findings.settings.language == "en"
            if is_english:
                assert row["verdict"].endswith(" instead") == (other is not None)
            if other is None:
                continue
            assert one.compared
            assert other not in (leader, *evidence.scores.baselines)
            assert sign * (one.score[other] - one.score[leader]) > 0
            if place == 0 and findings.form == "teams" and told is not None and is_english:
                assert told in said, said


def _in_plan(findings: Findings, report: Document, contents: Sequence[Mapping[str, Any]]) -> None:
    """Assert that only pairs are planned that the verdict leaves open, the same ones everywhere."""
    planned = []
    for evidence, content in zip(findings.evidence, contents, strict=True):
        pairs = evidence.plan
        names = [evidence.names[pair.entry] for pair in pairs]
        saved = content["planning"]
        assert [pair["entry"] for pair in ([] if saved is None else saved["pairs"])] == names
        planned += names
        assert all(evidence.verdict.possible_winners[pair.entry] for pair in pairs)
        assert evidence.scores.leader not in [pair.entry for pair in pairs]
    sections = [one for one in every(report.blocks, Section) if one.id == "planning"]
    tables = [table for one in sections for table in every(one.blocks, ResultTable)]
    shown = []
    for table in tables:
        (place,) = (at for at, column in enumerate(table.columns) if column.keys == ("entry",))
        shown += [row[place].text for row in table.rows]
    assert shown == planned


def _in_scores(findings: Findings, scores: Mapping[str, float]) -> None:
    """Assert that scores.txt flags the possible winners of the ranking metric."""
    evidence = findings.evidence[0]
    if findings.form != "teams":
        if findings.form == "field" and findings.focus is not None:
            focus = evidence.names.index(findings.names[findings.focus])
            assert scores["tied_with_leader"] == evidence.verdict.possible_winners[focus]
        return
    names = [*findings.names, *(entry.name for entry in findings.uncompared)]
    slug_of = dict(zip(names, slugs(names), strict=True))
    winners, leader = _winners(evidence), evidence.names[evidence.scores.leader]
    assert scores["n_tied_with_leader"] == len(set(winners) - {leader})
    for name in evidence.names:
        assert scores[f"tied_with_leader.{slug_of[name]}"] == (name in winners)


def _in_own_scores(findings: Findings, written: Mapping[str, str]) -> None:
    """Assert that who may see scores only reads of no rival, and of no winner that is named.

    Only names that are no words of the page are looked for, and none that the settings hold.
    """
    settings = findings.settings
    assert {name.partition("/")[0] for name in written} <= {
        *("detailed_results.html", "scores.txt", "scores.json"),
    }
    _in_scores(findings, read_scores(written["scores.txt"]))
    words = " ".join(" ".join(_Page(written["detailed_results.html"]).words).split())
    own = findings.names[findings.focus or 0]
    for text in (words, written["scores.txt"]):
        plain = text.translate(_ISOLATES)
        for name in {*findings.names} - {own, *settings.baselines, settings.reference_entry}:
            if len(name) > 5 and name not in own and not name.islower():
                assert not re.search(rf"\b{re.escape(name)}\b", plain), name
        assert not re.search("wrong winner|named the winner|verified|settles which", plain)


def _all_said(report: Document) -> str:
    """Return what follows from the verdict, and what answers the settings."""
    return " ".join((*report.consequence, *(answer.value for answer in report.answers)))


def _in_words(evidence: Evidence, report: Document, paper: str) -> None:
    """Assert that what follows from the verdict, and the paper's paragraph, claim what holds."""
    verdict, count = evidence.verdict, int(evidence.verdict.possible_winners.sum())
    competing = len(evidence.names) - len(evidence.scores.baselines)
    said = _all_said(report)
    sure = verdict.confidence is not None
    unsettled = any(caution.code in OF_UPLOADS for caution in evidence.cautions)
    named = sure and count == 1 and not unsettled
    assert ("can be named the winner" in said) == named
    assert ("caution about the uploads before you name" in said) == unsettled
    assert ("a wrong winner is named" in said) == verdict.verified
    assert ("rules out that any other" in said) == (sure and count == 1 and not verdict.verified)
    assert (
        "The best entry is among them" in said or "The best competing entry is among" in said
    ) == (sure and count > 1)
    assert ("Either of these two" in said) <= (count == 2)
    number = _NUMBERS.get(count, f"{count:,}")
    assert all(found == number for found in re.findall(r"Any of these (\S+)", said))
    assert ("a wrong winner is named" in paper) == verdict.verified, paper
    assert ("rules out that any other" in paper) <= (sure and count == 1 and not verdict.verified)
    if _weakened(evidence):
        assert re.search("Read the serious cautions? before you name winners", said), said
        assert not _CLAIMED.search(said), said
        assert not re.search(r", \d+% confidence\)|[Rr]ules out", paper), paper
    uncorrected = verdict.corrected is None and evidence.intervals is not None
    assert ("no interval that does can be given, because" in paper) == (
        uncorrected and competing > 1 and len(verdict.leaders) == 1
    )
    numbers = re.findall(r"which of these (\S+) is best|we report (\S+) possible winners", paper)
    assert all(f"{count:,}" in found for found in numbers), paper
    if count > 1 and verdict.withdrawn_because not in ("rule", "runs", "few", "alone"):
        assert numbers or re.search("share first place|possible winners: ", paper), paper


#: What is said of prizes, and of nothing else.
_OF_PRIZES = re.compile(
    r"[Aa]mong the first|takes? the (?:first|other)|settled (?:of|who)|[Ww]rong set of"
)


def _in_announcement(findings: Findings, report: Document, results: Mapping[str, Any]) -> None:
    """Assert that page, card and what `deadheat announce` writes wait where anything is unsettled.

    So they would, too, if the evidence were the same and something about uploads were to settle.
    """
    first = findings.evidence[0]
    view = AnnouncedResults(results, findings.settings.language)
    competing = len({row["team"] for row in view.record["entries"] if not row["baseline"]})
    unsettled = [caution.code for caution in first.cautions if caution.code in OF_UPLOADS]
    assert (report.announced is None) == (competing < 2 and not unsettled)
    if report.announced is not None:
        said = view.announcement
        assert report.announced == Announced(
            said.sentence, said.sign.kind, said.sign.glyph, said.sign.word
        )
        must_wait = _serious(first) or bool(unsettled)
        assert view.podium.must_wait == must_wait or competing < 2
        assert not must_wait or said.sign.kind == "wait"
    for code in OF_UPLOADS:
        about = Caution("red", code, 1, Phrase("Look at {entries}.", entries=first.names[:1]))
        evidence = replace(first, cautions=(about, *first.cautions))
        podium = podium_of(evidence, findings.teams)
        said = announcement(podium, view.language)
        assert said.sign.kind == "wait"
        assert podium.possible_winners == view.podium.possible_winners
        nobody = replace(podium, leaders=("?",), possible_winners=("?",), settled=())
        assert announcement(nobody, view.language) == said


def _in_prizes(findings: Findings, report: Document, texts: Mapping[str, str]) -> None:
    """Assert that page, section, card, paper and terminal name the teams of the record's prizes."""
    evidence = findings.evidence[0]
    prizes = evidence.verdict.prizes
    paper = texts["tables/paper.md"].replace("\\", "")
    assert report.card is not None
    first_screen = _all_said(report)
    terminal = " ".join(report.finish)
    everywhere = (first_screen, terminal, paper, report.card.description)
    section = next((one for one in every(report.blocks, Section) if one.id == "prizes"), None)
    if prizes is None or np.count_nonzero(evidence.standing.rank_low) < 2:
        assert not any(map(_OF_PRIZES.search, everywhere))
        assert section is None
        return
    assert section is not None
    assert all(map(_OF_PRIZES.search, everywhere)), everywhere
    if prizes.sure is None or prizes.open is None or prizes.out is None:
        assert all("ettled of the first" in one or "does not say who" in one for one in everywhere)
        return
    teams = {}
    for key in ("sure", "open", "out"):
        marked = getattr(prizes, key)
        ranked = [i for i in evidence.scores.order if marked[i]]
        teams[key] = [findings.team_of(evidence.names[i]) for i in ranked]
    shown = {row[0].text: row[1].values[0] for row in _table_of(section).rows}
    assert shown == {team: key for key, names in teams.items() for team in names}
    for said in (first_screen, terminal, paper):
        _names_those_with_prizes(said.translate(_ISOLATES), prizes.places, teams)


#: What is said of costs, and nowhere else.
_OF_COSTS = re.compile("best for (?:its|their) cost")


def _in_front(
    findings: Findings, report: Document, content: Mapping[str, Any], texts: Mapping[str, str]
) -> None:
    """Assert that page, paper, terminal and results.json name the teams of the record's front.

    Whoever wins is on it, and whoever is off it names who is better at no higher cost.
    """
    evidence = findings.evidence[0]
    front, verdict = evidence.verdict.front, evidence.verdict
    section = next((one for one in every(report.blocks, Section) if one.id == "costs"), None)
    paper = texts["tables/paper.md"].replace("\\", "")
    terminal = " ".join(report.finish)
    assert ("front" in content) == (front is not None)
    if front is None or np.count_nonzero(evidence.standing.rank_low) < 2:
        assert section is None
        assert not _OF_COSTS.search(f"{terminal} {paper}")
        return
    assert section is not None
    assert _OF_COSTS.search(terminal)
    assert _OF_COSTS.search(paper)
    record = content["front"]
    assert (record["confidence"], record["reason"]) == (front.confidence, front.reason)
    if front.on is None or front.excluded_by is None:
        assert record["on"] is record["excluded"] is None
        assert not [*every(section.blocks, ResultTable)]
        assert not re.search(r"\d% confidence", _said_in(section))
        return
    team_of = [findings.team_of(name) for name in evidence.names]
    order = [int(i) for i in evidence.scores.order]
    on = [team_of[i] for i in order if front.on[i]]
    by = {team_of[i]: team_of[front.excluded_by[i]] for i in order if front.excluded_by[i] >= 0}
    assert record["on"] == on
    assert {item["team"]: item["by"] for item in record["excluded"]} == by
    if verdict.verified:
        assert team_of[verdict.leaders[0]] in on
    rows = {row[0].text: row for row in _table_of(section).rows}
    baselines = {evidence.names[i] for i in evidence.scores.baselines}
    for team, row in rows.items():
        if team not in baselines:
            assert row[3].values[0] == int(team in on)
            assert row[4].values[0] == by.get(team, "")
    assert {team for team in rows if team not in baselines} == {*on, *by}
    for said in (_said_in(section), paper.translate(_ISOLATES), terminal.translate(_ISOLATES)):
        if len(by) == 1:
            ((team, rival),) = by.items()
            assert f"{team} is not: {rival}, which costs no more, rules it out." in said, said
        elif by and len(on) > 1:
            assert f"None of the other {len(by)} is" in said, said
            assert "may each be the best for their cost" in said, said


def _said_in(section: Section) -> str:
    """Return what the paragraphs of a section say."""
    paragraphs = (one.text for one in every(section.blocks, Paragraph))
    return " ".join(paragraphs).translate(_ISOLATES)


def _table_of(section: Section) -> ResultTable:
    (table,) = every(section.blocks, ResultTable)
    return table


def _names_those_with_prizes(said: str, places: int, teams: Mapping[str, list[str]]) -> None:
    """Assert that a text names the sure and the open teams, and counts those that are out."""
    sure, candidates, out = teams["sure"], teams["open"], teams["out"]
    if not (candidates or out):
        everybody = "Both teams" if len(sure) == 2 else f"All {len(sure)} teams"
        assert f"{everybody} are among the first {places:,}." in said, said
        return
    if (names := _listed(sure)) is not None and len(sure) <= 5:
        settled = rf"{re.escape(names)} takes? the first (\S+ places|place)\."
        partly = rf"{re.escape(names)} (is|are) among the first {places}\."
        assert re.search(partly if candidates else settled, said), said
    if (names := _listed(candidates)) is not None and len(candidates) <= 5 and (sure or out):
        assert re.search(rf"{re.escape(names)} may (each )?take the (first|other) ", said), said
    if len(out) > 1 and (candidates or places == 1):
        rest = "do not take it" if places == 1 else f"are not among the first {places}"
        assert f"The other {len(out)} {rest}." in said, said


def _in_selection(evidence: Evidence, report: Document, page: _Page, paper: str) -> None:
    """Assert that page, paper and terminal say where the leader's true score lies, or none does.

    They say the ends of its interval, and not the estimate between them.
    """
    corrected = evidence.verdict.corrected
    words = " ".join(" ".join(page.words).split())
    for said in (words, paper.replace("\\", ""), " ".join(report.finish)):
        found = re.search(
            r"Whoever comes first was partly lucky\. Allowing for that, "
            r"(.+?'s true score|the true score of each of .+?) lies between (\S+) and (\S+) "
            r"\((\S+)%\)\.",
            said.translate(_ISOLATES),
        )
        assert (found is not None) == (corrected is not None), said
        if found is not None and corrected is not None:
            ends = [float(end.replace(",", "").replace("−", "-")) for end in found.group(2, 3)]
            decimals = len(found[2].partition(".")[2])
            assert ends == [round(corrected.low, decimals), round(corrected.high, decimals)]


def _in_terminal(evidence: Evidence, lines: tuple[str, ...]) -> None:
    """Assert that bars of letters reach the line, and places begin at 1, for possible winners only.

    A dot may cover the end of a bar, and some have none. The last line may be about the leader's
    score, and the first ones about prizes and costs.
    """
    if evidence.verdict.corrected is not None:
        lines = lines[:-1]
    if lines and _OF_PRIZES.search(lines[0]):
        lines = lines[1:]
    if evidence.verdict.front is not None and np.count_nonzero(evidence.standing.rank_low) > 1:
        lines = lines[1:]
    order, kept = evidence.scores.order.tolist(), evidence.verdict.possible_winners
    bars, low = evidence.distances, evidence.standing.rank_low
    first = [bool(re.search(r"(?:\s|≥ )1(?:–[^–]*)?$", line)) for line in lines]
    assert sum(first) == np.count_nonzero(low == 1), lines
    if len(lines) == len(order):  # else some are not shown
        for entry, line, begins in zip(order, lines, first, strict=True):
            assert begins == (low[entry] == 1), line
            assert not (re.search(r"-\|", line) and not kept[entry]), line
            if kept[entry] and bars is not None and not np.isnan(bars.from_best[entry]):
                assert re.search(r"[-o]\|", line), line


def _in_sentence(evidence: Evidence, sentence: str) -> None:
    """Assert that the sentence on a metric names the possible winners, and nobody else."""
    verdict, names = evidence.verdict, evidence.names
    said, leaders = sentence.translate(_ISOLATES), evidence.scores.leaders
    winners = [i for i in evidence.scores.order.tolist() if verdict.possible_winners[i]]
    if len(names) - len(evidence.scores.baselines) == 1:
        return
    beaten = [i for i in leaders if i not in winners and evidence.standing.rank_low[i]]
    others = [i for i in winners if i not in leaders]
    listed = _listed([names[i] for i in (winners if beaten else others)])
    if beaten:
        assert "the tie rule puts another run of" in said, said
        assert listed is None or f"Possible winners: {listed}." in said, said
        third = re.search(r"the tie rule puts another run of (.+?) ahead", said)
        assert third is not None
        assert third[1] in [names[i] for i in range(len(names)) if i not in beaten], said
    elif others:
        assert listed is None or f"but {listed} may be as good or better." in said, said
    else:
        assert not re.search("may be as good|puts another run", said), said
    ahead = [
        i
        for i in evidence.scores.baselines
        if (evidence.scores.score[i] - evidence.scores.score[evidence.scores.leader])
        * (1 if evidence.metric.greater_is_better else -1)
        > 0
    ]
    assert bool(ahead) == ("baselines cannot win" in said)


def _told_of_order(evidence: Evidence, words: str) -> None:
    """Assert that the page explains where a possible winner has no better score than another."""
    if evidence.question.reference_entry is not None:
        return
    rank, kept = evidence.scores.rank, evidence.verdict.possible_winners
    leaders = evidence.scores.leaders
    out = (evidence.standing.rank_low > 0) & ~kept
    out[list(leaders)] = False
    passed = bool((rank[out] <= rank[kept].max()).any())
    assert passed == ("despite a score that is as good or better" in words)


def _listed(names: list[str]) -> str | None:
    """Return names as an English sentence lists them; None where it cuts them."""
    if not names or any(len(name) > 20 or not name.isprintable() for name in names):
        return None
    if len(names) > 5:
        return f"{', '.join(names[:3])} and {len(names) - 3} more entries"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _without_drawings(text: str) -> str:
    """Return a page without what is within its drawings: a third of its elements."""
    kept, depth = [], 0
    for part in re.split(r"(<svg\b[^>]*>|</svg>)", text):
        depth -= part == "</svg>"
        if not depth:
            kept.append(part)
        depth += part.startswith("<svg")
    return "".join(kept)


#: A tag, with its name and attributes, or the text before the next one.
_PIECE = re.compile(
    r"<(?P<closing>/?)(?P<tag>[a-z][a-z0-9]*)(?P<about>(?:[^\"'>]|\"[^\"]*\"|'[^']*')*)>"
    r"|<!(?:--.*?--|[^>]*)>|(?P<text>[^<]+)",
    re.DOTALL | re.IGNORECASE,
)
_CLASS = re.compile(r"""\bclass=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
#: What nobody reads.
_UNREAD = re.compile(r"<(head|script|style)\b.*?</\1>", re.DOTALL)
#: Elements without an end.
_VOID = frozenset(("br", "img", "meta", "link", "input", "hr", "col", "wbr", "use"))


class _Page:
    """The rows of a page's rankings, the facts on their cards, and the words.

    `html.parser` reads the same and takes several times as long, for each of thousands of pages.
    """

    def __init__(self, text: str) -> None:
        self.rankings: list[list[tuple[str, str, str]]] = []  # (name, classes, lane) of each row
        self.cards: list[dict[str, str]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self._row: list[str] | None = None
        self._ranking = False
        end = 0
        content = _UNREAD.sub("", _without_drawings(text))
        for piece in _PIECE.finditer(content):
            assert piece.start() == end, content[end : piece.start()]
            end = piece.end()
            if piece["text"] is not None:
                self._read_text(html.unescape(piece["text"]))
            elif piece["closing"]:
                self._close(piece["tag"])
            elif piece["tag"]:
                self._begin(piece["tag"], piece["about"])
        assert end == len(content), content[end:]

    def _begin(self, tag: str, about: str) -> None:
        if tag not in _VOID:
            self._open.append(tag)
        if tag not in ("table", "tr", "svg"):
            return
        attribute = _CLASS.search(about)
        classes = "" if attribute is None else html.unescape(attribute[attribute.lastindex or 0])
        if tag == "table":
            self._ranking = "ranking" in classes.split()
            if self._ranking:
                self.rankings.append([])
        if tag == "tr" and self._ranking:
            self._row = None if "card" in classes.split() else ["", classes, ""]
            if self._row is None:
                self.cards.append({})
        if tag == "svg" and self._row is not None and "lane" in classes:
            self._row[2] = classes

    def _close(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass
        if tag == "tr" and self._row is not None:
            if self._row[0]:
                self.rankings[-1].append((self._row[0], self._row[1], self._row[2]))
            self._row = None

    def _read_text(self, data: str) -> None:
        self.words.append(data)
        if self._row is not None and "bdi" in self._open:
            self._row[0] += data
        if self.cards and "dt" in self._open and "dl" in self._open:
            self._label = data
        elif self.cards and "dd" in self._open and self._ranking:
            self.cards[-1][self._label] = self.cards[-1].get(self._label, "") + data


def _on_page(findings: Findings, page: _Page) -> None:
    """Assert that rows and lanes of the page mark the possible winners, and nobody else."""
    for evidence, rows in zip(findings.evidence, page.rankings, strict=True):
        if len(evidence.names) == 1:
            continue
        marked = [name for name, classes, _ in rows if "winner" in classes.split()]
        assert len(marked) == len(_winners(evidence))
        for name, classes, lane in rows:
            assert ("winner" in classes.split()) == ("tied" in lane.split()), name


def _in_page_words(findings: Findings, page: _Page) -> None:
    """Assert that cards, pairs with stars and words of the page agree with the record."""
    first, compared = findings.evidence[0], [one for one in findings.evidence if one.names[1:]]
    shown, words = set(_winners(first)), " ".join(" ".join(page.words).split())
    claims = {"Shown better", "Shown worse"}
    for card in page.cards:
        worse = card.get("Shown worse", card.get("Worse by the rule", "")).translate(_ISOLATES)
        assert not set(re.split(", | and ", worse)) & shown, worse
        assert not (_serious(first) and claims & card.keys()), card
    plan = first.plan
    if len(page.cards) == len(first.names):
        assert sum("To settle it" in card for card in page.cards) == len(plan)
    _told_of_order(first, words)
    if all(map(_serious, compared)):
        found = _CLAIMED.search(words)
        assert found is None, words[found.start() - 80 : found.end() + 80]
