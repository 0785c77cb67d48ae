"""Competitions of texts from files to the page: how they are joined, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from scoring_program import score
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
    assert "40 segments are too few to tell them apart" in same.page()


@pytest.mark.parametrize("name", ["qid", "Index", "question_id"])
def test_every_usual_name_of_ids_joins_texts(tmp_path: Path, name: str) -> None:
    named = [text.replace("id,", f"{name},", 1) for text in (GOLD, *TEAMS.values())]
    res = dict(zip(TEAMS, named[1:], strict=True))
    case = Case(tmp_path / "a", {"gold.csv": named[0], "scoring.yaml": METRICS}, res)
    assert case.run() == 0
    same = Case(tmp_path / "b", {"gold.csv": GOLD, "scoring.yaml": METRICS}, TEAMS)
    assert same.run() == 0
    assert case.scores() == same.scores()


@pytest.mark.parametrize(
    ("settings", "gold", "res", "found"),
    [
        ("[bleu]", "id,ref,ref\n1,a b,c\n2,c d,d\n", "id,text\n1,a b\n2,c\n", "'ref'"),
        (
            "[hamming_loss]",
            "id,labels\n1,a;b\n2,b\n",
            "id,labels,labels\n1,a;b,b\n2,b,a\n",
            "'labels'",
        ),
        (
            "[sample_mean]",
            "id,label\n1,a\n2,b\n",
            "id,sample,label,label\n1,1,a,b\n2,1,b,b\n",
            "'label'",
        ),
    ],
)
def test_columns_of_one_name_are_asked_about(
    tmp_path: Path,
    settings: str,
    gold: str,
    res: str,
    found: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Scoring either of the two may name the wrong winner."""
    files = {"gold.csv": gold, "scoring.yaml": f"metrics: {settings}\n"}
    assert Case(tmp_path, files, {"A.csv": res}).run() in (1, 2)
    assert f"line 1: two columns are called {found}; rename one" in capsys.readouterr().err


def test_a_described_gold_needs_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"gold.csv": "ID,y\n", "scoring.yaml": "reference: {columns: {id: 1, label: 2}}\n"}
    assert Case(tmp_path, files, TEAMS).run() == 2
    assert "gold.csv: there is no example; add one row per example" in capsys.readouterr().err


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
    out = capsys.readouterr().out
    assert "suggests exact_match, token_f1." in out
    assert "Exact match (SQuAD) ignores case, punctuation and the articles a, an and the." in out
    assert "exact match (SQuAD)" in (case.output / "detailed_results.html").read_text()
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


@pytest.mark.parametrize(
    ("metric", "texts", "status"),
    [
        ("ter", "a " * 257, 1),
        ("ter", "a " * 256, 0),
        ("ter", "a" * 4097, 1),
        ("word_error_rate", "a " * 257, 0),
    ],
)
def test_texts_are_shorter_where_a_metric_takes_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: str, texts: str, status: int
) -> None:
    long = TEAMS["north.csv"].replace("s36,", f"s36,{texts}")
    ref = {"gold.csv": GOLD, "scoring.yaml": f"metrics: [{metric}]\n"}
    assert Case(tmp_path, ref, {"predictions.csv": long}).run() == status
    if status:
        assert "line 5: found " in (shown := capsys.readouterr().err)
        assert "expected at most" in shown
        assert "which follows the test set; shorten it" in shown


def test_a_wrong_number_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"gold.txt": "x\nb\nc\n", "scoring.yaml": METRICS}
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


def test_references_by_other_names_are_told_how_to_be_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    res = {"north.txt": lines(LINES), "south.txt": lines(OTHER)}
    for number, extension in enumerate(("", ".txt")):
        ref = {f"test.simple.{i}{extension}": lines(x) for i, x in enumerate((LINES, OTHER))}
        assert Case(tmp_path / str(number), {**ref, "scoring.yaml": METRICS}, res).run() > 0
    told = capsys.readouterr().err
    assert "no reference data among test.simple.0, test.simple.1: expected one of .csv" in told
    assert "call the files by the extension of their format" in told
    assert "If they are references of the same texts, call them reference.1.txt, refer" in told


