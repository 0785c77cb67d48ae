"""Files of spans: tables with a span per row, and JSON with lists of them."""

from __future__ import annotations

import json

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import kind_of, read_examples
from scoring_program.reading.table import Table

ROWS = "id,start,end,type\nd1,6,16,LOC\nd2,,,\nd1,0,5,PER\n"
SPANS = {"d1": ((0, 5, "PER"), (6, 16, "LOC")), "d2": ()}


def read(content: str, name: str, *, gold: bool = False) -> Table:
    return read_examples(content.encode(), name, "spans", gold=gold)


def spans(table: Table) -> dict[str, tuple[tuple[int, int, str], ...]]:
    assert table.header is not None
    columns = dict(zip(table.header, table.columns, strict=True))
    return dict(zip(columns["id"], columns["spans"], strict=True))


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (ROWS, "a.csv"),
        (ROWS.replace(",", "\t"), "a.tsv"),
        (ROWS.replace("\n", "\r\n").rstrip(), "a.csv"),
        (ROWS.split("\n", 1)[1], "a.csv"),  # without a header
        (ROWS.replace("id,start,end,type", "doc_id,Begin,Stop,Label"), "a.csv"),
        (ROWS.replace("16", "16.0"), "a.csv"),
        ('{"d1": [[0, 5, "PER"], [6, 16, "LOC"]], "d2": []}', "a.json"),
        ('{"d1": [{"start": 0, "end": 5, "label": "PER"}, [6, 16, "LOC"]], "d2": []}', "a.json"),
        ('[{"id": "d1", "text": "x", "spans": [[0, 5, "PER"], [6, 16, "LOC"]]},'
         ' {"id": "d2", "spans": []}]', "a.json"),
        ('{"id": "d1", "label": [[0, 5, "PER"], [6, 16, "LOC"]]}\n{"id": "d2", "label": []}\n',
         "a.jsonl"),
        ('[{"id": "d1", "start": 0, "end": 5, "type": "PER"}, {"id": "d2", "start": null},'
         ' {"id": "d1", "start": 6, "end": 16, "type": "LOC"}]', "a.json"),
    ],
)  # fmt: skip
def test_spans(content: str, name: str) -> None:
    assert spans(read(content, name)) == SPANS
    assert spans(read(content, name, gold=True)) == SPANS


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("d1\t[7, 3, 4, 5]\nd2\t[]\n", "spans-pred.txt"),  # as in SemEval-2021 Task 5
        ('id,spans,text\nd1,"[3, 4, 5, 7]","a, b"\nd2,[],c\n', "a.csv"),
        ('spans,text,doc_id\n"[[3, 6], [7, 8]]","a, b",d1\n[],c,d2\n', "a.csv"),
        ('{"d1": [3, 4, 5, 7, 7], "d2": []}', "a.json"),
        ('{"id": "d1", "spans": [3, 4, 5, 7]}\n{"id": "d2", "spans": []}\n', "a.jsonl"),
    ],
)
def test_lists_of_characters(content: str, name: str) -> None:
    expected = {"d1": ((3, 6, ""), (7, 8, "")), "d2": ()}
    assert spans(read(content, name)) == spans(read(content, name, gold=True)) == expected
    assert str(read(content, name).label).startswith("JSON" if ".json" in name else "CSV")


def test_types_are_optional() -> None:
    assert spans(read("id,start,end\nd1,0,5\n", "a.csv")) == {"d1": ((0, 5, ""),)}
    assert spans(read('{"d1": [[0, 5]]}', "a.json")) == {"d1": ((0, 5, ""),)}


def test_other_columns_of_the_gold_can_be_groups() -> None:
    table = read("id,start,end,topic\nd1,0,5,a\nd2,0,5,b\nd1,6,7,a\n", "gold.csv", gold=True)
    assert table.header == ("id", "spans", "topic")
    assert list(table.columns[2]) == ["a", "b"]
    assert table.places[1] == "line 3"


def test_a_type_beside_offsets_may_begin_like_a_list() -> None:
    assert spans(read("id,start,end,label\nd1,0,5,[PER]\n", "a.csv")) == {"d1": ((0, 5, "[PER]"),)}


