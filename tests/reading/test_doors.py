"""Files of every kind of data → what the reading makes of them: kind, columns and first cells."""

from __future__ import annotations

from typing import Any

import pytest

from scoring_program.reading.formats import kind_of, read_examples
from scoring_program.reading.formats.kind import BLOCKS, FileDescription

#: What is read: kind, file, content, what is stated, and the columns with their first cells.
_Door = tuple[str, str, str, dict[str, Any], dict[str, Any]]
GOLDS: dict[str, _Door] = {
    "label sets in one column": (
        "label_sets", "g.csv", "id,labels\nt1,b;a\nt2,\nt3,a;b\nt4,b\n", {},
        {"id": "t1", "labels": ("a", "b")},
    ),
    "a column of ones and zeros for each label": (
        "label_sets", "g.csv", "id,joy,fear\nt1,1,1\nt2,0,1\n", {},
        {"id": "t1", "labels": ("fear", "joy")},
    ),
    "columns of ones and zeros beside sentences": (
        "label_sets", "g.csv",
        "id,text,a,b,c\nr0,sentence number 0,0,1,1\nr1,sentence number 1,1,0,0\n", {},
        {"id": "r0", "text": "sentence number 0", "labels": ("b", "c")},
    ),
    "labels in quotes that hold commas": (
        "label_sets", "g.tsv",
        'id\tlabels\nt0\t["a, or so", "b, or so"]\nt1\t["a, or so"]\nt2\t[]\n', {},
        {"id": "t0", "labels": ("a, or so", "b, or so")},
    ),
    "label sets in lists of JSON, beside keys that nobody uses": (
        "label_sets", "g.json",
        '[{"id": "t1", "labels": ["b", "a"], "meta": null, "of": {"x": [1]}}, '
        '{"id": "t2", "labels": ["a", "b"], "meta": null, "of": {"x": [2]}}]', {},
        {"id": "t1", "labels": ("a", "b"), "meta": "", "x": ("1",)},
    ),
    "numbered columns of references": (
        "text", "g.csv", "id,reference_1,reference_2\ns1,a b,c d\ns2,e f,\n", {},
        {"id": "s1", "reference": ("a b", "c d")},
    ),
    "stated columns of references": (
        "text", "g.tsv", "s1\ta b\tc d\ns2\te f\tg h\n",
        {"columns": {"id": 1}, "references": (2, 3), "header": False},
        {"id": "s1", "references": ("a b", "c d")},
    ),
    "stated columns of references below a header": (
        "text", "g.csv", "key,human,expert,source\n0,a b,c d,s\n1,e f,g h,s\n",
        {"columns": {"id": "key"}, "references": ("human", "expert")},
        {"id": "0", "source": "s", "references": ("a b", "c d")},
    ),
    "stated keys of references, of which one holds lists": (
        "text", "g.jsonl", '{"id": "0", "human": "a b", "expert": ["c d"], "meta": null}\n',
        {"references": ("human", "expert")}, {"id": "0", "references": ("a b", "c d")},
    ),
    "blocks of references": (
        "text", "g.txt", "a b\nc d\n\ne f\n", {"references": BLOCKS},
        {"references": ("a b", "c d")},
    ),
    "SQuAD's own JSON": (
        "text", "g.json",
        '{"data": [{"title": "T", "paragraphs": [{"qas": [{"id": "q1", "answers": '
        '[{"text": "a"}, {"text": "b"}]}]}]}]}', {},
        {"id": "q1", "answers": ("a", "b"), "title": "T"},
    ),
    "CoNLL": (
        "tags", "g.conll", "-DOCSTART- O\n\nAda B-PER\nran O\n\nBo B-PER\nCy B-PER\n", {},
        {"tags": ("B-PER", "O"), "document": "1"},
    ),
    "tags in JSON": (
        "tags", "g.json",
        '[{"id": "s1", "tokens": ["Ada", "ran"], "ner_tags": ["B-PER", "O"]}]', {},
        {"tags": ("B-PER", "O"), "id": "s1"},
    ),
    "a span for each row": (
        "spans", "g.csv", "doc_id,begin,end,label\nd1,0,5,PER\nd1,7,9,LOC\n", {},
        {"id": "d1", "spans": ((0, 5, "PER"), (7, 9, "LOC"))},
    ),
    "spans in lists of JSON": (
        "spans", "g.json", '[{"id": "d1", "entities": [[0, 5, "PER"]]}]', {},
        {"id": "d1", "spans": ((0, 5, "PER"),)},
    ),
    "TREC's judgments": (
        "ranking", "g.qrels", "q1 0 d2 1\nq1 0 d1 2\n", {},
        {"id": "q1", "documents": (("d1", 2), ("d2", 1))},
    ),
    "BEIR's judgments": (
        "ranking", "g.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n", {},
        {"id": "q1", "documents": (("d1", 1),)},
    ),
    "SWE-bench's report": (
        "resolved", "g.json", '{"submitted_ids": ["a", "b"], "resolved_ids": ["a"]}', {},
        {"id": "a", "resolved": True},
    ),
}  # fmt: skip
#: Kinds that a file alone does not tell: metrics or settings do.
_NOT_BY_ITSELF = {
    "numbered columns of references", "stated columns of references", "blocks of references",
    "stated columns of references below a header",
    "stated keys of references, of which one holds lists", "tags in JSON",
}  # fmt: skip
PREDICTIONS: dict[str, _Door] = {
    "lines of texts": ("text", "p.txt", "a b\nc d\n", {}, {"text": "a b"}),
    "predicted ones and zeros beside sentences": (
        "label_sets", "p.csv",
        "id,text,a,b,c\nr0,sentence number 0,0,1,1\nr1,sentence number 1,1,0,0\n", {},
        {"id": "r0", "text": "sentence number 0", "labels": ("b", "c")},
    ),
    "predicted labels in single quotes that hold commas": (
        "label_sets", "p.tsv", "id\tlabels\nt0\t['a, or so', 'b, or so']\nt1\t[]\n", {},
        {"id": "t0", "labels": ("a, or so", "b, or so")},
    ),
    "predicted labels with commas, by id in JSON": (
        "label_sets", "p.json", '{"t0": ["a, or so", "b, or so"], "t1": []}', {},
        {"id": "t0", "labels": ("a, or so", "b, or so")},
    ),
    "predicted labels with commas, each before a semicolon": (
        "label_sets", "p.csv", 'id,labels\nt0,"a, or so;b, or so;"\nt1,";"\n', {},
        {"id": "t0", "labels": ("a, or so", "b, or so")},
    ),
    "samples by number": (
        "samples", "p.csv", "id,sample,label\nq1,2,b\nq1,1,a\n", {},
        {"id": "q1", "label": ("a", "b")},
    ),
    "lists of samples": (
        "samples", "p.json", '[{"id": "q1", "samples": ["a", "b"]}]', {},
        {"id": "q1", "label": ("a", "b")},
    ),
    "a run of six columns": (
        "ranking", "p.run", "q1 Q0 d1 1 0.2 x\nq1 Q0 d2 2 0.1 x\n", {},
        {"id": "q1", "documents": ("d1", "d2")},
    ),
    "ranks of three columns": (
        "ranking", "p.txt", "q1 d1 1\nq1 d2 2\n", {}, {"id": "q1", "documents": ("d1", "d2")},
    ),
    "scores of three columns": (
        "ranking", "p.txt", "q1 d1 -1\nq1 d2 0\nq1 d3 1\n", {},
        {"id": "q1", "documents": ("d3", "d2", "d1")},
    ),
    "a list of resolved ids": (
        "resolved", "p.json", '["a", "b"]', {}, {"id": "a", "resolved": True},
    ),
    "spans of no document": ("spans", "p.json", '{"d1": []}', {}, {"id": "d1", "spans": ()}),
}  # fmt: skip


def first_cells(door: _Door, *, gold: bool) -> dict[str, Any]:
    kind, file, content, stated, _ = door
    described = FileDescription(**stated)
    table = read_examples(content.encode(), file, kind, described, gold=gold)
    return {name: cells[0] for name, cells in table.named.items()}


@pytest.mark.parametrize("name", GOLDS)
def test_golds(name: str) -> None:
    kind, file, content, stated, cells = GOLDS[name]
    assert first_cells(GOLDS[name], gold=True) == cells
    if name not in _NOT_BY_ITSELF:
        assert kind_of(content.encode(), file, FileDescription(**stated)) == kind


@pytest.mark.parametrize("name", PREDICTIONS)
def test_predictions(name: str) -> None:
    assert first_cells(PREDICTIONS[name], gold=False) == PREDICTIONS[name][-1]
