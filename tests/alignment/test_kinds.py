"""Competitions of texts from files to the page: how they are joined, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import pytest

from scoring_program.bundle import kit
from scoring_program.commands import check
from scoring_program.commands.score import main
from tests.competitions import read_scores

GOLD = "id,document,source,reference\n" + "".join(
    f"s{i:02d},d{i % 4},quelle {i},a text of {i % 7} words and {i % 5} more\n" for i in range(40)
)
METRICS = "metrics: [token_f1, exact_match]\n"


def team(shift: int) -> str:
    """Return a team's file, its rows in another order and some of its texts empty."""
    rows = [
        f"s{i:02d},{f'a text of {(i + i // shift % 2) % 7} words' if i % 9 else ''}"
        for i in range(40)
    ]
    return "id,translation\n" + "\n".join(rows[::-1]) + "\n"


TEAMS = {"north.csv": team(3), "south.csv": team(8)}


class Case:
    """A folder INPUT with files below ref and res."""

    def __init__(self, root: Path, ref: Mapping[str, str], res: Mapping[str, str]) -> None:
        self.input, self.output = root / "input", root / "output"
        for folder, files in (("ref", ref), ("res", res)):
            for name, content in files.items():
                path = self.input / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")

    def run(self) -> int:
        """Run the program and return its exit status."""
        return main([str(self.input), str(self.output), "--resamples", "100"])

    def scores(self) -> dict[str, float]:
        return read_scores((self.output / "scores.txt").read_text())

    def checked(self, name: str, content: str) -> subprocess.CompletedProcess[str]:
        """Run the checker of the starting kit on a file, as a participant without packages."""
        folder = self.input.parent / "kit"
        folder.mkdir(exist_ok=True)
        (folder / "check.pyz").write_bytes(kit.checker(kit.rules_of(self.input / "ref")))
        (folder / name).write_text(content, encoding="utf-8")
        command = [sys.executable, "-I", "-S", "check.pyz", name]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    def page(self) -> str:
        return (self.output / "detailed_results.html").read_text(encoding="utf-8")


def test_texts_are_joined_by_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Case(tmp_path / "a", {"gold.csv": GOLD, "scoring.yaml": METRICS}, TEAMS).run() == 0
    assert "2 entries on 40 segments." in capsys.readouterr().out
    ordered = {
        name: "id,translation\n" + "\n".join(sorted(text.splitlines()[1:])) + "\n"
        for name, text in TEAMS.items()
    }
    same = Case(tmp_path / "b", {"gold.csv": GOLD, "scoring.yaml": METRICS}, ordered)
    assert same.run() == 0
    assert same.scores() == Case(tmp_path / "a", {}, {}).scores()
    assert "test set of 40 segments" in same.page()


def test_groups_are_resampled_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = METRICS + "group: document\n"
    case = Case(tmp_path, {"gold.csv": GOLD, "scoring.yaml": settings}, TEAMS)
    assert case.run() == 0
    assert "4 groups (document)" in case.page()


def test_lines_are_joined_by_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = "the first\n\nthe third line\n" * 20
    res = {"north.txt": "first\n\nthe third\n" * 20, "south.txt": "x\ny\n\n" * 20}
    case = Case(tmp_path, {"gold.txt": gold, "scoring.yaml": METRICS}, res)
    assert case.run() == 0
    scores = case.scores()
    assert scores["exact_match.north"] == pytest.approx(2 / 3)
    assert scores["token_f1.north"] == pytest.approx((1 + 1 + 2 / 3) / 3)
    assert "Format: 2 with one text per line." in capsys.readouterr().out


def test_the_signature_names_the_libraries_that_count(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    settings = "metrics: [token_f1, {name: half, formula: bleu / 2}, bleu]\n"
    case = Case(tmp_path, {"gold.csv": GOLD, "scoring.yaml": settings}, TEAMS)
    assert case.run() == 0
    found = json.loads((case.output / "results.json").read_text())["signature"]
    assert found["sacrebleu"] == version("sacrebleu")
    assert "jiwer" not in found


def test_squad_needs_no_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = [
        {"id": f"q{i}", "question": "?", "answers": [{"text": f"{i} km"}, {"text": str(i)}]}
        for i in range(30)
    ]
    gold = {"data": [{"title": "t", "paragraphs": [{"context": "c", "qas": questions}]}]}
    res = {
        f"{name}.json": json.dumps({f"q{i}": f"the {i if i % k else 0} KM" for i in range(30)})
        for name, k in (("north", 5), ("south", 3))
    }
    case = Case(tmp_path, {"dev.json": json.dumps(gold)}, res)
    assert case.run() == 0
    assert "suggests exact_match, token_f1." in capsys.readouterr().out
    assert case.scores()["exact_match.north"] == pytest.approx(25 / 30)


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (lambda text: text.replace("s07,", "s77,"), ["id 's77' is not in the test set", "'s07'"]),
        (lambda text: text + "s07,again\n", ["id 's07' was already on line 34"]),
        (lambda text: text.replace("translation", "comment").replace("id,", "id,note,")
         .replace(",a text", ",,a text"), ["there is no column 'reference'"]),
    ],
)  # fmt: skip
def test_defects_are_reported_like_those_of_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: object, messages: list[str]
) -> None:
    assert callable(change)
    res = {"predictions.csv": change(TEAMS["north.csv"])}
    case = Case(tmp_path, {"gold.csv": GOLD, "scoring.yaml": METRICS}, res)
    assert case.run() == 1
    shown = capsys.readouterr().err
    for message in messages:
        assert message in shown
    assert "a text of" not in shown