def test_files_of_no_format_beside_unreadable_tasks_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = {f"note{i}{kind}": lines(LINES) for i in range(3) for kind in (".txt", ".ann")}
    settings = "metrics: [span_f1]\n"
    case = Case(tmp_path, {**ref, "scoring.yaml": settings}, {"north.txt": lines(LINES)})
    assert case.run() == 2
    told = capsys.readouterr().err
    assert "Not read in ref/, because the extension says no format: 3 files (note0.ann, " in told
    assert "a 'reader' of your own reads them (docs/how-to/readers.md)" in told


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


#: One answer of five is wrong in the north, every second in the south.
_ANSWERS = [("yes", "no")[i * 7 % 5 % 2] for i in range(60)]
_IDS = [f"d{i:03d}" for i in range(60)]


def _lines(every: int, mark: str) -> str:
    """Return lines of ids and answers, in another order than the gold, some of them wrong."""
    rows = [
        f"{key}{mark}{answer if i % every else 'maybe'}\n"
        for i, (key, answer) in enumerate(zip(_IDS, _ANSWERS, strict=True))
    ]
    return "".join(rows[::-1])


_WITH_IDS = {
    "gold.txt": "".join(f"{key}\t{answer}\n" for key, answer in zip(_IDS, _ANSWERS, strict=True)),
    "scoring.yaml": "metrics: [exact_match]\n",
}


@pytest.mark.parametrize("mark", [" ", ": ", ",", " ||| ", "\uff0c"])
def test_lines_of_texts_that_begin_with_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: str
) -> None:
    res = {"north.txt": _lines(5, mark), "south.txt": _lines(2, "\t")}
    case = Case(tmp_path, _WITH_IDS, res)
    assert case.run() == 0
    scores = case.scores()
    assert (scores["exact_match.north"], scores["exact_match.south"]) == (0.8, 0.5)
    shown = capsys.readouterr().out
    assert f"what follows the first {mark.strip() or ' '!r} was read as the prediction" in shown
    assert "matched by position" not in shown


def test_lines_of_texts_that_begin_with_ids_in_several_ways(tmp_path: Path) -> None:
    north = "".join(
        line.replace(" ", " :="[i % 3], 1) for i, line in enumerate(_lines(5, " ").splitlines(True))
    )
    res = {"north.txt": north, "south.txt": _lines(2, "\t"), "west.txt": _lines(3, "\t")}
    case = Case(tmp_path, _WITH_IDS, res)
    assert case.run() == 0
    ((entry, reason),) = [
        (item["entry"], item["reason"])
        for item in json.loads((case.output / "results.json").read_text())["unusable"]
    ]
    assert entry == "north"
    assert reason.startswith("north.txt: The rows begin with ids, but no delimiter")
    assert "put a comma or a tab between the id and the prediction" in reason


def test_texts_with_a_number_in_front_are_not_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [f"the sentence {i % 7}" for i in range(40)]
    ref = {"gold.txt": "\n".join(texts) + "\n", "scoring.yaml": METRICS}
    csv = "".join(f"{i},{text}\n" for i, text in enumerate(texts))
    assert Case(tmp_path, ref, {"predictions.txt": csv}).run() == 1
    shown = capsys.readouterr().err
    assert "every line begins with what may be an id, such as '0' and '1'" in shown
    assert "the test set has no ids; write the predictions alone" in shown
    rows = csv.splitlines(keepends=True)
    shuffled = "id,text\n" + "".join([*rows[20:], *rows[:20]])
    assert Case(tmp_path / "b", ref, {"predictions.csv": shuffled}).run() == 1
    assert "id '0' follows id '39'; put the rows in the order of" in capsys.readouterr().err
    assert Case(tmp_path / "c", ref, {"predictions.csv": "id,text\n" + csv}).run() == 0


