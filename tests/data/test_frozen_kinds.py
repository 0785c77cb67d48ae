"""The frozen Reading of every kind of data: nothing is recognized, and nothing else counts.

Each competition is frozen as ``read --freeze`` does it. Then its scores are the same, its Reading
says that everything is stated, no further column or key moves a score, and the kit's checker takes
what is scored and refuses what is refused, in the same words.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import scoring_program as dh
from scoring_program.api.how_read import HowRead
from scoring_program.bundle import kit
from scoring_program.bundle.frozen import asked_for
from scoring_program.core.errors import SettingsError, SubmissionError
from scoring_program.data.joining.checker_rules import as_document, as_rules
from scoring_program.data.joining.format_check import check
from scoring_program.data.source import read_input
from scoring_program.reading.table import Table
from scoring_program.recognize import usual_names
from scoring_program.recognize.by_names.gold_columns import facts_of_names
from tests.hostile.additions import competitions
from tests.sweeps import in_turn

#: Path below the input → content.
Files = Mapping[str, str]
#: Task, kind of target and entry → predictions.
Read = dict[tuple[str, str, str], list[Any]]

_METRICS_OF_SETS = "metrics: [icm_norm]\n"
#: Further forms of the kinds: with other names, without names, in other formats.
FORMS: dict[str, Files] = {
    "label sets under other names": {
        "ref/gold.csv": "tweet_id,emotions\na,joy;fear\nb,joy\nc,fear;anger\nd,\n",
        "ref/scoring.yaml": _METRICS_OF_SETS,
        "res/north.csv": "tweet_id,emotions\na,joy\nb,joy;fear\nc,anger\nd,\n",
        "res/south.csv": "tweet_id,emotions\na,joy;fear\nb,fear\nc,anger\nd,joy\n",
    },
    "label sets with a column each": {
        "ref/gold.csv": "id,joy,fear,anger\na,1,1,0\nb,1,0,0\nc,0,1,1\nd,0,0,0\n",
        "ref/scoring.yaml": _METRICS_OF_SETS,
        "res/north.csv": "id,joy,fear,anger\na,1,0,0\nb,1,1,0\nc,0,0,1\nd,0,0,0\n",
        "res/south.csv": "id,joy,fear,anger\na,1,1,0\nb,0,1,0\nc,0,0,1\nd,1,0,0\n",
    },
    "label sets in lists of JSON Lines": {
        "ref/gold.jsonl": (
            '{"id": "a", "labels": ["joy", "fear"]}\n{"id": "b", "labels": ["joy"]}\n'
            '{"id": "c", "labels": []}\n'
        ),
        "ref/scoring.yaml": _METRICS_OF_SETS,
        "res/north.jsonl": (
            '{"id": "a", "labels": ["joy"]}\n{"id": "b", "labels": ["joy", "fear"]}\n'
            '{"id": "c", "labels": ["fear"]}\n'
        ),
        "res/south.jsonl": (
            '{"id": "a", "labels": ["fear"]}\n{"id": "b", "labels": ["joy"]}\n'
            '{"id": "c", "labels": []}\n'
        ),
    },
    "label sets on lines": {
        "ref/gold.txt": "joy fear\njoy\nfear anger\nanger joy\n",
        "ref/scoring.yaml": _METRICS_OF_SETS,
        "res/north.txt": "joy\njoy fear\nanger\nanger joy\n",
        "res/south.txt": "joy fear\nfear\nanger\njoy\n",
    },
    "label sets in two targets": {
        "ref/gold.csv": "id,topics,tones\na,x;y,pp;q\nb,x,q\nc,y;z,pp\nd,z,q;pp\n",
        "ref/scoring.yaml": (
            "metrics:\n"
            "  - {name: topics, function: icm_norm, column: topics}\n"
            "  - {name: tones, function: icm_norm, column: tones}\n"
        ),
        "res/north.csv": "id,topics,tones\na,x,pp\nb,x,q\nc,y;z,pp\nd,z,q\n",
        "res/south.csv": "id,topics,tones\na,x;y,q\nb,z,q\nc,y,pp\nd,z,pp;q\n",
    },
    "a matrix": {
        "ref/gold.solution": "1 1 0\n1 0 0\n0 1 1\n0 0 1\n",
        "ref/scoring.yaml": _METRICS_OF_SETS,
        "res/north.predict": "1 0 0\n1 1 0\n0 0 1\n0 0 1\n",
        "res/south.predict": "1 1 0\n0 1 0\n0 0 1\n1 0 0\n",
    },
    "texts with ids": {
        "ref/gold.csv": "id,reference\n1,the cat sat\n2,a dog ran\n3,birds fly\n",
        "ref/scoring.yaml": "metrics: [token_f1]\n",
        "res/north.csv": "id,hypothesis\n1,the cat\n2,a dog ran\n3,a bird\n",
        "res/south.csv": "id,hypothesis\n1,cat sat\n2,dog\n3,birds fly\n",
    },
    "texts with several references": {
        "ref/gold.csv": (
            "id,reference_1,reference_2\n1,the cat,cat\n2,a dog,the dog\n3,birds,bird\n"
        ),
        "ref/scoring.yaml": "metrics: [token_f1]\n",
        "res/north.csv": "id,text\n1,the cat\n2,a dog ran\n3,a bird\n",
        "res/south.csv": "id,text\n1,cat sat\n2,dog\n3,birds fly\n",
    },
    "texts in blocks": {
        "ref/gold.txt": "the cat\na cat\n\na dog\nthe dog\n\nbirds\n",
        "ref/scoring.yaml": "metrics: [token_f1]\nreference: {references: blocks}\n",
        "res/north.txt": "the cat\na dog ran\na bird\n",
        "res/south.txt": "cat sat\ndog\nbirds fly\n",
    },
    "texts of SQuAD": {
        "ref/dev.json": json.dumps(
            {
                "data": [
                    {
                        "title": "T",
                        "paragraphs": [
                            {
                                "context": "c",
                                "qas": [
                                    {"id": "q1", "answers": [{"text": "Paris"}]},
                                    {"id": "q2", "answers": [{"text": "in May"}, {"text": "May"}]},
                                    {"id": "q3", "answers": [{"text": "two"}]},
                                ],
                            }
                        ],
                    }
                ]
            }
        ),
        "res/north.json": '{"q1": "Paris", "q2": "June", "q3": "two"}',
        "res/south.json": '{"q1": "London", "q2": "May", "q3": "two"}',
    },
    "tags in JSON Lines": {
        "ref/gold.jsonl": (
            '{"words": ["Ada", "ran"], "ner_tags": ["B-PER", "O"]}\n'
            '{"words": ["to", "Rome"], "ner_tags": ["O", "B-LOC"]}\n'
            '{"words": ["Bob"], "ner_tags": ["B-PER"]}\n'
        ),
        "ref/scoring.yaml": "metrics: [entity_f1]\n",
        "res/north.jsonl": (
            '{"words": ["Ada", "ran"], "ner_tags": ["B-PER", "O"]}\n'
            '{"words": ["to", "Rome"], "ner_tags": ["O", "O"]}\n'
            '{"words": ["Bob"], "ner_tags": ["B-PER"]}\n'
        ),
        "res/south.jsonl": (
            '{"words": ["Ada", "ran"], "ner_tags": ["O", "O"]}\n'
            '{"words": ["to", "Rome"], "ner_tags": ["O", "B-LOC"]}\n'
            '{"words": ["Bob"], "ner_tags": ["O"]}\n'
        ),
    },
    "spans under other names": {
        "ref/gold.csv": "doc,begin,stop,label\na,0,3,X\na,5,9,Y\nb,1,4,X\nc,,,\n",
        "ref/scoring.yaml": "metrics: [span_f1]\n",
        "res/north.csv": "doc,begin,stop,label\na,0,3,X\nb,1,4,Y\n",
        "res/south.csv": "doc,begin,stop,label\na,5,9,Y\nb,1,4,X\nc,2,3,X\n",
    },
    "spans in lists": {
        "ref/gold.jsonl": (
            '{"id": "a", "entities": [[0, 3, "X"], [5, 9, "Y"]]}\n{"id": "b", "entities": []}\n'
        ),
        "ref/scoring.yaml": "metrics: [span_f1]\n",
        "res/north.jsonl": '{"id": "a", "entities": [[0, 3, "X"]]}\n{"id": "b", "entities": []}\n',
        "res/south.jsonl": (
            '{"id": "a", "entities": [[5, 9, "Y"], [0, 3, "X"]]}\n'
            '{"id": "b", "entities": [[1, 2, "X"]]}\n'
        ),
    },
    "spans without names": {
        "ref/gold.csv": "a,0,3,X\na,5,9,Y\nb,1,4,X\n",
        "ref/scoring.yaml": "metrics: [span_f1]\n",
        "res/north.csv": "a,0,3,X\nb,1,4,Y\n",
        "res/south.csv": "a,5,9,Y\nb,1,4,X\n",
    },
    "samples that passed or failed": {
        "ref/gold.csv": "task_id\nt1\nt2\nt3\n",
        "ref/scoring.yaml": "metrics: [pass_at_k: {k: 1}]\n",
        "res/north.csv": "task_id,attempt,passed\nt1,1,1\nt1,2,0\nt2,1,0\nt3,1,1\n",
        "res/south.csv": "task_id,attempt,passed\nt1,1,0\nt1,2,0\nt2,1,1\nt3,1,0\n",
    },
    "samples in lists": {
        "ref/gold.csv": "id,label\nq1,a\nq2,b\nq3,c\n",
        "ref/scoring.yaml": "metrics: [pass_at_k: {k: 1}]\n",
        "res/north.json": '{"q1": ["a", "b"], "q2": ["b"], "q3": ["a"]}',
        "res/south.json": '{"q1": ["b"], "q2": ["b", "b"], "q3": ["c"]}',
    },
    "ranked lists in JSON": {
        "ref/gold.json": '{"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 0, "d4": 1}}',
        "ref/scoring.yaml": "metrics: [nDCG@10]\n",
        "res/north.json": '{"q1": {"d1": 3.0, "d3": 1.0}, "q2": {"d4": 2.0, "d1": 1.5}}',
        "res/south.json": '{"q1": {"d2": 3.0, "d3": 1.0}, "q2": {"d1": 2.0, "d4": 1.5}}',
    },
    "ranked lists by rank": {
        "ref/gold.qrels": "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 0\nq2 0 d4 1\n",
        "ref/scoring.yaml": "metrics: [nDCG@10]\n",
        "res/north.run": "q1 d1 1\nq1 d3 2\nq2 d4 1\nq2 d1 2\n",
        "res/south.run": "q1 d2 1\nq1 d3 2\nq2 d1 1\nq2 d4 2\n",
    },
    "ranked lists in cells": {
        "ref/gold.csv": "user,basket\nu1,a b\nu2,c\nu3,d a\n",
        "ref/scoring.yaml": (
            "metrics: [nDCG@10]\nreference: {items: ' ', header: true}\n"
            "submissions: {items: ' ', header: true}\n"
        ),
        "res/north.csv": "user,basket\nu1,a c b\nu2,c a\nu3,b d\n",
        "res/south.csv": "user,basket\nu1,c a\nu2,b c\nu3,a d\n",
    },
    "resolved in a list": {
        "ref/gold.txt": "p-1\np-2\np-3\np-4\n",
        "ref/scoring.yaml": "metrics: [resolved_rate]\n",
        "res/north.json": '["p-1", "p-3"]',
        "res/south.json": '["p-2"]',
    },
}
_LM_EVAL = "".join(
    f'{{"doc_id": {q}, "doc": {{}}, "target": "x", "resps": [], "filter": "none", '
    f'"exact_match": EXACT{q}, "perplexity": {q + 2}.5}}\n'
    for q in range(6)
)
_LOG = "samples_gsm8k_2025-01-02T03-04-05.678.jsonl"


def _log(right: str) -> str:
    text = _LM_EVAL
    for q, digit in enumerate(right):
        text = text.replace(f"EXACT{q}", f"{digit}.0")
    return text


#: Tables of scores and of preferences, and logs: no platform scores them.
TABLES: dict[str, Files] = {
    "scores without settings": {
        "res/scores.csv": (
            "case,algorithm,accuracy\n1,a,.8\n1,b,.7\n2,a,.6\n2,b,.9\n3,a,.5\n3,b,.4\n"
        ),
    },
    "scores in two directions": {
        "res/scores.csv": (
            "case,algorithm,accuracy,loss\n1,a,.8,2\n1,b,.7,3\n2,a,.6,4\n2,b,.9,2\n3,a,.5,1\n"
            "3,b,.4,3\n"
        ),
    },
    "a wide table of perplexities": {
        "ref/scoring.yaml": "metrics: [{name: perplexity, function: mean_score}]\n",
        "res/scores.csv": "case,north,south\n1,20.5,30\n2,21,28\n3,19,35\n",
    },
    "preferences without a group": {
        "res/preferences.csv": (
            "prompt,left,right,winner\np1,a,b,left\np1,b,a,right\np2,a,b,right\np3,b,a,left\n"
            "p4,a,b,tie\n"
        ),
    },
    "logs": {
        f"res/north/out/{_LOG}": _log("110101"),
        f"res/south/out/{_LOG}": _log("010001"),
    },
}
#: What a reader of the organizer reads is stated; and lists in CSV are other cells in JSON Lines.
_LEFT_OUT = ("record", "label_sets in JSON Lines")
#: The competitions that `new` writes, and the forms.
KNOWN = {
    **{name: files for name, files in competitions().items() if name not in _LEFT_OUT},
    **FORMS,
    **TABLES,
}
#: The competitions that `new` writes, in their own format.
STARTERS = [name for name in competitions() if name in KNOWN and "JSON" not in name]
#: Those with files of predictions, and so with a kit.
SENT = [
    name for name in KNOWN if name not in TABLES and not name.startswith(("scores", "preferences"))
]
#: Every usual name of anything.
_USUAL = dict.fromkeys(
    [
        *usual_names.LABEL_SET_NAMES, *usual_names.SCORE_NAMES, *usual_names.TEXT_NAMES,
        *usual_names.SAMPLE_VALUES, "sample", "attempt", "document", "doc", "file", "doc_id",
        *usual_names.SPAN_STARTS, *usual_names.SPAN_ENDS, *usual_names.SPAN_TYPES,
        *usual_names.SPAN_LISTS, *usual_names.TOKEN_NAMES, *usual_names.ITEM_LISTS,
        *usual_names.RESOLVED_NAMES,
    ]
)  # fmt: skip


def written(files: Files, folder: Path) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def scores_of(folder: Path) -> tuple[list[Any], list[Any]]:
    """Return the scores of every entry by every metric, and the entries that are unusable."""
    record = dh.score(folder, None, resamples=100).to_dict()
    scores = []
    for metric in record["metrics"]:
        entries = {entry["entry"]: entry["score"] for entry in metric["entries"]}
        scores.append((metric["name"], metric.get("task"), entries))
    return scores, record["unusable"]


def frozen(files: Files, folder: Path) -> Path:
    """Write a competition whose settings state what was read, as `bundle` packs them."""
    written(files, folder)
    text = settings_frozen(tuple(sorted(files.items())))
    return written({"ref/scoring.yaml": text}, folder)


@cache
def settings_frozen(files: tuple[tuple[str, str], ...]) -> str:
    """Return the text of the settings of a competition that is frozen."""
    with tempfile.TemporaryDirectory() as name:
        folder = written(dict(files), Path(name))
        reading = HowRead.of_input(folder)
        path = folder / "ref" / "scoring.yaml"
        settings = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
        return yaml.safe_dump({**settings, **reading.frozen}, sort_keys=False)


def read_of(folder: Path, layout: str = "auto") -> Read:
    """Return the predictions of every entry by task and target, in the order of the test set."""
    competition, _ = read_input(folder, lambda settings: replace(settings, layout=layout))
    read = {}
    for part in competition.parts:
        for entry in part.entries:
            assert entry is not None
            for target, predictions in entry.predictions.items():
                name = "" if layout == "single" else entry.name
                read[part.name, target.kind, name] = predictions.tolist()
    return read


# What is frozen -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN)
def test_the_same_is_read(name: str, tmp_path: Path) -> None:
    before = read_of(written(KNOWN[name], tmp_path / "before"))
    assert read_of(frozen(KNOWN[name], tmp_path / "after")) == before


@pytest.mark.parametrize("name", STARTERS)
def test_scores_are_the_same(name: str, tmp_path: Path) -> None:
    before = scores_of(written(KNOWN[name], tmp_path / "before"))
    after = scores_of(frozen(KNOWN[name], tmp_path / "after"))
    assert after == before
    assert before[1] == []


@pytest.mark.parametrize("name", KNOWN)
def test_nothing_is_left_to_names(name: str, tmp_path: Path) -> None:
    frozen(KNOWN[name], tmp_path)
    again = HowRead.of_input(tmp_path)
    lines = [*again.lines()]
    assert not [line for line in lines if "by name" in line]
    assert name == "logs" or any("stated: the settings say so" in line for line in lines)
    assert again.freeze().added == ()


# What is added to uploads -------------------------------------------------------------------------


def _with_columns(text: str, names: Sequence[str]) -> str:
    """Return a table with columns in front, of other cells that stand in the last one."""
    header, *rows = csv.reader(io.StringIO(text))
    new = [name for name in names if name.casefold() not in {*map(str.casefold, header)}]
    last = [row[-1] for row in rows]
    table = [[*new, *header]]
    for row, cell in zip(rows, last[::-1], strict=True):
        table.append([*[cell] * len(new), *row])
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(table)
    return stream.getvalue()


def _with_keys(text: str, names: Sequence[str]) -> str:
    """Return records with keys in front, of other values that stand under the last one."""
    records = [json.loads(line) for line in text.splitlines()]
    last = [[*record.values()][-1] for record in records]
    changed = []
    for record, value in zip(records, last[::-1], strict=True):
        new = {name: value for name in names if name not in record}
        changed.append(json.dumps({**new, **record}))
    return "".join(f"{line}\n" for line in changed)


def _added(path: str, text: str) -> str | None:
    """Return an upload with columns or keys of every usual name; None if its form has no more."""
    if path.endswith(".csv") and is_named(text):
        return _with_columns(text, [*_USUAL])
    if path.endswith(".jsonl"):
        return _with_keys(text, [*_USUAL])
    if path.endswith(".conll"):
        return text.replace(" ", " B-PER ")
    if path.endswith(".json") and '"resolved"' in text:
        return text.replace("{", '{"resolved_ids": ["parser-110"], "note": null,', 1)
    return None


def is_named(text: str) -> bool:
    return any(cell in text.partition("\n")[0] for cell in ("id", "doc", "user", "system"))


#: Competitions to whose uploads something can be added.
OPEN = [
    name
    for name in SENT
    if any(path.startswith("res/") and _added(path, text) for path, text in KNOWN[name].items())
]


@pytest.mark.parametrize("name", OPEN)
def test_no_further_column_or_key_is_read(name: str, tmp_path: Path) -> None:
    before = read_of(frozen(KNOWN[name], tmp_path / "before"))
    folder = frozen(KNOWN[name], tmp_path / "after")
    for path, text in KNOWN[name].items():
        if path.startswith("res/"):
            (folder / path).write_text(_added(path, text) or text, encoding="utf-8")
    assert read_of(folder) == before


@pytest.mark.parametrize("name", SENT)
def test_a_further_file_is_not_read(name: str, tmp_path: Path) -> None:
    """A single upload is scored as before, or refused with both files named."""
    path, text = next((path, text) for path, text in KNOWN[name].items() if path[:4] == "res/")
    single = {**_of_reference(name), f"res/{Path(path).name}": text}
    if "/" in path[4:]:  # an upload for several tasks
        team = path[4:].partition("/")[0]
        sent = [other for other in KNOWN[name] if other.startswith(f"res/{team}/")]
        single = {**_of_reference(name), **{f"res/{Path(p).name}": KNOWN[name][p] for p in sent}}
    before = read_of(_packed(name, single, tmp_path / "before"), "single")
    beside = {"res/notes.md": "# Our system\n", "res/metadata": "elapsedTime: 3\n"}
    after = read_of(_packed(name, {**single, **beside}, tmp_path / "after"), "single")
    assert after == before
    twice = _packed(name, {**single, "res/also.csv": "id,label\n1,2\n"}, tmp_path / "twice")
    try:
        after = read_of(twice, "single")
    except SubmissionError as error:
        refusal = str(error)
    else:
        refusal = "" if after == before else "moved"
    assert refusal == "" or "also.csv" in refusal


def _of_reference(name: str) -> dict[str, str]:
    return {path: text for path, text in KNOWN[name].items() if path.startswith("ref/")}


def _packed(name: str, files: Files, folder: Path) -> Path:
    """Write files beside the settings that the whole competition freezes."""
    written(files, folder)
    text = settings_frozen(tuple(sorted(KNOWN[name].items())))
    (folder / "ref" / "scoring.yaml").write_text(text, encoding="utf-8")
    return folder


# What the kit says --------------------------------------------------------------------------------


def _renamed(path: str, text: str) -> str:
    first, end, below = text.partition("\n")
    return f"{first}_renamed{end}{below}" if path.endswith(".csv") and is_named(text) else text


#: What may become of an upload.
CHANGES: dict[str, Callable[[str, str], str]] = {
    "as it is": lambda path, text: text,
    "with more columns": lambda path, text: _added(path, text) or text,
    "under another name": _renamed,
    "without its end": lambda path, text: text[: -len(text) // 3],
    "empty": lambda path, text: "\n",
}


#: Those whose uploads are single files; one for several tasks is a folder.
OF_ONE_FILE = [name for name in SENT if not name.startswith("tasks")]


def _first_upload(name: str) -> tuple[str, str]:
    return next((path, text) for path, text in KNOWN[name].items() if path[:4] == "res/")


@pytest.mark.parametrize(("name", "change"), in_turn(OF_ONE_FILE, [*CHANGES]))
def test_the_kit_says_what_scoring_says(name: str, change: str, tmp_path: Path) -> None:
    path, text = _first_upload(name)
    sent = f"res/{Path(path).name}"
    changed = CHANGES[change](path, text)
    folder = _packed(name, {**_of_reference(name), sent: changed}, tmp_path)
    rules = as_rules(json.loads(json.dumps(as_document(kit.rules_of(folder / "ref")))))
    refused = accepted = ""
    try:
        read_of(folder, "single")
    except SubmissionError as error:
        refused = str(error)
    try:
        check(folder / sent, rules)
    except SubmissionError as error:
        accepted = str(error)
    assert accepted == refused


# Before the first upload --------------------------------------------------------------------------

#: Forms whose uploads hold what participants are asked for.
ASKED = [
    *(name for name in competitions() if name in SENT),
    "label sets under other names",
    "label sets with a column each",
    "label sets on lines",
    "a matrix",
    "texts of SQuAD",
    "tags in JSON Lines",
    "spans under other names",
    "spans in lists",
    "spans without names",
    "ranked lists in JSON",
    "ranked lists in cells",
]


@pytest.mark.parametrize("name", ASKED)
def test_before_the_first_upload_participants_are_asked_for_what_the_gold_says(
    name: str, tmp_path: Path
) -> None:
    before = read_of(written(KNOWN[name], tmp_path / "before"))
    folder = written(KNOWN[name], tmp_path / "after")
    asked = HowRead.of_input(written(_of_reference(name), tmp_path / "alone"))
    assert asked.uploads == 0
    path = folder / "ref" / "scoring.yaml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(yaml.safe_dump({**settings, **asked.frozen}), encoding="utf-8")
    assert read_of(folder) == before


# Words of settings --------------------------------------------------------------------------------


def test_a_run_of_three_columns_says_itself_what_the_third_holds(tmp_path: Path) -> None:
    """A frozen format of six columns leaves nothing to be guessed of three."""
    name = "ranking"
    short = "q01 d092 1\nq01 d366 2\n"
    folder = _packed(name, {**_of_reference(name), "res/p.run": short}, tmp_path)
    with pytest.raises(SubmissionError, match="write the header 'query document rank'"):
        read_of(folder, "single")


def test_ranks_are_stated_only_where_lists_are_ranked(tmp_path: Path) -> None:
    files = {**KNOWN["rows"]}
    files["ref/scoring.yaml"] += "submissions: {holds: rank}\n"
    with pytest.raises(SettingsError, match="'holds: rank' says that runs hold ranks"):
        read_of(written(files, tmp_path))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("label sets under other names", "`tweet_id` and `emotions`."),
        ("spans under other names", "`doc`, `begin`, `stop` and `label`."),
        ("resolved", "ids under the key `resolved`."),
        ("ranking", "a file in the format TREC."),
        ("ranked lists by rank", "a file in the format TREC, whose third column holds each rank."),
        ("a matrix", "a line of zeros and ones for each example, in the order of the test set."),
        ("text", "a line for each example, in the order of the test set."),
    ],
)
def test_participants_are_told_what_to_send(name: str, said: str, tmp_path: Path) -> None:
    folder = frozen(KNOWN[name], tmp_path)
    assert asked_for(kit.tasks_of(folder / "ref")) == [said]


def test_others_error_refuses_a_further_column_of_every_kind(tmp_path: Path) -> None:
    name = "label sets under other names"
    upload = "tweet_id,emotions,note\na,joy,x\nb,joy,y\nc,fear,z\nd,,w\n"
    folder = _packed(name, {**_of_reference(name), "res/p.csv": upload}, tmp_path)
    path = folder / "ref" / "scoring.yaml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    read_of(folder, "single")
    settings["submissions"]["others"] = "error"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    with pytest.raises(SubmissionError, match="'note' is not asked for; leave it out"):
        read_of(folder, "single")


def _is_named_table(path: str, text: str) -> bool:
    return path.endswith(".csv") and is_named(text)


@pytest.mark.parametrize("name", [n for n in OF_ONE_FILE if _is_named_table(*_first_upload(n))])
def test_one_of_two_columns_of_one_name_is_not_chosen(name: str, tmp_path: Path) -> None:
    path, text = _first_upload(name)
    header, *rows = csv.reader(io.StringIO(text))
    stream = io.StringIO()
    table = [[*header, header[-1]], *([*row, row[-1]] for row in rows)]
    csv.writer(stream, lineterminator="\n").writerows(table)
    sent = f"res/{Path(path).name}"
    folder = _packed(name, {**_of_reference(name), sent: stream.getvalue()}, tmp_path)
    with pytest.raises(SubmissionError, match="line 1: two columns are called"):
        read_of(folder, "single")


@pytest.mark.parametrize("side", ["reference", "submissions"])
@pytest.mark.parametrize("name", ["rows", "label_sets", "samples", "spans"])
def test_a_column_has_one_role(name: str, side: str, tmp_path: Path) -> None:
    """Else the ids were lost, and rows were matched by position; or the run stopped."""
    folder = _packed(name, KNOWN[name], tmp_path)
    path = folder / "ref" / "scoring.yaml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    answers = {"reference": "answer", "submissions": "prediction"}[side]
    settings[side]["columns"] = {"id": "id", answers: "id"}
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    with pytest.raises(dh.DeadheatError) as error:
        dh.score(folder, None, resamples=100)
    assert "column 'id'" in str(error.value)


@pytest.mark.parametrize("column", ["id", 1, "ID"])
def test_answers_that_are_the_ids_are_refused(column: str | int, tmp_path: Path) -> None:
    written(KNOWN["rows"], tmp_path)
    path = tmp_path / "ref" / "scoring.yaml"
    stated = {"reference": {"columns": {"answer": column}}}
    settings = yaml.safe_load(path.read_text(encoding="utf-8")) | stated
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    with pytest.raises(dh.OrganizerError, match="'id' names the examples, so it holds no answers"):
        dh.score(tmp_path, None, resamples=100)


def test_a_name_in_the_stated_letters_comes_before_one_in_others(tmp_path: Path) -> None:
    name = "label sets under other names"
    upload = "tweet_id,EMOTIONS,emotions\na,fear,joy\nb,fear,joy\nc,joy,fear\nd,joy,\n"
    folder = _packed(name, {**_of_reference(name), "res/p.csv": upload}, tmp_path)
    (read,) = read_of(folder, "single").values()
    assert [sorted(labels) for labels in read] == [["joy"], ["joy"], ["fear"], []]


def test_a_kit_offers_no_format_that_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "check.pyz"
    path.write_bytes(kit.checker())
    (tmp_path / "p.csv").write_bytes(b"PAR1" + bytes(40))
    (tmp_path / "empty").mkdir()
    said = []
    for upload in ("p.csv", "empty"):
        command = [sys.executable, str(path), str(tmp_path / upload), "--rows", "3"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        said.append(ran.stderr)
    assert "the content is a Parquet file; save the predictions as CSV" in said[0]
    assert ".csv" in said[1]
    assert ".parquet" not in "".join(said)


def test_names_that_may_be_an_example_are_numbers() -> None:
    """The first line of a gold may be an example, so that nothing shows it."""
    columns = Table("g.csv", [["x"], ["y"]], [2], ("a name", "an answer"), names_are_public=False)
    assert facts_of_names(columns).in_file == {"a name": 1, "an answer": 2}
    public = replace(columns, names_are_public=True, stated={"a name": "Name"})
    assert facts_of_names(public).in_file == {"a name": "Name", "an answer": "an answer"}
