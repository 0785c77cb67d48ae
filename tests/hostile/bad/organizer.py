"""The organizer's files: reference data and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tests.hostile.bad.case import Bad, Spoil
from tests.hostile.bad.makers import Exploding, npy, yaml_bomb
from tests.hostile.trap import A, B, C, Trap


def _gold(content: Callable[[Trap], str | bytes] | str | bytes, name: str = "gold.csv") -> Spoil:
    def spoil(trap: Trap) -> None:
        (trap.ref / "gold.csv").unlink()
        trap.put(f"ref/{name}", content(trap) if callable(content) else content)

    return spoil


def _reference() -> Iterator[Bad]:
    def rows(trap: Trap, last: str) -> str:
        return (
            "id,label\n"
            + "".join(f"{i},{b}\n" for i, b in zip(trap.ids, trap.labels, strict=True))
            + last
        )

    cases: dict[str, tuple[Spoil, tuple[str, ...]]] = {
        "missing": (lambda t: (t.ref / "gold.csv").unlink(), ("gold",)),
        "no bytes": (_gold(""), ("gold.csv", "empty")),
        "header only": (_gold("id,label\n"), ("gold.csv",)),
        "two files of one name": (
            lambda t: t.put("ref/gold.tsv", rows(t, "")),
            ("are both reference data of the task",),
        ),
        "an id twice": (_gold(lambda t: rows(t, f"x003,{A}\n")), ("line 32", "line 5", "unique")),
        "an empty id": (_gold(lambda t: rows(t, f",{A}\n")), ("line 32", "id is empty")),
        "an empty label": (_gold(lambda t: rows(t, "x9,\n")), ("line 32", "empty")),
        "a row too short": (_gold(lambda t: rows(t, f"{A}\n")), ("line 32",)),
        "a row too long": (_gold(lambda t: rows(t, f"x9,{A},{B}\n")), ("line 32",)),
        "two columns of one name": (
            _gold(lambda t: rows(t, "").replace("id,label", "label,label")),
            ("two columns",),
        ),
        "ids only": (_gold(lambda t: "id\n" + "\n".join(t.ids)), ("gold.csv",)),
        "another encoding": (
            _gold(lambda t: rows(t, "ñ,x\n").encode("latin-1")),
            ("UTF-8", "line 32"),
        ),
        "a NUL character": (_gold(lambda t: rows(t, "\0,x\n")), ("NUL",)),
        "no text": (_gold(bytes(range(256))), ("gold.csv",)),
        "an archive that is none": (_gold(b"PK", "gold.zip"), ("gold",)),
        "numbers where one is missing": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, "x9,\n")),
            ("line 32",),
        ),
        "numbers where one is infinite": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, "x9,inf\n")),
            ("line 32",),
        ),
        "numbers where one is a word": (
            lambda t: t.numeric() and t.put("ref/gold.csv", rows(t, f"x9,{A}\n")),
            ("line 32",),
        ),
        "one class for a metric that needs two": (
            lambda t: [
                t.put("ref/gold.csv", rows(t, "").replace(B, A).replace(C, A)),
                t.submit({"id": t.ids, "label": [A] * 30}),
                t.settings("metrics: [{f1_score: {pos_label: 7}}]\n"),
            ],
            ("settings' labels",),
        ),
        "a label that the settings lack": (
            lambda t: t.settings("metrics: [accuracy_score]\nlabels: [cat, dog]\n"),
            ("not listed",),
        ),
        "a broken packed field": (
            lambda t: t.put("ref/submissions/Rival.csv", f"id,label\nx000,{A}\n"),
            ("ref/submissions",),
        ),
        "an archive in the packed field that is none": (
            lambda t: t.put("ref/submissions/Rival.zip", b"PK"),
            ("ref/submissions",),
        ),
        "texts that all differ, without a header": (
            _gold(
                lambda t: "".join(f"{i}x,{b} {i}\n" for i, b in zip("abcd", t.labels, strict=False))
            ),
            ("Is the first row of gold.csv", "header: false"),
        ),
        "decimal commas": (
            lambda t: [
                t.put(
                    "ref/gold.csv",
                    "id;label\n" + "".join(f"{i};{k},5\n" for k, i in enumerate(t.ids)),
                ),
                t.settings("seed: 1\n"),
            ],
            ("line 2", "a decimal comma"),
        ),
        "ids that differ in Unicode's form only": (
            _gold(lambda t: f"id,label\nni\u00f1o,{A}\nnin\u0303o,{B}\n"),
            ("line 3", "unique"),
        ),
        "JSON nested deep": (_gold("[" * 100_000, "gold.json"), ("gold.json",)),
        "an array of objects": (
            _gold(lambda t: npy(np.array([Exploding()] * 30), allow_pickle=True), "gold.npy"),
            ("gold.npy",),
        ),
    }
    for name, (spoil, says) in cases.items():
        yield Bad("reference data", name, spoil, 2, says)


def _settings() -> Iterator[Bad]:
    cases: dict[str, tuple[str | bytes, str]] = {
        "an unknown key": ("resample: 5\n", "did you mean 'resamples'"),
        "a key twice": ("seed: 1\nseed: 2\n", "twice"),
        "not YAML": ("metrics: [f1_score\n", "not valid YAML"),
        "tabs": ("metrics:\n\t- f1_score\n", "not valid YAML"),
        "a list": ("- f1_score\n", "line 1"),
        "a text": ("f1_score\n", "line 1"),
        "Latin-1": ("title: ñ\n".encode("latin-1"), "UTF-8"),
        "control characters": ("title: \x07\n", "not valid YAML"),
        "a tag that runs code": (
            "title: !!python/object/apply:os.mkdir [pwned]\n",
            "not valid YAML",
        ),
        "an unknown tag": ("title: !secret x\n", "not valid YAML"),
        "an alias bomb": (yaml_bomb("title"), "alias"),
        "an alias bomb of lists": ("a: &a [1,1]\nb: &b [*a,*a]\ntitle: *b\n", "alias"),
        "a document that holds itself": ("title: &a [*a]\n", "alias"),
        "nested 10,000 deep": ("title: " + "[" * 10_000, "not valid YAML"),
        "two documents": ("seed: 1\n---\nseed: 2\n", "not valid YAML"),
        "a key that is a list": ("? [a]\n: 1\n", "scoring.yaml"),
        "a date that does not exist": ("title: 2021-99-99\n", "scoring.yaml"),
        "an integer of 10,000 digits": ("seed: " + "9" * 10_000 + "\n", "scoring.yaml"),
        "resamples as text": ("resamples: many\n", "whole number"),
        "too few resamples": ("resamples: 5\n", "at least 100"),
        "a negative seed": ("seed: -1\n", "seed"),
        "confidence 1": ("confidence: 1\n", "confidence"),
        "confidence as a percentage": ("confidence: 95\n", "confidence"),
        "confidence nan": ("confidence: .nan\n", "confidence"),
        "an unknown interval": ("interval: bc\n", "did you mean 'bca'"),
        "an unknown tie rule": ("tie_rule: holms\n", "did you mean 'holm'"),
        "a title that is a list": ("title: [a]\n", "title"),
        "a budget of no time": ("time_budget: 0\n", "time_budget"),
        "a budget that is infinite": ("time_budget: .inf\n", "time_budget"),
        "no memory": ("memory: 0\n", "memory"),
        "no workers": ("workers: 0\n", "workers"),
        "half a worker": ("workers: 1.5\n", "workers"),
        "one label": ("labels: [a]\n", "labels"),
        "a label twice": ("labels: [a, a]\n", "labels"),
        "an unknown group": ("group: author\n", "no column 'author'"),
        "an unknown id column": ("id_column: key\n", "no column 'key'"),
        "a ranking metric that is none": ("rank_by: f1\n", "no metric 'f1'"),
        "a backend that is none": ("backend: cloud\n", "backend"),
        "no metrics": ("metrics: []\n", "at least one metric"),
        "a metric that is none": ("metrics: [f1_scor]\n", "did you mean 'f1_score'"),
        "a metric that is a number": ("metrics: [3]\n", "write a metric as"),
        "a parameter that is none": (
            "metrics: [{f1_score: {averages: macro}}]\n",
            "did you mean 'average'",
        ),
        "a parameter's value that is none": (
            "metrics: [{f1_score: {average: makro}}]\n",
            "average",
        ),
        "a parameter of the wrong type": ("metrics: [{f1_score: {average: [macro]}}]\n", "average"),
        "labels that are numbers": (
            "metrics: [{f1_score: {average: macro, labels: [1, 2]}}]\n",
            "labels",
        ),
        "labels of two types": (
            "metrics: [{f1_score: {average: macro, labels: [1, b]}}]\n",
            "labels",
        ),
        "a positive label that the data lack": (
            "metrics: [{f1_score: {average: macro, pos_label: zebra}}]\nlabels: [x, y]\n",
            "not listed",
        ),
        "zero_division that is none": (
            "metrics: [{f1_score: {average: macro, zero_division: maybe}}]\n",
            "zero_division",
        ),
        "binary where there are three": ("metrics: [f1_score]\n", "average"),
        "numbers where there are labels": ("metrics: [mean_absolute_error]\n", "number"),
        "two metrics of one name": ("metrics: [accuracy_score, accuracy_score]\n", "two metrics"),
        "a metric's name too long": (
            "metrics: [{name: " + "a" * 37 + ", function: accuracy_score}]\n",
            "36",
        ),
        "a metric's name with a colon": (
            'metrics: [{name: "a:b", function: accuracy_score}]\n',
            "scores.txt",
        ),
        "a metric's name that YAML reads otherwise": (
            "metrics: [{name: 'null', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that is a number": (
            "metrics: [{name: '1', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that is a merge": (
            "metrics: [{name: '<<', function: accuracy_score}]\n",
            "scores.txt",
        ),
        "a metric's name that another key has": (
            "metrics: [{name: n_examples, function: accuracy_score}]\n",
            "n_examples",
        ),
        "function and formula": (
            "metrics: [{name: a, function: accuracy_score, formula: '1'}]\n",
            "either",
        ),
        "sample weights": ("metrics: [{accuracy_score: {sample_weight: [1]}}]\n", "sample_weight"),
        "a formula that is code": (
            "metrics: [accuracy_score, {name: a, formula: __import__('os').mkdir('pwned')}]\n",
            "formula",
        ),
        "a formula that names nothing": (
            "metrics: [{name: a, formula: 1 + 1}]\n",
            "names no metric",
        ),
        "a formula that names itself": (
            "metrics: [{name: a, formula: a + 1}]\n",
            "defined by itself",
        ),
        "a formula that names another": ("metrics: [{name: a, formula: b + 1}]\n", "not a metric"),
        "a formula nested deep": (
            "metrics: [accuracy_score, {name: a, formula: '"
            + "(" * 5000
            + "accuracy_score"
            + ")" * 5000
            + "'}]\n",
            "formula",
        ),
        "a formula of a power tower": (
            "metrics: [accuracy_score, {name: a, formula: 'accuracy_score + 9**9**9**9'}]\n",
            "undefined",
        ),
        "a formula that divides by zero": (
            "metrics:\n  - {name: b, function: accuracy_score}\n"
            "  - {name: a, formula: 'b / (b - b)', greater_is_better: true}\nrank_by: a\n",
            "undefined",
        ),
    }
    for name, (text, says) in cases.items():
        yield Bad(
            "settings", name, partial(Trap.put, path="ref/scoring.yaml", content=text), 2, (says,)
        )


def cases() -> Iterator[Bad]:
    """Yield them all."""
    yield from _reference()
    yield from _settings()