_WORDS = ["red", "green", "blue", "black", "white"]
_SAID = [f"The {_WORDS[i % 5]} one, {_WORDS[i // 5 % 5]} and 2" for i in range(20)]
_BEGINNINGS = {
    "NIST": [f"4T{i % 3}C0{i}X" for i in range(20)],
    "paths": [f"clips/{chr(97 + i)}.wav" for i in range(20)],
    "hexadecimal": [f"{(i + 3) ** 13 % 16**16:016x}" for i in range(20)],
    "speakers": [f"{_WORDS[i % 5]}_{_WORDS[i // 5]}" for i in range(20)],
}


def _begun(ids: Sequence[str], mark: str = " ", order: int = 1) -> str:
    """Return lines that begin with ids, of which the first text is wrong."""
    texts = ["a red one", *_SAID[1:]] if order == -1 else _SAID
    lines = [f"{key}{mark}{text}\n" for key, text in zip(ids, texts, strict=True)]
    return "".join(lines[::order])


@pytest.mark.parametrize("mark", [" ", "|", ": ", ","])
@pytest.mark.parametrize("form", _BEGINNINGS)
def test_ids_at_the_lines_of_a_gold_are_no_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, mark: str
) -> None:
    ids, settings = _BEGINNINGS[form], {"scoring.yaml": "metrics: [string_match]\n"}
    res = {"better.txt": _begun(ids, mark, -1)}
    case = Case(tmp_path / "a", {"gold.txt": _begun(ids, mark), **settings}, res)
    assert case.run() == 2
    shown = capsys.readouterr().err
    assert "gold.txt: every line begins with what may be an id" in shown
    assert ids[0] not in shown
    case = Case(tmp_path / "b", {"gold.txt": _begun(ids, "\t"), **settings}, res)
    assert case.run() == 0
    assert case.scores()["string_match"] == 0.95
    plain = {"gold.txt": "".join(f"{text}\n" for text in _SAID), **settings}
    assert Case(tmp_path / "c", plain, res).run() == 1
    assert "write the predictions alone" in capsys.readouterr().err


def test_words_like_ids_may_belong_to_the_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids, settings = _BEGINNINGS["NIST"], {"scoring.yaml": "metrics: [string_match]\n"}
    gold = "text\n" + "".join(f'"{line}"\n' for line in _begun(ids).splitlines())
    res = {"p.txt": _begun(ids)}
    assert Case(tmp_path / "a", {"gold.csv": gold, **settings}, res).run() == 0
    res = {"p.txt": _begun(ids, order=-1)}
    assert Case(tmp_path / "b", {"gold.csv": gold, **settings}, res).run() == 1
    assert "with the same words as those of the test set, in another" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "{word} {number}",  # a capital word, an amount
        "{number}{number} apples, {word}",
        "{word}-{number}",  # no word follows
        "x{number}{word} y{number}{word} z{number}",  # other words look alike
        "Mr. {word}{number}",
    ],
)
def test_texts_that_begin_with_other_words_than_ids_are_read(tmp_path: Path, line: str) -> None:
    words = ["Genesis", "Adam", "Noah", "Sarah", "Lot", "Isaac", "Esau", "Jacob", "Leah", "Levi"]
    texts = [line.format(word=word, number=i * i + 3) for i, word in enumerate(words)]
    gold = "".join(f"{text}\n" for text in texts)
    ref = {"gold.txt": gold, "scoring.yaml": "metrics: [string_match]\n"}
    assert Case(tmp_path, ref, {"p.txt": gold}).run() == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,text,note\n{id},a text\n", ["every row has fewer columns than the header: 2 of 3"]),
        ("id,text\n{id},a text, with a comma\n", ["line 2: 3 cells found, 2 expected", "quote"]),
        ("{id},a text, with a comma\n", ["line 1: 3 columns found, 2 expected", "'id,text'"]),
    ],
)
def test_texts_of_other_widths_than_the_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: list[str]
) -> None:
    *header, row = text.splitlines(keepends=True)
    sent = "".join([*header, *(row.format(id=key) for key in _IDS)])
    assert Case(tmp_path, _WITH_IDS, {"predictions.csv": sent}).run() == 1
    shown = capsys.readouterr().err
    assert "the file is empty" not in shown
    for part in says:
        assert part in shown


