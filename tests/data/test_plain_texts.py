"""Plain texts whose lines may begin with ids, and references that nothing names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scoring_program.commands.score import main

_WORDS = ["up", "today", "sat", "no", "very", "time", "home", "bad", "dog", "cat", "ran", "good"]
_KEYS = [f"k{chr(97 + place)}x{chr(122 - place)}" for place in range(20)]


def _lines(wrong: int, *, keys: list[str] = _KEYS) -> str:
    """Return lines of ids and texts; ``wrong`` lines have one wrong word."""
    texts = []
    for place, key in enumerate(keys):
        words = [_WORDS[(place * step) % len(_WORDS)] for step in (1, 3, 5)]
        if place < wrong:
            words[1] = "zzz"
        texts.append(" ".join([key, *words]) + "\n")
    return "".join(texts)


def _run(folder: Path, files: dict[str, str]) -> int:
    for name, text in files.items():
        path = folder / "input" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return main([str(folder / "input"), str(folder / "output"), "--resamples", "100"])


def _scores(folder: Path) -> dict[str, float]:
    results = json.loads((folder / "output" / "results.json").read_text(encoding="utf-8"))
    return {entry["entry"]: entry["score"] for entry in results["metrics"][0]["entries"]}


def _options(told: str) -> list[str]:
    return re.findall(r"^  (reference: .*?)  # ", told, re.MULTILINE)


@pytest.mark.parametrize("moved", [False, True])
def test_whether_first_words_are_ids_is_asked_and_each_line_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], moved: bool
) -> None:
    files = {"ref/gold.txt": _lines(0), "ref/scoring.yaml": "metrics: [wer]\n"}
    sent = _lines(3).splitlines(keepends=True)
    several = sent[::-1] if moved else sent
    files |= {"res/one.txt": "".join(sent), "res/two.txt": _lines(6), "res/x.txt": "".join(several)}
    if moved:  # fewer lines than those whose order is looked at
        files = {
            name: "".join(sorted(text.splitlines(keepends=True))[:6]) if ".txt" in name else text
            for name, text in files.items()
        }
        files["res/x.txt"] = "".join(files["res/one.txt"].splitlines(keepends=True)[::-1])
    assert _run(tmp_path, files) == 2
    options = _options(capsys.readouterr().err)
    assert len(options) == (1 if moved else 2)
    found = []
    for number, option in enumerate(options):
        folder = tmp_path / str(number)
        assert _run(folder, {**files, "ref/scoring.yaml": f"metrics: [wer]\n{option}\n"}) == 0
        found.append(_scores(folder))
    n = 6 if moved else 20
    assert found[0] == pytest.approx({"one": 3 / (3 * n), "two": 6 / (3 * n), "x": 3 / (3 * n)})
    if not moved:
        assert found[1] == pytest.approx({"one": 3 / 80, "two": 6 / 80, "x": 3 / 80})


@pytest.mark.parametrize(
    "gold",
    [
        _lines(0, keys=_WORDS),  # the first words come again in other lines
        _lines(0, keys=[*_KEYS[:19], _KEYS[0]]),
    ],
)
def test_first_words_that_come_again_are_words(tmp_path: Path, gold: str) -> None:
    files = {"ref/gold.txt": gold, "ref/scoring.yaml": "metrics: [wer]\n"}
    sent = gold.replace("sat", "zzz")
    assert _run(tmp_path, {**files, "res/one.txt": sent, "res/two.txt": sent}) == 0


def test_one_file_of_three_does_not_make_the_run_ask(tmp_path: Path) -> None:
    files = {"ref/gold.txt": _lines(0), "ref/scoring.yaml": "metrics: [wer]\n"}
    heard = {f"res/{team}.txt": _lines(3).replace(_KEYS[place], "oh")
             for place, team in enumerate("ab")}  # fmt: skip
    assert _run(tmp_path, {**files, **heard, "res/c.txt": _lines(3)}) == 0


_THREE = [
    [f"one {place} {word}", f"two {place} {word} is", f"three {word} {place} so"]
    for place, word in enumerate(_WORDS)
]


def test_columns_of_references_without_names_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "".join(f"{place},{','.join(row)}\n" for place, row in enumerate(_THREE))
    files = {"ref/gold.csv": gold, "ref/scoring.yaml": "metrics: [string_match]\n"}
    for number, team in enumerate("abc"):
        files[f"res/{team}.csv"] = "".join(
            f"{place},{row[number]}\n" for place, row in enumerate(_THREE)
        )
    assert _run(tmp_path, files) == 2
    told = capsys.readouterr().err
    assert "Tried with these lines: 3 of 3 files are read." in told
    options = _options(told)
    right = [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 0, "c": 0}, {"a": 0, "b": 1, "c": 0}]
    for number, scores in enumerate(right):
        folder = tmp_path / str(number)
        settings = f"metrics: [string_match]\n{options[number]}\n"
        assert _run(folder, {**files, "ref/scoring.yaml": settings}) == 0
        assert _scores(folder) == scores


def test_sources_that_come_again_are_no_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [f"in {word} out" for word in [*_WORDS[:-1], _WORDS[0]]]
    pairs = zip(sources, _THREE, strict=True)
    files = {
        "ref/gold.tsv": "".join(f"{source}\t{row[0]}\n" for source, row in pairs),
        "ref/scoring.yaml": "metrics: [string_match]\n",
        "res/a.txt": "".join(f"{row[0]}\n" for row in _THREE),
        "res/b.txt": "".join(f"{row[1]}\n" for row in _THREE),
    }
    assert _run(tmp_path, files) == 2
    told = capsys.readouterr().err
    assert "gold.tsv: which columns are references?" in told
    assert "unique" not in told
    of_source, of_reference = _options(told)
    for option, right in ((of_source, 0), (of_reference, 1)):
        folder = tmp_path / str(right)
        settings = f"metrics: [string_match]\n{option}\n"
        assert _run(folder, {**files, "ref/scoring.yaml": settings}) == 0
        assert _scores(folder) == {"a": right, "b": 0}


@pytest.mark.parametrize("value", ["human", "[human]", "[human, human]", "{a: b}"])
def test_references_are_several_columns_or_blocks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    settings = f"metrics: [bleu]\nreference: {{references: {value}}}\n"
    assert _run(tmp_path, {"ref/gold.csv": "id,human\na,b\n", "ref/scoring.yaml": settings}) == 2
    assert "a list of columns, by name or number, or blocks" in capsys.readouterr().err