def test_a_wrong_number_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"gold.txt": "a\nb\nc\n", "scoring.yaml": METRICS}
    assert Case(tmp_path, settings, {"predictions.txt": "a\nb\n"}).run() == 1
    assert "predictions.txt: 2 rows, 3 expected" in capsys.readouterr().err


def test_a_missing_text_is_empty_if_the_settings_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {name: "\n".join(text.splitlines()[:-5]) + "\n" for name, text in TEAMS.items()}
    ref = {"gold.csv": GOLD, "scoring.yaml": METRICS}
    assert Case(tmp_path / "a", ref, short).run() == 1
    assert "5 missing ids" in capsys.readouterr().err
    ref = {"gold.csv": GOLD, "scoring.yaml": METRICS + "missing: wrong\n"}
    lenient = Case(tmp_path / "b", ref, short)
    assert lenient.run() == 0
    filled = {name: text + "".join(f"s0{i},\n" for i in range(5)) for name, text in short.items()}
    full = Case(tmp_path / "c", ref, filled)
    assert full.run() == 0
    assert lenient.scores() == full.scores()


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ("[token_f1, {name: own, function: 'own.py:score', kind: numbers}]", "does not hold a"),
        ("[{name: own, function: 'own.py:score', kind: words}]", "not one of labels, scores"),
        ("[{name: own, function: 'own.py:score', kind: text, column: answer}]", "no target column"),
    ],
)
def test_metrics_that_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metrics: str, message: str
) -> None:
    ref = {
        "gold.csv": GOLD,
        "own.py": "greater_is_better = True\ndef score(gold, texts): return 1.0\n",
        "scoring.yaml": f"metrics: {metrics}\n",
    }
    assert Case(tmp_path, ref, TEAMS).run() == 2
    assert message in capsys.readouterr().err


def test_a_plain_function_of_texts_is_called(tmp_path: Path) -> None:
    own = (
        "kind, greater_is_better = 'text', True\n"
        "def score(gold, texts):\n"
        "    return sum(map(len, texts)) / sum(map(len, gold))\n"
    )
    ref = {
        "gold.csv": GOLD,
        "own.py": own,
        "scoring.yaml": "metrics: [{name: length, function: 'own.py:score'}]\n",
    }
    case = Case(tmp_path, ref, TEAMS)
    assert case.run() == 0
    gold = [line.split(",")[3] for line in GOLD.splitlines()[1:]]
    north = [line.split(",")[1] for line in TEAMS["north.csv"].splitlines()[1:]]
    expected = len("".join(north)) / len("".join(gold))
    assert case.scores()["length.north"] == pytest.approx(expected)


def test_the_starting_kit_reads_texts_as_the_platform_does(tmp_path: Path) -> None:
    gold = "a b\n\nc\n" * 4
    case = Case(tmp_path, {"gold.txt": gold, "scoring.yaml": METRICS}, {})
    good = case.checked("good.txt", "x\n\ny\n" * 4)
    assert "it holds a prediction for each of 12 segments" in good.stdout, good.stderr
    assert "bad.txt: 2 rows, 12 expected" in case.checked("bad.txt", "x\ny\n").stderr


def test_the_check_is_told_that_texts_are_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.txt").write_text("x\n\ny\n")
    assert check.main([str(tmp_path / "p.txt"), "--rows", "3", "--kind", "text"]) == 0
    assert "a prediction for each of 3 segments" in capsys.readouterr().out


LINES = ["a red house", "it rains", "two dogs bark", "no"]
OTHER = ["the red house", "", "two dogs are barking", "no one"]


def lines(texts: list[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


@pytest.mark.parametrize(
    "names",
    [
        ("reference.0.txt", "reference.1.txt"),
        ("ref0.txt", "ref1.txt"),
        ("refA.txt", "refB.txt"),
        ("newstest.ref-1.txt", "newstest.ref-2.txt"),
    ],
)
def test_parallel_files_of_references(tmp_path: Path, names: tuple[str, str]) -> None:
    ref = dict(zip(names, (lines(LINES), lines(OTHER)), strict=True))
    ref |= {"scoring.yaml": METRICS, "source.txt": lines([*"abcd"])}
    res = {"north.txt": lines(LINES), "south.txt": lines([*OTHER[:1], "", *OTHER[2:]])}
    competition = Case(tmp_path, ref, res)
    assert competition.run() == 0
    assert competition.scores()["exact_match.north"] == 1
    # A blank line is no reference beside another one.
    assert competition.scores()["exact_match.south"] == 0.75


def test_parallel_references_have_as_many_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = {"ref.0.txt": lines(LINES), "ref.1.txt": lines(OTHER[1:]), "scoring.yaml": METRICS}
    assert Case(tmp_path, ref, {"north.txt": lines(LINES), "south.txt": lines(OTHER)}).run() == 2
    message = capsys.readouterr().err
    assert "ref.1.txt: 3 lines, but ref.0.txt has 4; give every segment a line" in message


def test_tasks_with_parallel_references(tmp_path: Path) -> None:
    ref = {f"{task}.ref{i}.txt": lines(x) for task in "ab" for i, x in enumerate((LINES, OTHER))}
    res = {
        f"{team}/{task}.txt": lines(x)
        for team, x in (("north", LINES), ("south", OTHER))
        for task in "ab"
    }
    competition = Case(tmp_path, {**ref, "scoring.yaml": METRICS}, res)
    assert competition.run() == 0
    assert competition.scores()["a_exact_match.north"] == 1