_CITIES = ["Paris", "Rome", "Oslo", "Bern", "Kyiv"]


def _table(header: str, ids: Sequence[str], texts: Sequence[str] = _CITIES) -> str:
    rows = (f"{key},{text}" for key, text in zip(ids, texts, strict=True))
    return "\n".join([header, *rows]) + "\n" if header else "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("ids", "texts"),
    [
        ("12345", _CITIES),  # numbers have a name above them
        (["ax1", "ax2", "bx10", "bx3", "c4"], ["[1 1]", "[0 2]", "[1 1]", "[0 2]", "[2 0]"]),
    ],
)
def test_an_unusual_header_of_texts_is_no_example(
    tmp_path: Path, ids: Sequence[str], texts: Sequence[str]
) -> None:
    ref = {"gold.csv": _table("prompt,solution", ids, texts), "scoring.yaml": METRICS}
    res = {
        "same.csv": _table("prompt,solution", ids, [texts[0], *"abcd"]),
        "other.csv": _table("prompt,hypothesis", ids, [*texts[:3], *"ab"]),
        "none.csv": _table("", ids, [*texts[:2], *"abc"]),
    }
    case = Case(tmp_path, ref, res)
    assert case.run() == 0
    scores = case.scores()
    found = [scores[f"exact_match.{team.removesuffix('.csv')}"] for team in res]
    assert found == pytest.approx([0.2, 0.6, 0.4])


@pytest.mark.parametrize(
    ("first", "stated"), [("clip,sentence", "[id, text]"), ("sentence", "[text]")]
)
def test_the_first_line_of_texts_may_hold_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: str, stated: str
) -> None:
    def file(wrong: int) -> str:
        texts = [*"wrong"[:wrong], *_CITIES[wrong:]]
        full = _table("clip,sentence", [f"a{i}b{i * 7}" for i in range(5)], texts)
        return full if "," in first else "".join(line.split(",")[1] + "\n" for line in full.split())

    settings = "metrics: [string_match]\n"
    ref = {"gold.csv": file(0), "scoring.yaml": settings}
    assert Case(tmp_path / "a", ref, {"p.csv": file(2)}).run() == 2
    shown = capsys.readouterr().err
    remedies = ["reference: {header: true}", f"reference: {{columns: {stated}, header: false}}"]
    for remedy, right in zip(remedies, (3 / 5, 4 / 6), strict=True):
        assert f"'{remedy}'" in shown
        ref["scoring.yaml"] = f"{settings}{remedy}\n"
        case = Case(tmp_path / remedy[-6:-1], ref, {"p.csv": file(2)})
        assert case.run() == 0
        assert case.scores()["string_match"] == pytest.approx(right)


@pytest.mark.parametrize(
    "first",
    ["ax7,Berlin", "audio.wav,Berlin", "zx,Rome", "zx,The city of Berlin is it", "zx,Is it?"],
)
def test_a_first_line_like_the_others_is_an_example(tmp_path: Path, first: str) -> None:
    ids = [f"ax{i}" if first.startswith("ax") else f"{name}.wav" for i, name in enumerate("abcde")]
    gold = _table(first, ids)
    ref = {"gold.csv": gold, "scoring.yaml": METRICS}
    case = Case(tmp_path, ref, {"p.csv": gold})
    assert case.run() == 0
    assert case.scores()["n_examples"] == 6


