"""Files that the settings describe are read as they are, of the gold and of submissions alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program import score
from scoring_program.bundle.kit import rules_of
from scoring_program.commands import check
from scoring_program.core.errors import OrganizerError, ReferenceDataError, SubmissionError
from scoring_program.data.joining.checker_rules import as_document, as_rules
from scoring_program.data.source import read_input
from scoring_program.reading.formats.kind import WHITESPACE
from scoring_program.settings.loading import update
from scoring_program.settings.model import Settings, as_dict

GOLD = "id,label\nt1,a\nt2,b\nt3,a\nt4,b\n"
SENT = "id,label\nt1,a\nt2,b\nt3,b\nt4,b\n"
#: Lines of metadata, comments, no header, columns that nobody else has, and another order.
RAW = """a tool's name
its version | and more
# lp|model|id|label
en|m1|t2|b
en|m1|t1|a
en|m1|t3|{t3}

# the end
en|m1|t4|b
"""
DESCRIBED: dict[str, Any] = {
    "columns": ["lp", "model", "id", "label"],
    "separator": "|",
    "header": False,
    "skip_lines": 2,
    "comment": "#",
}
SETS_GOLD = '{"t1": ["a", "b"], "t2": [], "t3": ["b"], "t4": ["a", "b", "c"]}'


def written(folder: Path, files: Mapping[str, str], settings: Mapping[str, Any]) -> Path:
    values = {"metrics": ["accuracy_score"], "layout": "single", **settings}
    for name, text in {**files, "ref/scoring.yaml": json.dumps(values)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def read(folder: Path, gold: str, sent: str, **settings: Any) -> dict[str, Any]:
    """Return what is predicted for each id of the gold."""
    kinds = [
        ".json" if text.startswith("{") and "\n" not in text else ".txt" for text in (gold, sent)
    ]
    files = {f"ref/gold{kinds[0]}": gold, f"res/sent{kinds[1]}": sent}
    competition, _ = read_input(written(folder, files, settings), lambda given: given)
    (part,) = competition.parts
    (entry,) = part.entries
    assert entry is not None
    (found,) = entry.predictions.values()
    return dict(zip(part.gold.ids or (), np.asarray(found).tolist(), strict=True))


def test_a_raw_table_is_described_for_gold_and_submissions(tmp_path: Path) -> None:
    raw = read(
        tmp_path / "raw", RAW.format(t3="a"), RAW.format(t3="b"),
        reference={**DESCRIBED}, submissions={**DESCRIBED}, group="model",
    )  # fmt: skip
    assert raw == read(tmp_path / "plain", GOLD, SENT)


@pytest.mark.parametrize(
    ("sent", "described"),
    [
        ("t1 ||| a\nt2 ||| b\nt3 ||| b\nt4 ||| b\n",
         {"columns": ["id", "label"], "separator": "|||"}),
        ("t1   a\nt2\tb\nt3 b\nt4 b\n", {"columns": ["id", "label"], "separator": "whitespace"}),
        ("b;t2;x\na;t1;x\nb;t3;x\nb;t4;x\n", {"columns": {"id": 2, "label": 1}}),
        ("x,y\nt1,a\nt2,b\nt3,b\nt4,b\n", {"columns": {"id": "X", "label": "y"}}),
        ("label,when,qid\nz,a,t1\nz,b,t2\nz,b,t3\nz,b,t4\n",
         {"columns": {"id": "qid", "label": "when"}}),
        ("id,label\nt1,a\nt2,b\nt3,b\nt4,b\n", {"columns": ["label", "id"]}),  # the header counts
        ("t1,a\nt2,b\nt3,b\nt4,b\n", {"columns": ["id", "label"]}),
        ("c1,c2\nt1,a\nt2,b\nt3,b\nt4,b\n", {"columns": {"id": 1, "label": 2}, "header": True}),
        ('{"q": "t1", "a": "a"}\n{"q": "t2", "a": "b"}\n{"q": "t3", "a": "b"}\n'
         '{"q": "t4", "a": "b"}\n', {"columns": {"id": "q", "label": "a"}}),
        ('{"q": {"id": "t1", "n": [1]}, "a": {"b": {"c": "a"}}}\n'
         '{"q": {"id": "t2"}, "a": {"b": {"c": "b"}}}\n{"q": {"id": "t3"}, "a": {"b": {"c": "b"}}}'
         '\n{"q": {"id": "t4"}, "a": {"b": {"c": "b"}}}\n',
         {"columns": {"id": "q.id", "label": "a.b.c"}}),
        ("#\nid,label\nt1,a\nt2,b\nt3,b\nt4,b\n", {"skip_lines": 1}),
    ],
)  # fmt: skip
def test_submissions(tmp_path: Path, sent: str, described: dict[str, Any]) -> None:
    found = read(tmp_path / "described", GOLD, sent, submissions=described)
    assert found == read(tmp_path / "plain", GOLD, SENT)


@pytest.mark.parametrize(
    ("sent", "described"),
    [
        ("t1\ta|b\nt2\nt3\tb\nt4\ta|b|c\n", {"separator": "\t"}),
        ("t1\ta|b\nt2\nt3\tb\nt4\ta|b|c\n", {"separator": r"\t"}),  # of YAML's single quotes
        ("t1 a b\nt2\nt3 b\nt4 a b c\n", {"separator": "whitespace"}),
        ("t1,a,b\nt2\nt3,b\nt4,a,b,c\n", {"separator": ",", "columns": ["id", "labels"]}),
        ("x,t1,a,b\nx,t2\nx,t3,b\nx,t4,a,b,c\n", {"separator": ",", "columns": ["x", "id", "y"]}),
    ],
)
def test_sets_of_any_width_follow_the_separator(
    tmp_path: Path, sent: str, described: dict[str, Any]
) -> None:
    metrics = {"metrics": [{"f1_score": {"average": "samples"}}]}
    found = read(tmp_path / "described", SETS_GOLD, sent, submissions=described, **metrics)
    assert found == read(tmp_path / "plain", SETS_GOLD, SETS_GOLD, **metrics)
    gold = read(tmp_path / "gold", sent, SETS_GOLD, reference=described, **metrics)
    assert gold == found


def test_numbers_of_some_columns_count_the_cells_of_a_line(tmp_path: Path) -> None:
    cells = {"t1": "a|b", "t2": "", "t3": "b", "t4": "a|b|c"}
    sent = "".join(f"{name}\thome\t{labels}\ttail\n" for name, labels in cells.items())
    described = {"columns": {"id": 1, "label": 3}, "separator": "\t"}
    metrics = {"metrics": [{"f1_score": {"average": "samples"}}]}
    found = read(tmp_path / "described", SETS_GOLD, sent, submissions=described, **metrics)
    assert found == read(tmp_path / "plain", SETS_GOLD, SETS_GOLD, **metrics)


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("", {"id": 1, "0": 2, "1": 3, "2": 4}),
        ("", {"0": 2, "1": 3, "2": 4}),
        ("", ["id", "0", "1", "2"]),
        ("id,0,1,2\n", {"id": 1, "0": 2, "1": 3, "2": 4}),
        ("id,0,1,2\n", ["id", "0", "1", "2"]),
        ("name,0,1,2\n", {"id": 1, "0": 2, "1": 3, "2": 4}),
        ("name,0,1,2\n", {"0": 2, "1": 3, "2": 4}),
    ],
)
def test_a_first_row_of_numbers_that_are_classes_too_is_no_header(
    tmp_path: Path, header: str, columns: Any
) -> None:
    """Its id, or a probability, may be 0 or 1."""
    gold = "id,label\n" + "".join(f"{i},{i % 3}\n" for i in range(9))
    rows = [f"{i},{'1,0,0' if i % 3 == 0 else '.1,.2,.7'}\n" for i in range(9)]
    sent = header + "".join(rows)
    found = read(tmp_path, gold, sent, submissions={"columns": columns}, labels=[0, 1, 2])
    assert found == {str(i): 0 if i % 3 == 0 else 2 for i in range(9)}


@pytest.mark.parametrize(
    ("gold", "sent", "of_labels"),
    [
        ("a w\nb x\na y\nb z\n", "w a\ny b\nx a\nz b\n", 2),
        ("a w\nb x\na y\nb z\n", "a w\nb y\na x\nb z\n", 1),
        ("a w\nb x\na y\nb z\n", "text label\nw a\ny b\nx a\nz b\n", 2),
    ],
)
def test_columns_that_only_numbers_describe_join_by_the_ids_beside_them(
    tmp_path: Path, gold: str, sent: str, of_labels: int
) -> None:
    described = {"columns": {"label": of_labels}, "separator": " "}
    settings = {"reference": {"columns": {"label": 1}, "separator": " "}, "submissions": described}
    assert read(tmp_path, gold, sent, **settings) == {"w": "a", "x": "a", "y": "b", "z": "b"}


@pytest.mark.parametrize(
    ("gold", "sent", "of_labels", "message"),
    [
        # Two columns name every row.
        ("a w x\nb x w\na y z\nb z y\n", "w a\nx b\ny a\nz b\n", 2,
         "Which column of gold.txt identifies the examples?"),
        ("a 1\nb 2\na 3\nb 4\n", "2 a\n1 b\n3 a\n4 b\n", 2,
         "its column '1' holds row numbers, which may be the ids, a rank or an index"),
        ("a 1\nb 2\na 3\nb 4\n", "a 2\nb 1\na 3\nb 4\n", 1,
         "its column '2' holds row numbers, which may be the ids, a rank or an index"),
        ("a y q\nb z r\na z s\nb y t\n", "z a\ny b\ny a\nz b\n", 2,
         "the column '3' of the reference data names rows, and no column of the other side"),
    ],
)  # fmt: skip
def test_columns_that_only_numbers_describe_are_not_in_any_order(
    tmp_path: Path, gold: str, sent: str, of_labels: int, message: str
) -> None:
    described = {"columns": {"label": of_labels}, "separator": " "}
    settings = {"reference": {"columns": {"label": 1}, "separator": " "}, "submissions": described}
    with pytest.raises((ReferenceDataError, SubmissionError)) as error:
        read(tmp_path, gold, sent, **settings)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("sent", "described", "message"),
    [
        ("id,x\nt1,a\n", {"columns": ["id", "label"]},
         "line 1: there is no column 'label' among 'id', 'x'; every file needs the columns "
         "'id', 'label'"),
        ("skipped\nt1,a,z\n", {"columns": ["id", "label"], "skip_lines": 1},
         "line 2: 3 columns found, 2 expected"),
        ("t1,a\nt2,b\nt3,b\nt4,a\n", {"columns": {"id": 1, "label": 3}},
         "there is no column 3: it has 2 columns"),
        ('[{"q": "t1"}, {"q": "t2"}, {"q": "t3"}, {"q": "t4"}]',
         {"columns": {"id": "q", "label": "a"}}, "there is no column 'a' among 'q'"),
        ("x\n\nt1,c\nt2,b\nt3,b\nt4,b\n", {"columns": ["id", "label"], "skip_lines": 1},
         "line 3, column 'label': found 'c'"),
    ],
)  # fmt: skip
def test_refusals_name_the_line_of_the_file(
    tmp_path: Path, sent: str, described: dict[str, Any], message: str
) -> None:
    with pytest.raises(SubmissionError) as error:
        read(tmp_path, GOLD, sent, submissions=described)
    assert message in str(error.value)


@pytest.mark.parametrize("columns", [{"id": 1, "label": 2}, ["id", "label"], {"label": 2}])
def test_a_first_line_of_a_gold_whose_columns_have_numbers_may_hold_names(
    tmp_path: Path, columns: Any
) -> None:
    """Its label would be a class of its own, of one more example; its id is no ``u_1``."""
    rows = "".join(f"{name}_1,{label}\n" for name, label in zip("uvwxyz", "abbaab", strict=True))
    described = {"columns": columns}
    plain = read(tmp_path / "plain", f"id,label\n{rows}", f"id,label\n{rows}")
    if isinstance(columns, list):
        with pytest.raises(ReferenceDataError) as error:
            read(tmp_path, f"image,diagnosis_1\n{rows}", rows, reference=described)
        assert "gold.txt: line 1: the line may hold column names or an example" in str(error.value)
    else:
        headed = f"image,diagnosis_1\n{rows}"
        assert read(tmp_path, headed, rows, reference=described) == plain
    skipped = {"columns": {"id": 1, "label": 2}, "skip_lines": 1}
    text = f"image,diagnosis_1\n{rows}"
    found = read(tmp_path / "skipped", text, text, reference=skipped, submissions=skipped)
    assert found == plain
    if isinstance(columns, list):
        first = {**described, "header": False}
        rare = f"t_1,c\n{rows}"
        read(tmp_path / "first", rare, rare, reference=first, submissions=first)


def test_results_record_what_was_described() -> None:
    settings = update(Settings(), {"reference": DESCRIBED}, {})
    recorded = json.loads(json.dumps(as_dict(settings)))
    assert (recorded["reference"], recorded["submissions"]) == (DESCRIBED, None)


def test_an_absent_column_of_the_gold_is_the_organizers_to_fix(tmp_path: Path) -> None:
    with pytest.raises(ReferenceDataError, match="no column 'label' among 'id', 'x'"):
        read(tmp_path, "id,x\nt1,a\n", SENT, reference={"columns": ["id", "label"]})


ACCURACY = {"name": "share", "function": "accuracy_score"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"submissions": {"colums": []}}, "did you mean 'columns'"),
        ({"submissions": {"columns": ["a", "a"]}}, "a list of different names"),
        ({"submissions": {"columns": {"label": [1, 2]}}}, "its name or number"),
        ({"submissions": {"columns": {"id": 0}}}, "a whole number of at least 1 for 'columns'"),
        ({"submissions": {"header": False, "columns": {"id": "a"}}}, "numbers, from 1"),
        ({"submissions": {"columns": {"id": 1}}, "id_column": "x"}, "say it once"),
        ({"reference": {"columns": ["x", "label"]}, "id_column": "x"}, "say it once"),
        (
            {"submissions": {"columns": ["id", "x"]}, "metrics": [{**ACCURACY, "column": "x"}]},
            "say it once",
        ),
        ({"reference": {"separator": ","}, "metrics": ["entity_f1"]}, "is read as tags"),
        (
            {"submissions": {"separator": ","}, "reader": "my_reader.py:read"},
            "remove one of the two",
        ),
    ],
)
def test_descriptions_that_say_nothing_certain_are_refused(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(OrganizerError) as error:
        read(tmp_path, GOLD, SENT, **settings)
    assert message in str(error.value)


@pytest.mark.parametrize("side", ["reference", "submissions"])
def test_that_there_is_no_header_may_be_all_that_is_stated(tmp_path: Path, side: str) -> None:
    bare = {"reference": GOLD, "submissions": SENT}
    bare[side] = bare[side].removeprefix("id,label\n")
    stated: dict[str, Any] = {side: {"header": False}}
    predictions = read(tmp_path, *bare.values(), **stated)
    assert predictions == {"t1": "a", "t2": "b", "t3": "b", "t4": "b"}


def test_a_list_of_columns_leaves_to_metrics_which_of_several_they_score(tmp_path: Path) -> None:
    metrics = [{"name": name, "function": "accuracy_score", "column": name} for name in "xy"]
    columns = {"columns": ["id", "x", "y"], "header": False}
    rows = "".join(f"t{i},{'ab'[i % 2]},{'cd'[i % 3 > 0]}\n" for i in range(6))
    files = {"ref/gold.csv": rows, "res/A.csv": rows, "res/B.csv": rows.replace("a", "b")}
    settings = {"reference": columns, "submissions": columns, "layout": "teams"}
    found = score(written(tmp_path, files, settings), metrics=metrics, resamples=100)
    assert [{row.entry: row.score for row in found[name].ranking} for name in "xy"] == [
        {"A": 1, "B": 0.5}, {"A": 1, "B": 1}
    ]  # fmt: skip


def test_check_reads_the_settings_and_the_kit_holds_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"ref/gold.csv": GOLD, "ids.txt": "t1\nt2\nt3\nt4\n", "sent.raw": RAW.format(t3="a")}
    folder = written(tmp_path, files, {"submissions": DESCRIBED})
    ids = ["--ids", str(folder / "ids.txt")]
    assert check.main([str(folder / "sent.raw"), *ids]) == 1
    settings = ["--settings", str(folder / "ref/scoring.yaml")]
    assert check.main([str(folder / "sent.raw"), *ids, *settings]) == 0
    assert "a prediction for each of 4 examples" in capsys.readouterr().out
    rules = rules_of(folder / "ref")
    packed = as_rules(json.loads(json.dumps(as_document(rules))))
    assert packed.described == rules.described
    assert dict(packed.described.stated) == {name: name for name in DESCRIBED["columns"]}


_SEVERAL = [
    {"name": "aro", "function": "mean_absolute_error", "column": "arousal"},
    {"name": "val", "function": "mean_absolute_error", "column": "valence"},
]
_VALENCE = "id\tvalence\tarousal\nt1\t1\t5\nt2\t2\t6\n"


@pytest.mark.parametrize("first", [0, 1])  # with ids or without
def test_several_columns_without_names_are_not_taken_in_the_order_of_the_metrics(
    tmp_path: Path, first: int
) -> None:
    header, *rows = ("\t".join(line.split("\t")[first:]) for line in _VALENCE.splitlines())
    sent = "\n".join(rows) + "\n"
    names = header.split("\t")
    with pytest.raises(SubmissionError) as caught:
        read(tmp_path, _VALENCE, sent, metrics=_SEVERAL)
    columns = f"columns: [{', '.join(names)}]"
    assert f"add a header such as '{','.join(names)}', in the order" in str(caught.value)
    assert f"as in 'submissions: {{{columns}}}'" in str(caught.value)
    for text, stated in ((header + "\n" + sent, {}), (sent, {"submissions": {"columns": names}})):
        files = {"ref/gold.txt": _VALENCE, "res/sent.txt": text}
        folder = written(tmp_path, files, {"metrics": _SEVERAL, **stated})
        (part,) = read_input(folder, lambda given: given)[0].parts
        predictions = part.entries[0].predictions if part.entries[0] else {}
        found = {target.column: sorted(map(float, of)) for target, of in predictions.items()}
        assert found == {"valence": [1, 2], "arousal": [5, 6]}


_RECORDS = "".join(
    f'{{"id": "{key}", "same": "{label}"%s}}\n' for key, label in zip("xyz", "aab", strict=True)
)
_UNUSED = ', "authors": ["1", "2"], "info": {"of": {"y": 1}}, "choices": [{"text": "c"}]'


def test_lists_and_objects_that_nothing_uses_are_left_out(tmp_path: Path) -> None:
    text = _RECORDS % ((_UNUSED,) * 3)
    settings: tuple[dict[str, Any], ...] = (
        {"metrics": [{"accuracy_score": None, "column": "same"}]},
        {key: {"columns": {"id": "id", "label": "same"}} for key in ("reference", "submissions")},
    )
    for number, how in enumerate(settings):
        found = read(tmp_path / str(number), text.rstrip() + "\n", text, **how)
        assert found == {"x": "a", "y": "a", "z": "b"}


def test_lists_of_lists_beside_texts_are_left_out(tmp_path: Path) -> None:
    """As in HotpotQA, whose records hold supporting facts; a list in the column itself is named."""
    more = ', "facts": [["T", 0]], "context": [["T", ["s1", "s2"]]]'
    gold = "".join(f'{{"_id": "{key}", "answer": "a {key}"{more}}}\n' for key in "xyz")
    sent = '{"x": "a x", "y": "b", "z": ""}'
    described: dict[str, Any] = {"reference": {"columns": {"id": "_id", "label": "answer"}}}
    for number, how in enumerate(({}, described)):
        found = read(tmp_path / str(number), gold, sent, metrics=["exact_match"], **how)
        assert found == {"x": "a x", "y": "b", "z": ""}
    gold = gold.replace('"a y"', '[["a y"]]')
    with pytest.raises(ReferenceDataError, match="'answer' holds a nested value"):
        read(tmp_path / "list", gold, sent, metrics=["exact_match"])


@pytest.mark.parametrize(
    ("gold", "sent", "how", "says"),
    [
        (f'{{"id": "x"{_UNUSED}}}\n', GOLD, {},
         "'authors' holds a nested value; expected one record per line"),
        ('{"id": "x", "info": {"of": {"y": "a"}}}\n', GOLD, {},
         "'info.of' holds a nested value; expected one record per line such as {\"id\": \"t1\", "
         "\"label\": \"a\"} (organizers: to read another key, or what is inside, name it: "
         "'reference: {columns: {id: id, label: info.of.y}}'; for lists, write a 'reader')"),
        ('{"id": "x", "label": "a", "by": ["z"]}\n', GOLD, {"group": "by"}, "'by' holds a nested"),
        ('{"id": "x", "label": "a", "qid": ["z"]}\n', GOLD, {"id_column": "qid"}, "'qid' holds"),
        (GOLD, '{"id": "t1", "topic": "a", "label": ["a"]}\n', {},
         "name it: 'submissions: {columns: {id: id, label: KEY}}'"),
        (GOLD, "".join(f'{{"id": "t{i}", "topic": "z", "mine": ["a"]}}\n' for i in range(1, 5)), {},
         "'mine' holds a nested value"),
        (GOLD, '{"tweet_id": ["t1"], "label": "a"}\n', {}, "'tweet_id' holds a nested value"),
    ],
)  # fmt: skip
def test_lists_and_objects_that_are_needed_are_named(
    tmp_path: Path, gold: str, sent: str, how: dict[str, Any], says: str
) -> None:
    files = {f"{folder}/a.{'jsonl' if text.startswith('{') else 'csv'}": text
             for folder, text in (("ref", gold), ("res", sent))}  # fmt: skip
    with pytest.raises((ReferenceDataError, SubmissionError)) as caught:
        read_input(written(tmp_path, files, how), lambda given: given)
    assert says in str(caught.value)


@pytest.mark.parametrize("line", [1, 2])
def test_spaces_in_a_cell_do_not_move_numbered_columns(tmp_path: Path, line: int) -> None:
    """A name of two words on every line, or on one."""
    rows = [f"x\t{'my b' if line in (1, row) else 'b'}\tt{row}\t{label}" for row, label in
            enumerate("abbb", 1)]  # fmt: skip
    sent, columns = "\n".join(rows) + "\n", {"id": 3, "label": 4}
    with pytest.raises(SubmissionError) as caught:
        read(tmp_path / "no", GOLD, sent, submissions={"columns": columns, "separator": WHITESPACE})
    assert f"line {line}: 5 cells found, 4 expected: spaces separate them" in str(caught.value)
    assert 'state separator: "\\t"' in str(caught.value)
    found = read(tmp_path / "yes", GOLD, sent, submissions={"columns": columns, "separator": "\t"})
    assert found == read(tmp_path / "plain", GOLD, SENT)
    more = {"columns": ["x", "y", "id", "label"], "separator": WHITESPACE}
    assert found == read(tmp_path / "more", GOLD, sent.replace("my b", "b"), submissions=more)


def predicted(
    folder: Path, gold: str, sent: str, metrics: list[Any], name: str = "sent.csv", **settings: Any
) -> tuple[list[Any], ...]:
    """Return the predictions of each target, in the order of the ids, and the notes."""
    files = {"ref/gold.csv": gold, f"res/{name}": sent}
    settings["metrics"] = metrics
    competition, _ = read_input(written(folder, files, settings), lambda given: given)
    (part,) = competition.parts
    (entry,) = part.entries
    assert entry is not None
    order = np.argsort(part.gold.ids or ())
    found = (np.asarray(of)[order].tolist() for of in entry.predictions.values())
    return (*found, list(map(str, entry.notes)))


@pytest.mark.parametrize("other", ["prediction", "Label", "text"])
@pytest.mark.parametrize("by", ["name", "number", "JSON"])
@pytest.mark.parametrize(
    ("metric", "role", "gold", "cells", "read_as"),
    [
        ("accuracy_score", "label", "abab", "bbab", [*"bbab"]),
        ("mean_absolute_error", "label", "1234", "4321", [4, 3, 2, 1]),
        ("mean_absolute_error", "text", "1234", "4321", [4, 3, 2, 1]),
        ("roc_auc_score", "label", "0101", "4321", [4, 3, 2, 1]),
        ("roc_auc_score", "score", "0101", "4321", [4, 3, 2, 1]),
        ("token_f1", "label", "wxyz", "zyxw", [*"zyxw"]),
        ({"f1_score": {"average": "samples"}}, "label", "abab", "bbab", [(of,) for of in "bbab"]),
    ],
)
def test_a_stated_column_comes_before_those_of_usual_names(
    tmp_path: Path, metric: Any, role: str, gold: str, cells: str, read_as: Any, by: str, other: str
) -> None:
    """It was overruled by a column ``prediction``, or by one that is called as in the gold."""
    header = ("key", other, "final")
    rows = [(f"t{i}", *of) for i, of in enumerate(zip(gold, cells, strict=True))]
    sent = "".join(",".join(row) + "\n" for row in (header, *rows))
    if by == "JSON":
        sent = json.dumps([dict(zip(header, row, strict=True)) for row in rows])
    columns = {"id": 1, role: 3} if by == "number" else {"id": "key", role: "final"}
    of_rows = isinstance(metric, str) and metric != "token_f1"
    holds = {"holds": "score"} if metric == "roc_auc_score" else {}  # whatever label is beside it
    read_predictions = partial(
        predicted,
        tmp_path,
        "id,text\n" + "".join(f"t{i},{cell}\n" for i, cell in enumerate(gold)),
        sent, [metric], f"sent.{'json' if by == 'JSON' else 'csv'}",
        submissions={"columns": columns, **holds, **({"header": True} if by == "number" else {})},
    )  # fmt: skip
    if (
        by == "number" and other == "prediction" and not of_rows
    ):  # teams may put their columns in other places
        with pytest.raises(SubmissionError) as caught:
            read_predictions()
        assert "column 3, which is called 'final', but another one is" in str(caught.value)
    else:
        assert read_predictions()[0] == read_as


def test_a_gold_may_hold_predictions_beside_the_column_of_a_stated_number(tmp_path: Path) -> None:
    gold = "id,prediction,diagnosis\nt1,b,a\nt2,b,b\n"
    stated = {"columns": {"id": 1, "label": 3}, "header": True}
    sent, metrics = "id,label\nt1,a\nt2,a\n", ["accuracy_score"]
    assert predicted(tmp_path, gold, sent, metrics, reference=stated)[0] == ["a", "a"]


def test_a_note_names_the_columns_as_the_file_does(tmp_path: Path) -> None:
    sent = "id,prediction,final\nt1,a,b\nt2,b,a\n"
    stated = {"columns": {"id": "id", "label": "final"}}
    *_, notes = predicted(
        tmp_path, "id,kind\nt1,a\nt2,b\n", sent, ["accuracy_score"], submissions=stated
    )
    assert notes == ["Column 'final' was scored. Not read: 'prediction'."]


def test_a_stated_column_of_labels_holds_no_scores_if_both_are_scored(tmp_path: Path) -> None:
    sent = "id,probability,final\nt1,.3,0\nt2,.6,1\nt3,.2,0\n"
    stated = {"columns": {"id": "id", "label": "final"}}
    metrics = ["accuracy_score", "roc_auc_score"]
    labels, scores, _ = predicted(
        tmp_path, "id,label\nt1,0\nt2,1\nt3,1\n", sent, metrics, submissions=stated
    )
    assert labels == [0, 1, 0]
    assert scores == [0.3, 0.6, 0.2]


def test_a_stated_column_of_scores_comes_before_columns_of_classes(tmp_path: Path) -> None:
    sent = "id,0,1,llr\nt1,.7,.3,2\nt2,.4,.6,-1\n"
    stated = {"columns": {"id": "id", "label": "llr"}}
    scores, _ = predicted(
        tmp_path, "id,label\nt1,0\nt2,1\n", sent, ["roc_auc_score"], submissions=stated
    )
    assert scores == [2, -1]


def test_stated_ids_come_before_a_column_of_the_golds_name(tmp_path: Path) -> None:
    sent = "image,key,label\nt2,t1,a\nt1,t2,b\n"
    stated = {"columns": {"id": "key", "label": "label"}}
    found, _ = predicted(
        tmp_path, "image,label\nt1,a\nt2,b\n", sent, ["accuracy_score"], submissions=stated
    )
    assert found == ["a", "b"]


@pytest.mark.parametrize("gold", ["id,label,final\nt1,b,a\nt2,a,b\nt3,a,a\n",
                                  "id,Labels,final\nt1,b,a\nt2,a,b\nt3,a,a\n"])  # fmt: skip
@pytest.mark.parametrize("metric", ["accuracy_score", {"f1_score": {"average": "samples"}}])
def test_a_stated_column_of_the_gold_comes_before_those_of_usual_names(
    tmp_path: Path, gold: str, metric: Any
) -> None:
    sent = "id,labels\nt1,a\nt2,b\nt3,a\n"
    settings = {"metrics": [metric], "reference": {"columns": {"id": "id", "labels": "final"}}}
    folder = written(tmp_path, {"ref/gold.csv": gold, "res/sent.csv": sent}, settings)
    (part,) = read_input(folder, lambda given: given)[0].parts
    assert [target.column for target in part.expected.targets] == ["labels"]


def test_stated_samples_come_before_those_of_usual_names(tmp_path: Path) -> None:
    sent = "id,sample,prediction,final\nt1,1,a,b\nt1,2,a,b\nt2,1,b,a\nt2,2,b,a\n"
    stated = {"columns": {"id": "id", "label": "final"}}
    metrics = [{"pass_at_k": {"k": 1}}]
    found, _ = predicted(tmp_path, "id,label\nt1,a\nt2,b\n", sent, metrics, submissions=stated)
    assert found == [("b", "b"), ("a", "a")]


@pytest.mark.parametrize("sent", ["file,age\nt2,b\nt1,a\n", "file,Age\nt2,b\nt1,a\n",
    "file,prediction,age\nt2,b,-\nt1,a,-\n", "file,age,id\nt2,b,1\nt1,a,2\n",
    "id,label\nt2,b\nt1,a\n"])  # fmt: skip
@pytest.mark.parametrize("columns", [{"id": "File", "label": "age"}, {"id": 1, "label": 2}])
def test_what_the_golds_file_calls_its_columns_names_those_of_submissions(
    tmp_path: Path, sent: str, columns: dict[str, Any]
) -> None:
    """Such a file was refused: it had no column ``label``."""
    described = {"columns": columns, "header": True}
    gold, metrics = "file,age\nt1,a\nt2,b\n", ["accuracy_score"]
    found, _ = predicted(tmp_path, gold, sent, metrics, reference=described)
    assert found == ["a", "b"]


def test_an_id_like_name_of_the_golds_target_names_that_of_submissions(tmp_path: Path) -> None:
    sent, described = "file,class_id\nt2,b\nt1,a\n", {"columns": {"id": "file", "x": "class_id"}}
    gold, metrics = "file,class_id\nt1,a\nt2,b\n", ["accuracy_score"]
    found, _ = predicted(tmp_path, gold, sent, metrics, reference=described)
    assert found == ["a", "b"]
