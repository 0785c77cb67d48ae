"""No name that others wrote controls a terminal, turns a line or breaks a drawing.

Every name that reaches an output is a hostile one here: of systems, metrics, tasks and slices, in
settings, in tables of scores, in logs and in a results.json that is compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

import scoring_program as dh
from scoring_program.commands import compare
from scoring_program.commands.score import main
from scoring_program.core.legible import legible
from tests.competitions import Folder, write_csv

#: A color of a terminal, its title, what hides the cursor, and what turns or hides a text.
CONTROLS = "\x1b[31m", "\x1b]0;t\x07", "\x9b?25l", "\u202e", "\u2066", "\u2069", "\u200b", "\u00ad"
EVIL = "".join(CONTROLS)
_SVG = re.compile(r"<svg\b[^>]*?(/?)>|</svg>")
#: Nothing of these may be left, but for what our own sentences hold: see `legible`.
_HIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2066\u2067]")


def hostile(name: str) -> str:
    return f"{name}{EVIL}"


def drawings(page: str) -> Iterator[str]:
    """Yield the drawings of a page, each with those that it holds."""
    opened: list[int] = []
    for tag in _SVG.finditer(page):
        if tag[0] != "</svg>" and not tag[1]:
            opened.append(tag.start())
        elif tag[0] == "</svg>":
            start = opened.pop()
            if not opened:
                yield page[start : tag.end()]


def nothing_is_hidden(texts: Iterable[tuple[str, str]]) -> None:
    """Assert that every character of named texts is visible, and every drawing is XML."""
    for name, text in texts:
        found = _HIDDEN.findall(text)
        assert found == [], (name, text[max(0, text.index(found[0]) - 90) :][:150])
        # Our own isolates are closed, so they are left as they are.
        assert [line for line in text.split("\n") if legible(line) != line] == [], name
        if name.endswith(".svg"):
            ElementTree.fromstring(text)
        for drawing in drawings(text) if name.endswith(".html") else ():
            ElementTree.fromstring(drawing)


def outputs(folder: Path) -> list[tuple[str, str]]:
    """Return the files that people read."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [(path.name, path.read_text("utf-8")) for path in paths if path.suffix != ".json"]


def scored(folder: Path, capfd: pytest.CaptureFixture[str], status: int = 0) -> None:
    arguments = [str(folder), str(folder / "out"), "--resamples", "100", "--workers", "1"]
    assert main(arguments) == status, capfd.readouterr().err
    out, err = capfd.readouterr()
    nothing_is_hidden([("out", out), ("err", err), *outputs(folder / "out")])


def test_names_in_settings_and_slices(folder: Folder, capfd: pytest.CaptureFixture[str]) -> None:
    folder.write()
    topics = [hostile("xyz"[number % 3]) for number in range(len(folder.ids))]
    gold = {"id": folder.ids, "label": folder.labels, hostile("topic"): topics}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    folder.team(f"Four{CONTROLS[3]}{CONTROLS[0]}", {"id": folder.ids, "label": folder.labels})
    folder.team(f"Five{CONTROLS[3]}", {"id": folder.ids, "label": [hostile("a")] * 60})
    settings = {"metrics": ["accuracy_score", "f1_macro"], "title": hostile("Title")}
    folder.settings(yaml.safe_dump({**settings, "slices": [hostile("topic")]}))
    scored(folder.input, capfd)


def test_half_a_character_is_written(folder: Folder, capfd: pytest.CaptureFixture[str]) -> None:
    folder.write("metrics: [accuracy_score]\nslices: [topic]\n")
    (folder.input / "ref" / "gold.csv").unlink()
    rows = zip(folder.ids, folder.labels, strict=True)
    topics = ("\ud800", "y")
    gold = [{"id": id, "label": label, "topic": topics[id > "x03"]} for id, label in rows]
    (folder.input / "ref" / "gold.json").write_text(json.dumps(gold))
    scored(folder.input, capfd)
    document = json.loads((folder.input / "out" / "results.json").read_text("utf-8"))
    assert {one["value"] for one in document["metrics"][0]["slices"]} == {"\ud800", "y"}


@pytest.mark.parametrize("where", ["team", "task", "dice", "case"])
def test_names_in_a_table_of_scores(
    where: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        (f"c{case}", team, task, case * 7 % 5 / 5 + number / 100)
        for case in range(30)
        for number, team in enumerate(("One", "Two", "Three"))
        for task in ("north", "south")
    ]
    cells = map(list, zip(*rows, strict=True))
    columns: dict[str, list[Any]] = dict(zip(("case", "team", "task", "dice"), cells, strict=True))
    if where in ("team", "task", "case"):
        columns[where] = [hostile(str(cell)) for cell in columns[where]]
    if where == "dice":
        columns[hostile("dice")] = columns.pop("dice")
    write_csv(tmp_path / "res" / "scores.csv", columns)
    metric = {"name": "dice", "function": "mean_score", "greater_is_better": True}
    if where == "dice":
        metric |= {"column": hostile("dice")}
    (tmp_path / "ref").mkdir()
    settings = {"metrics": [metric], "unit": "case", "system": "team"}
    (tmp_path / "ref" / "scoring.yaml").write_text(yaml.safe_dump(settings))
    scored(tmp_path, capfd)


def sample(question: int, number: int) -> dict[str, Any]:
    """Return a question's record in a log; some of them lack a score."""
    value = "CI"[(question + number) % 3 > 1]
    scorers = ("match", "rare") if question % 2 else ("match",)
    return {"id": f"q{question}", "scores": {hostile(name): {"value": value} for name in scorers}}


def test_names_in_logs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number, model in enumerate(("big", "small")):
        for task in ("arith", "geo"):
            log = {
                "version": 2, "status": "success",
                "eval": {"task": hostile(task), "model": hostile(model)},
                "samples": [sample(question, number) for question in range(20)],
            }  # fmt: skip
            path = tmp_path / "res" / f"{model}_{task}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(log))
    scored(tmp_path, capfd)


def test_names_in_a_results_json_that_is_compared(
    folder: Folder, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\ntitle: Title\n")
    assert folder.run() == 0
    document = (folder.output / "results.json").read_text(encoding="utf-8")
    other = folder.root / "results.json"
    changed = json.loads(document, object_hook=_hostile)
    other.write_text(json.dumps(changed))
    capfd.readouterr()
    output = folder.root / "compared"
    arguments = [str(other), str(folder.output), "-o", str(output), "--metric", "accuracy_score"]
    assert compare.main(arguments) == 0
    out, err = capfd.readouterr()
    nothing_is_hidden([("out", out), ("err", err), *outputs(output)])
    result = dh.read_results(other)
    shown = {
        "result": repr(result), "metric": repr(result["accuracy_score"]), "table": result.to_latex()
    }  # fmt: skip
    nothing_is_hidden([*shown.items(), ("page.html", result._repr_html_())])
    changed["schema_version"] = EVIL
    other.write_text(json.dumps(changed))
    assert compare.main(arguments) == 2
    nothing_is_hidden([("err", capfd.readouterr().err)])


def _hostile(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record of results.json whose names and sentences are hostile."""
    texts = ("title", "label", "definition", "leader", "entry", "sentence", "verdict", "message")
    return {
        key: hostile(value) if key in texts and isinstance(value, str) else value
        for key, value in record.items()
    }