def test_the_first_of_several_columns_of_texts_may_be_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("gehen", "ging", "V"), ("sehen", "sah", "V"), ("laufen", "lief", "V")]
    gold = "".join("\t".join(row) + "\n" for row in rows)
    right, wrong = gold, gold.replace("ging", "gehte")
    res = {"right.tsv": right, "wrong.tsv": wrong}
    settings = "metrics: [string_match]\n"
    case = Case(tmp_path / "a", {"deu.gold": gold, "scoring.yaml": settings}, res)
    assert case.run() == 2
    shown = capsys.readouterr().err
    stated = "{columns: {label: 2}, header: false}"
    assert f"such as 'reference: {stated}', and the same for 'submissions'" in shown
    assert "ging" not in shown
    told = f"{settings}reference: {stated}\nsubmissions: {stated}\n"
    case = Case(tmp_path / "b", {"deu.gold": gold, "scoring.yaml": told}, res)
    assert case.run() == 0
    assert case.scores()["string_match.wrong"] == pytest.approx(2 / 3)
    named = {team: f"lemma\tform\ttag\n{sent}" for team, sent in (("deu.gold", gold), *res.items())}
    settings = "metrics: [{function: string_match, column: form}]\n"
    ref = {"deu.gold": named.pop("deu.gold"), "scoring.yaml": settings}
    case = Case(tmp_path / "c", ref, named)
    assert case.run() == 0
    assert case.scores()["string_match.wrong"] == pytest.approx(2 / 3)


def test_entries_read_in_different_ways_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = "".join(f"{answer}\n" for answer in _ANSWERS)
    res = {"north.txt": _lines(5, "\t"), "south.txt": alone, "west.txt": alone}
    case = Case(tmp_path, _WITH_IDS, res)
    assert case.run() == 0
    assert (
        ": The rows of south, west were matched by position, because they have no ids, and those "
        "of the others by id" in capsys.readouterr().out
    )
    assert "The rows of south, west were matched by position" in case.page()
    warnings = json.loads((case.output / "results.json").read_text())["warnings"]
    assert ("red", "read_differently") in [(item["level"], item["code"]) for item in warnings]
    # Where all are matched in the same way, there is nothing to compare it with.
    same = Case(tmp_path / "b", _WITH_IDS, {"south.txt": alone, "west.txt": alone})
    assert same.run() == 0
    assert ": The rows of" not in capsys.readouterr().out


def test_scores_in_the_wrong_direction_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chances = [(answer == "yes") + i % 7 / 5 for i, answer in enumerate(_ANSWERS)]
    ref = {
        "gold.csv": "id,label\n"
        + "".join(f"{key},{answer}\n" for key, answer in zip(_IDS, _ANSWERS, strict=True)),
        "scoring.yaml": "metrics: [{roc_auc_score: {pos_label: yes}}]\n",
    }
    res = {
        f"{name}.csv": "id,score\n"
        + "".join(f"{key},{sign * x}\n" for key, x in zip(_IDS, chances, strict=True))
        for name, sign in (("north", 1), ("south", -1))
    }
    assert Case(tmp_path, ref, res).run() == 0
    shown = capsys.readouterr().out
    assert "Warning (amber), ROC AUC: ROC AUC of south is worse than chance (0." in shown
    assert "so the direction looks reversed" in shown
    assert "of north is worse" not in shown


def test_lines_with_ids_from_python(tmp_path: Path) -> None:
    Case(tmp_path, _WITH_IDS, {"north.txt": _lines(5, " = "), "south.txt": _lines(2, ": ")})
    found = score(tmp_path / "input", resamples=100)["exact_match"].ranking
    assert [(row.entry, row.score) for row in found] == [("north", 0.8), ("south", 0.5)]


