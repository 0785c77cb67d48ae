"""Competitions of tagged tokens from files to the page: sentences, documents, what is refused."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

import scoring_program as dh
from scoring_program.bundle import kit
from scoring_program.commands import check
from scoring_program.data.joining.checker_rules import as_document
from tests.data.test_kinds import Case
from tests.metrics.kinds.sentences import FOUND, GOLD, SENTENCES, in_scheme, parse
from tests.sweeps import swept

TOKENS = [parse(sentence)[0] for sentence in SENTENCES]


def conll(tags: Sequence[Sequence[str]], document: int = 0, tokens: bool = True) -> str:
    """Return a file; a document begins every so many sentences."""
    blocks = []
    for i, (words, of) in enumerate(zip(TOKENS, tags, strict=True)):
        if document and i % document == 0:
            blocks.append("-DOCSTART- O\n")
        lines = (f"{word} {tag}" if tokens else tag for word, tag in zip(words, of, strict=True))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


REF = {"gold.conll": conll(in_scheme(GOLD, "BIO"), document=5)}
NORTH, SOUTH = (in_scheme(found, "BIO") for found in FOUND[:2])
RES = {"north.conll": conll(NORTH, document=5), "south.conll": conll(SOUTH, document=5)}


def test_files_need_no_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = Case(tmp_path, REF, RES)
    assert case.run() == 0
    out = capsys.readouterr().out
    assert "2 entries on 26 sentences." in out
    assert "suggests entity_f1, entity_precision, entity_recall, token_accuracy." in out
    assert "Format: 2 CoNLL." in out
    of_lists = dh.compare(
        in_scheme(GOLD, "BIO"), {"north": NORTH, "south": SOUTH}, metrics="entity_f1"
    )
    scores = {row.entry: row.score for row in of_lists["entity_f1"].ranking}
    assert case.scores()["entity_f1.north"] == pytest.approx(scores["north"], abs=1e-9)


def test_documents_are_resampled_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = Case(tmp_path, {**REF, "scoring.yaml": "group: document\n"}, RES)
    assert case.run() == 0
    assert "2 entries on 6 documents, 26 sentences." in capsys.readouterr().out
    page = case.page()
    assert "6 documents (26 sentences) are too few" in page
    assert "<dt><bdi>Documents</bdi></dt><dd>6</dd>" in page


def test_documents_that_the_gold_does_not_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = {"gold.conll": conll(in_scheme(GOLD, "BIO")), "scoring.yaml": "group: document\n"}
    assert Case(tmp_path, ref, RES).run() == 2
    assert "gold.conll has no column 'document'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    swept(
        [
            lambda tags: conll(tags),  # without -DOCSTART-
            lambda tags: conll(tags, document=5).replace("\n", "\r\n"),
            lambda tags: conll(tags, document=5).rstrip("\n"),
            lambda tags: conll(tags, tokens=False),
            lambda tags: conll(tags).replace(" ", "\tX\t"),
        ],
        fast=2,
    ),
)
def test_the_same_predictions_in_other_words(tmp_path: Path, change: object) -> None:
    assert callable(change)
    usual = Case(tmp_path / "a", REF, RES)
    res = {"north.txt": change(NORTH), "south.txt": change(SOUTH)}
    other = Case(tmp_path / "b", REF, res)
    assert usual.run() == other.run() == 0
    assert usual.scores() == other.scores()


LINES = RES["north.conll"].splitlines()
FRANCE = next(i for i, line in enumerate(LINES) if line.startswith("France"))


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        # A token is lost.
        (lambda lines: [*lines[:FRANCE], *lines[FRANCE + 1 :]],
         [f"sentence 3 (line {FRANCE + 1}): found 9 tokens, expected 10"]),
        # A token differs.
        (lambda lines: [line.replace("Croatia", "Kroatia") for line in lines],
         ["token 3: found 'Kroatia', expected 'Croatia'", "or only the tags"]),
        # A blank line is lost, so two sentences are one.
        (lambda lines: [*lines[: FRANCE - 1], *lines[FRANCE:]],
         ["25 sentences, 26 expected", "The first one that does not fit is sentence 2",
          "found 19 tokens, expected 9"]),
        # A type is misspelled.
        (lambda lines: [*lines[:FRANCE], "France B-LOCATION", *lines[FRANCE + 1 :]],
         [f"sentence 3 (line {FRANCE + 1}): found 'B-LOCATION', expected O or tags of the task"]),
        # A column is missing.
        (lambda lines: [*lines[:FRANCE], "France", *lines[FRANCE + 1 :]],
         [f"line {FRANCE + 1}: found 1 column, expected 2"]),
    ],
)  # fmt: skip
def test_defects(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: object, messages: list[str]
) -> None:
    assert callable(change)
    content = "\n".join(change(LINES)) + "\n"
    assert Case(tmp_path, REF, {"predictions.conll": content}).run() == 1
    shown = capsys.readouterr().err
    for message in ["predictions.conll: ", *messages]:
        assert message in shown


def test_types_of_a_metric_must_occur(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = "metrics: [{entity_f1: {types: [PERS]}}]\n"
    assert Case(tmp_path, {**REF, "scoring.yaml": settings}, RES).run() == 2
    assert "nothing of its type 'PERS'; did you mean 'PER'?" in capsys.readouterr().err


def test_tagged_tokens_are_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = {**REF, "scoring.yaml": "metrics: [accuracy_score]\n"}
    assert Case(tmp_path, ref, RES).run() == 2
    assert "name a metric of these, such as entity_f1" in capsys.readouterr().err


def test_a_function_of_the_organizer_gets_tags_and_tokens(tmp_path: Path) -> None:
    own = """
        def counts(gold, tags):
            capitals = [token[:1].isupper() for token in gold.text.split("\\t")]
            named = [tag != "O" for tag in tags]
            return sum(map(bool.__eq__, capitals, named)), len(gold)

        def score(sums):
            return sums[0] / sums[1]
    """
    settings = """
        metrics:
          - name: capitals
            statistics: own.py:counts
            function: own.py:score
            kind: tags
            greater_is_better: true
    """
    files = {"own.py": textwrap.dedent(own), "scoring.yaml": textwrap.dedent(settings)}
    case = Case(tmp_path, {**REF, **files}, RES)
    assert case.run() == 0
    tokens = [token for words in TOKENS for token in words]
    tags = [tag for of in NORTH for tag in of]
    same = [token[0].isupper() == (tag != "O") for token, tag in zip(tokens, tags, strict=True)]
    assert case.scores()["capitals.north"] == pytest.approx(sum(same) / len(same))


def test_tags_read_in_an_unusual_way_are_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = "\n".join([*LINES[:FRANCE], "France I-LOC", *LINES[FRANCE + 1 :]]) + "\n"
    assert Case(tmp_path, REF, {"predictions.conll": content}).run() == 0
    assert f"(I-LOC, sentence 3 (line {FRANCE + 1}))" in capsys.readouterr().out
    teams = {"north.conll": content, "south.conll": RES["south.conll"]}
    assert Case(tmp_path / "teams", REF, teams).run() == 0
    assert "north: 1 entity begins with I" in capsys.readouterr().out


def test_the_starting_kit_checks_tokens_and_not_types(tmp_path: Path) -> None:
    case = Case(tmp_path, REF, {})
    good = case.checked("p.conll", RES["north.conll"])
    assert "it holds a prediction for each of 26 sentences" in good.stdout, good.stderr
    bad = case.checked("p.conll", RES["north.conll"].replace("Croatia", "Kroatia"))
    assert "token 3: found 'Kroatia', expected 'Croatia'" in bad.stderr
    assert "PER" not in json.dumps(as_document(kit.rules_of(case.input / "ref")))


def test_the_check_is_told_that_tags_are_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.conll").write_text(RES["north.conll"])
    assert check.main([str(tmp_path / "p.conll"), "--rows", "26", "--kind", "tags"]) == 0
    assert "a prediction for each of 26 sentences" in capsys.readouterr().out


@pytest.mark.parametrize("metrics", ["[accuracy]", "[string_match]"])
def test_parses_are_no_lines_of_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metrics: str
) -> None:
    def parses(wrong: int) -> str:
        """Return two sentences of ten words, of which one has another tag."""
        begins = ["Yes" if i % 3 == 0 else "No" for i in range(20)]
        begins[wrong:] = ["Perhaps", *begins[wrong + 1 :]]
        lines = [f"{i % 10 + 1}\tw" + "\t_" * 7 + f"\tSeg={tag}\n" for i, tag in enumerate(begins)]
        return "\n".join(f"# sent_id = s{at}\n" + "".join(lines[at : at + 10]) for at in (0, 10))

    settings = f"metrics: {metrics}\nlabels: any\n"
    ref = {"gold.tok": parses(1), "scoring.yaml": settings}
    case = Case(tmp_path, ref, {"a.tok": parses(1), "b.tok": parses(5)})
    assert case.run() == 2
    assert "gold.tok: the content is CoNLL-U" in capsys.readouterr().err
    (case.input / "ref" / "scoring.yaml").write_text("metrics: [token_accuracy]\n")
    assert case.run() == 0
    assert case.scores()["token_accuracy.b.tok"] == pytest.approx(18 / 20)


@pytest.mark.parametrize("lines", [False, True])
def test_json_is_read_unless_the_format_of_submissions_is_stated(
    lines: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A participant's format may differ from the gold's; a frozen one is that of submissions."""
    records = [{"tags": tags} for tags in NORTH]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    res = {"south.conll": RES["south.conll"], "north.json": text}
    of_gold = {**REF, "scoring.yaml": "reference: {file: gold.conll, format: conll}\n"}
    assert Case(tmp_path / "gold", of_gold, res).run() == 0
    assert "Not scored" not in capsys.readouterr().err
    frozen = of_gold["scoring.yaml"] + "format: conll\nsubmissions: {join: position}\n"
    case = Case(tmp_path / "frozen", {**REF, "scoring.yaml": frozen}, {"north.json": text})
    assert case.run() == 1
    reason = "north.json: it holds JSON, and the format of this task is CoNLL"
    assert reason in capsys.readouterr().err
    folder = tmp_path / "frozen" / "input"
    ids = ["--ids", str(folder / "ref/gold.conll"), "--settings", str(folder / "ref/scoring.yaml")]
    assert check.main([str(folder / "res/north.json"), *ids]) == 1
    assert reason in "".join(capsys.readouterr())