def test_predictions_may_be_empty() -> None:
    assert spans(read("id,start,end,type\n", "a.csv")) == {}
    assert spans(read("{}", "a.json")) == {}


def test_the_content_decides() -> None:
    assert kind_of(ROWS.encode(), "gold.csv") == "spans"
    assert kind_of(json.dumps([{"id": 1, "text": "a", "spans": [[0, 1]]}]).encode(), "g") == "spans"
    assert kind_of(b'id,spans\nd1,"[]"\nd2,"[3, 4]"\nd3,"[4]"\n', "gold.csv") == "spans"
    assert kind_of(b"id\tspans\nd1\t[[3, 9]]\nd2\t[]\n", "gold.txt") == "spans"
    assert kind_of(b"id,label\nd1,start\n", "gold.csv") == "rows"
    assert kind_of(b'[{"id": 1, "label": "spans"}]', "gold.json") == "rows"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("d1\t[3, 4]\nd2\t[3\nd3\tnone\n", "a.txt",
         "line 2: expected a list such as [[3, 6], [9, 10]]\n  - line 3: "),
        ("id,spans\nd1,\nd2,\n", "a.csv", "line 2: expected a list such as [[3, 6], [9, 10]]\n"),
        ("d1\t[3, 4]\nd1\t[]\n", "a.txt", "line 2: id 'd1' was already on line 1"),
        ("d1\t[-3, 4]\nd2\t[]\n", "a.txt", "start: found '-3', expected a whole number"),
        ("d1\t[3, null]\n", "a.txt", "line 1: expected spans such as"),
        ("id,start,end,type\nd1,12,5,PER\n", "a.csv",
         "line 2: found start 12 and end 5, expected an end that is not before the start"),
        ("id,start,end,type\nd1,x,5,PER\n", "a.csv",
         "line 2: start: found 'x', expected a whole number of 0 or more"),
        ("id,start,end,type\nd1,-3,5,PER\n", "a.csv", "line 2: start: found '-3'"),
        ("id,start,end,type\nd1,3,,PER\n", "a.csv", "line 2: end: found ''"),
        ("id,start,end,type\nd1,0,5,PER\nd1,0,5,PER\n", "a.csv",
         "line 3: this span of id 'd1' was already on line 2"),
        ("id,start,end,type\nd1,0,5,PER\nd1,,,\n", "a.csv",
         "line 3: id 'd1' was already on line 2, and one of the two says that it has no span"),
        ("id,start,end,type\nd1,0,5\n", "a.csv", "line 2: 3 cells found, 4 expected"),
        ("d1,0\n", "a.csv", "line 1: expected a header such as 'id,start,end,type'"),
        ("begin,end,type\n0,5,PER\n", "a.csv", "there is no column of ids"),
        ('[{"id": "d1", "spans": [[0, 5]]}, {"id": "d1", "spans": []}]', "a.json",
         "record 2: id 'd1' was already on record 1"),
        ('{"d1": [[0, 5, "A"], [0, 5, "A"]]}', "a.json",
         "record 1: this span of id 'd1' was already on record 1"),
        ('{"d1": [[0]]}', "a.json", "record 1: expected spans such as"),
        ('{"d1": [[0, [5]]]}', "a.json", "record 1: a span holds a nested value"),
        ('[{"id": "d1"}]', "a.json", "record 1: expected spans such as"),
        ("[7]", "a.json", "a.json: record 1: expected spans such as"),
    ],
)  # fmt: skip
def test_defects_name_the_place(content: str, name: str, message: str) -> None:
    with pytest.raises(SubmissionError) as error:
        read(content, name)
    assert message in str(error.value)


def test_of_the_gold_no_offset_is_told() -> None:
    for row in ("d1,12,5,PER", "d1,777,x,PER"):
        with pytest.raises(SubmissionError) as error:
            read(f"id,start,end,type\n{row}\n", "gold.csv", gold=True)
        assert "line 2: " in str(error.value)
        assert not {"12", "777", "PER"} & {*str(error.value).replace(",", " ").split()}
    with pytest.raises(SubmissionError, match="the file is empty"):
        read("id,start,end,type\n", "gold.csv", gold=True)