def test_rows_of_one_id_are_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They score like numbered columns; a row that is there twice is a mistake."""
    rows = [(f"s{i:02d}", f"d{i % 4}", f"text {i % 7}", f"other words {i % 5}") for i in range(40)]
    columns = "id,document,reference_1,reference_2\n" + "".join(
        f"{','.join(row)}\n" for row in rows
    )
    repeated = "id,document,reference\n" + "".join(
        f"{key},{document},{text}\n" for key, document, *texts in rows for text in texts
    )
    settings = METRICS + "group: document\n"
    scores = []
    for name, gold in {"columns": columns, "rows": repeated}.items():
        case = Case(tmp_path / name, {"gold.csv": gold, "scoring.yaml": settings}, TEAMS)
        assert case.run() == 0
        scores.append(case.scores())
    assert scores[0] == scores[1]
    assert "40 examples come on several rows, whose texts are their references." in case.page()
    capsys.readouterr()
    again = repeated + repeated.splitlines()[1] + "\n"
    case = Case(tmp_path / "again", {"gold.csv": again, "scoring.yaml": settings}, TEAMS)
    assert case.run() == 2
    assert "the id was already on line" in capsys.readouterr().err


def test_which_column_identifies_the_examples_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One speaker's recordings are no references of one example."""
    rows = [(f"c{i % 7}", f"clip_{i}.mp3", f"a text of {i} words") for i in range(40)]
    ref = {
        "gold.csv": "client_id,path,sentence\n" + "".join(f"{','.join(row)}\n" for row in rows),
        "scoring.yaml": "metrics: [{function: string_match, column: sentence}]\n",
    }
    texts = [f"{path},{text if i % 4 else 'a text'}\n" for i, (_, path, text) in enumerate(rows)]
    res = {"north.csv": "path,sentence\n" + "".join(texts[::-1]), "south.csv": ref["gold.csv"]}
    case = Case(tmp_path, ref, res)
    assert case.run() == 2
    remedy = "'id_column: path'"
    assert (
        f"'path' differs on every row; say what identifies the examples in the settings: {remedy}"
        in (capsys.readouterr().err)
    )
    (case.input / "ref" / "scoring.yaml").write_text(ref["scoring.yaml"] + remedy.strip("'") + "\n")
    assert case.run() == 0
    assert case.scores()["string_match.north"] == 0.75
    assert "come on several rows" not in case.page()


def test_columns_of_metrics_that_are_not_shown_stay_columns(tmp_path: Path) -> None:
    gold = "id,rude,loud\n" + "".join(f"t{i},{i % 2},{i % 3 // 2}\n" for i in range(60))
    sent = "id,rude,loud\n" + "".join(f"t{i},.{i % 5},.{i % 7}\n" for i in range(60))
    lines = [
        f"- {{name: {name}, function: roc_auc_score, column: {name}, show: false}}\n"
        for name in ("rude", "loud")
    ]
    formula = "- {name: mean_auc, formula: (rude + loud) / 2, greater_is_better: true}\n"
    sides = "submissions: {columns: {rude: rude, loud: loud}}\n"
    settings = f"{sides}metrics:\n{''.join([*lines, formula])}"
    ref = {"gold.csv": gold, "scoring.yaml": settings}
    hidden = Case(tmp_path / "hidden", ref, {"a.csv": sent, "b.csv": gold})
    ref["scoring.yaml"] = ref["scoring.yaml"].replace(", show: false", "")
    shown = Case(tmp_path / "shown", ref, {"a.csv": sent, "b.csv": gold})
    assert (hidden.run(), shown.run()) == (0, 0)
    assert hidden.scores()["mean_auc.a"] == shown.scores()["mean_auc.a"]


def test_one_column_of_ones_for_each_class_is_no_gold_of_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "1 0 0\n0 1 0\n0 0 1\n" * 10
    ref = {"task.solution": rows, "scoring.yaml": "metrics: [mse]\n"}
    case = Case(tmp_path, ref, {"a.predict": rows, "b.predict": "1 0 0\n" * 30})
    assert case.run() == 2
    assert "'mse' scores numbers, but every row of task.solution" in capsys.readouterr().err
    (case.input / "ref" / "scoring.yaml").write_text("metrics: [accuracy_score]\n")
    assert case.run() == 0
    assert case.scores()["accuracy_score.b"] == pytest.approx(1 / 3)
