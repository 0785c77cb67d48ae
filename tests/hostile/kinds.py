"""What careless participants send where an example is more than a row, and what they are told.

Each message names the file and the line, what was found, what was expected, and what to do.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistakes:
    """A competition of one kind, a good upload, and malformed ones: name → content and fragments.

    An upload whose name has an extension is called like that, else like the good one.
    """

    gold: tuple[str, str]
    metrics: str
    file: str
    good: str
    bad: dict[str, tuple[str | bytes, tuple[str, ...]]]


_TAGS = "".join(f"Ana B-PER\nmet O\nLima{i} B-LOC\n\n" for i in range(6))
_SPANS = "id,start,end,type\n" + "".join(f"d{i},0,5,PER\nd{i},10,15,PER\n" for i in range(6))
_LINES = "".join(f"this is line {i} of the text\n" for i in range(6))
_TEXTS = "id,text\n" + "".join(f"s{i},this is line {i} of the text\n" for i in range(6))
_QRELS = "".join(f"q{i} 0 d{j} {j % 3}\n" for i in range(4) for j in range(4))
_RUN = "".join(f"q{i} Q0 d{j} {j + 1} {9 - j} sys\n" for i in range(4) for j in range(4))
_SETS = "id,labels\n" + "".join(f"t{i},{'a b' if i % 2 else 'c'}\n" for i in range(6))
_ANSWERS = "id,answer\n" + "".join(f"t{i},A\n" for i in range(6))
_SAMPLES = "id,sample,answer\n" + "".join(f"t{i},{k},A\n" for i in range(6) for k in range(3))
_IDS = json.dumps([f"i{k}" for k in range(6)])
_RESOLVED = json.dumps({"resolved": ["i1", "i2"]})


def _zipped(text: str) -> tuple[bytes, tuple[str, ...]]:
    told = ("the file is damaged and cannot be unpacked; pack it again",)
    return gzip.compress(text.encode())[:-9], told


_EMPTY = ("", ("the file is empty; expected one row per example",))
_LATIN = "line 1: the text is not UTF-8; save the file "

KINDS = {
    "tags": Mistakes(("gold.conll", _TAGS), "entity_f1", "p.conll", _TAGS, {
        "lower case": (
            _TAGS.lower(),
            ("sentence 1 (line 1): token 1: found 'ana', expected 'Ana'", "or only the tags"),
        ),
        "a score for every tag": (
            _TAGS.replace("B-PER", "0.9"),
            ("line 1: found a number, expected the name of a tag", "its tag in the last column"),
        ),
        "annotations of brat": (
            "T1\tPER 0 3\tAna\n",
            ("1 sentence, 6 expected", "sentence 1 (line 1): found 1 token, expected 3"),
        ),
        "a token is missing": (
            _TAGS.replace("met O\n", "", 1),
            ("sentence 1 (line 1): found 2 tokens, expected 3",
             "token 2: found 'Lima0', expected 'met'",
             "Expected predictions for 6 sentences, matched by position."),
        ),
        "a token too many": (
            _TAGS.replace("met O\n", "met O\nhim O\n", 1),
            ("sentence 1 (line 1): found 4 tokens, expected 3; token 3: found 'him'",),
        ),
        "a sentence is missing": (
            _TAGS.split("\n\n", 1)[1],
            ("5 sentences, 6 expected", "sentence 5 (line 17) is the last",
             "token 3: found 'Lima1', expected 'Lima0'"),
        ),
        "no blank lines": (
            _TAGS.replace("\n\n", "\n"),
            ("1 sentence, 6 expected", "found 18 tokens, expected 3",
             "a blank line ends each sentence"),
        ),
        "another type": (
            _TAGS.replace("Lima3 B-LOC", "Lima3 B-ORG"),
            ("sentence 4 (line 13): found 'B-ORG', expected O or tags of the task's types",),
        ),
        "a score in the place of the tag": (
            _TAGS.replace("Lima3 B-LOC", "Lima3 0.5"),
            ("line 15: found a number, expected the name of a tag, such as O or B-PER",
             "its tag in the last column"),
        ),
        "a tag is missing": (
            _TAGS.replace("Lima3 B-LOC", "Lima3"),
            ("line 15: found 1 column, expected 2", "Write a token per line"),
        ),
        "another token": (
            _TAGS.replace("Lima3", "Lyma3"),
            ("sentence 4 (line 13): token 3: found 'Lyma3', expected 'Lima3'",
             "send the tokens of the test set, or only the tags"),
        ),
        "swapped columns": (
            "".join(f"B-PER Ana\nO met\nB-LOC Lima{i}\n\n" for i in range(6)),
            ("token 1: found 'B-PER', expected 'Ana'",),
        ),
        "another encoding": (_TAGS.replace("Ana", "Añá").encode("latin-1"), (f"{_LATIN}in UTF-8",)),
        "lists of other lengths.json": (
            json.dumps([["O"]] * 6), ("record 1: found 1 token, expected 3",)
        ),
        "empty": _EMPTY,
        "only blank lines": ("\n\n\n", _EMPTY[1]),
        "zipped.conll.gz": _zipped(_TAGS),
    }),
    "spans": Mistakes(("gold.csv", _SPANS), "span_f1", "p.csv", _SPANS, {
        "words for numbers": (
            _SPANS.replace("d1,0,5", "d1,zero,5"),
            ("line 4: start: found 'zero', expected a whole number of 0 or more",
             "whole numbers as start and end"),
        ),
        "both ends in one cell": (
            _SPANS.replace("d1,0,5", "d1,0-5,"), ("line 4: start: found '0-5'", "one span per row")
        ),
        "a type in other letters": (
            _SPANS.replace("PER", "per"),
            ("line 2: found the type 'per', expected a type of the task",),
        ),
        "semicolons in one row": (
            _SPANS.replace("d1,0,5", "d1;0;5"), ("line 4: 2 cells found, 4 expected",)
        ),
        "texts for spans.json": (
            json.dumps([{"id": "d1", "spans": ["Ana"]}]),
            ('record 1: expected spans such as {"d1": [[0, 5, "PER"]',),
        ),
        "far more spans than any document has": (
            _SPANS + "".join(f"d5,{k},{k + 1},PER\n" for k in range(20, 1043)),
            ("line 12: found 1025 spans, expected at most 1024, which follows the test set; "
             "shorten it",),
        ),
        "an end before the start": (
            _SPANS.replace("d1,0,5", "d1,5,0"),
            ("line 4: found start 5 and end 0, expected an end that is not before the start",
             "Write one span per row"),
        ),
        "a negative start": (
            _SPANS.replace("d1,0,5", "d1,-3,5"),
            ("line 4: start: found '-3', expected a whole number of 0 or more",),
        ),
        "no number": (_SPANS.replace("d1,0,5", "d1,nan,5"), ("line 4: start: found 'nan'",)),
        "a fraction": (_SPANS.replace("d1,0,5", "d1,0.5,5"), ("line 4: start: found '0.5'",)),
        "an unknown document": (
            _SPANS.replace("d1,0,5", "x1,0,5"),
            ("line 4: id 'x1' is not in the test set", "Remove what the test set does not hold.",
             "Expected predictions for 6 documents, matched by id."),
        ),
        "an unknown type": (
            _SPANS.replace("d1,0,5,PER", "d1,0,5,ORG"),
            ("line 4: found the type 'ORG', expected a type of the task",),
        ),
        "a span twice": (
            _SPANS + "d1,0,5,PER\n",
            ("line 14: this span of id 'd1' was already on line 4", "Give every span once."),
        ),
        "a short row": (
            _SPANS.replace("d1,0,5,PER", "d1,0,5"), ("line 4: 3 cells found, 4 expected",)
        ),
        "a file of labels": (
            "id,label\nd0,PER\n",
            ("line 1: expected a header such as 'id,start,end,type'; found 'id', 'label'",),
        ),
        "no pairs.json": (
            json.dumps({"d1": [0, 5, "PER"]}), ('record 1: expected spans such as {"d1": [[0, 5',)
        ),
        "another encoding": (
            _SPANS.replace("d0", "dé").encode("latin-1"), (f"line 2{_LATIN[6:]}as CSV in UTF-8",)
        ),
        "empty": _EMPTY,
        "zipped.csv.gz": _zipped(_SPANS),
    }),
    "lines of text": Mistakes(("gold.txt", _LINES), "token_f1", "p.txt", _LINES, {
        "far more words than any text has": (
            _LINES.replace("line 3", "word " * 8190),
            ("line 4: found 8195 words, expected at most 8192, which follows the test set",),
        ),
        "far more letters than any text has": (
            _LINES.replace("line 3", "x" * 150_000),
            ("line 4: found 150020 characters, expected at most 131072",),
        ),
        "a line is missing": (
            _LINES.split("\n", 1)[1],
            ("5 rows, 6 expected", "line 1 is the first and line 5 is the last",
             "send one row per example"),
        ),
        "a header": (f"text\n{_LINES}", ("7 rows, 6 expected",)),
        "a zero byte": (
            _LINES.replace("line 3", "li\0ne"),
            ("line 4: the text holds a NUL character; save the file as UTF-8 text",),
        ),
        "another encoding": (
            _LINES.replace("text", "téxt").encode("latin-1"), (f"{_LATIN}in UTF-8",)
        ),
        "a document of Word": (b"PK\x03\x04word/document.xml", ("is a Word document",)),
        "a page of the web": ("<!doctype html><p>Sign in", ("is a web page", "download the file")),
        "empty": _EMPTY,
        "only blank lines": ("\n" * 6, _EMPTY[1]),
        "zipped.txt.gz": _zipped(_LINES),
    }),
    "texts by id": Mistakes(("gold.csv", _TEXTS), "token_f1", "p.csv", _TEXTS, {
        "an id twice": (
            _TEXTS + "s1,again\n",
            ("line 8: id 's1' was already on line 3", "Keep one row for each id."),
        ),
        "an unknown id": (
            _TEXTS.replace("s3,", "x3,"),
            ("line 5: id 'x3' is not in the test set", "segment 's3' is missing",
             "Expected predictions for 6 segments, matched by id."),
        ),
        "a comma without quotes": (
            _TEXTS.replace("line 3 of", "line 3, of"),
            ("line 5: 3 cells found, 2 expected", "quote texts that hold the delimiter"),
        ),
        "a quote that stays open": (
            _TEXTS.replace("this is line 3", '"this is line 3'),
            ("line 5: the quote that is opened here is never closed",),
        ),
        "no texts": (
            "id\n" + "".join(f"s{i}\n" for i in range(6)), ("line 1: there is no column 'text'",)
        ),
        "null.json": (
            json.dumps([{"id": f"s{i}", "text": None} for i in range(6)]),
            ("record 1: 'text' is null or missing; write",),
        ),
    }),
    "rankings": Mistakes(("qrels.txt", _QRELS), "nDCG@10", "p.run", _RUN, {
        "a query is missing": (
            _RUN.split("q1 Q0 d0", 1)[0],
            ("query 'q1' is missing", "Add a prediction for every query that has none.",
             "Expected predictions for 4 queries, matched by id."),
        ),
        "a document twice": (
            _RUN + "q1 Q0 d1 9 0.1 sys\n",
            ("line 17: document 'd1' of query 'q1' was already on line 6",
             "List every document once for each query."),
        ),
        "no number": (
            _RUN.replace("q1 Q0 d1 2 8", "q1 Q0 d1 2 nan"),
            ("line 6: found 'nan', expected a finite number", "Expected lines such as '301 Q0"),
        ),
        "infinity": (_RUN.replace("q1 Q0 d1 2 8", "q1 Q0 d1 2 inf"), ("line 6: found 'inf'",)),
        "a decimal comma": (
            _RUN.replace("q1 Q0 d1 2 8", "q1 Q0 d1 2 8,5"), ("line 6: found '8,5'",)
        ),
        "no tag": (
            _RUN.replace(" sys", ""),
            ("16 lines of the wrong width, on every row", "line 1: 5 columns found, 6 expected"),
        ),
        "commas": (_RUN.replace(" ", ","), ("line 1: 1 column found, 6", "by spaces or tabs")),
        "the judgments": (
            _QRELS, ("line 1: 4 columns found, 6", "Judgments have 4 columns, a run has 6")
        ),
        "1,001 documents": (
            _RUN + "".join(f"q1 Q0 e{j} 1 {j} s\n" for j in range(997)),
            ("line 5: found 1001 documents for this query, expected at most 1000; send the best",),
        ),
        "other queries": (
            _RUN.replace("q", "x"), ("4 of 4 ids are not in the test set", "line 1: id 'x0'")
        ),
        "no scores.json": (
            json.dumps({"q1": ["d1"]}), ('expected documents by query such as {"301"',)
        ),
        "empty": _EMPTY,
        "zipped.run.gz": _zipped(_RUN),
    }),
    "label sets": Mistakes(("gold.csv", _SETS), "{f1_score: {average: samples}}", "p.csv", _SETS, {
        "a key of its own for every record.json": (
            json.dumps([{f"t{i}": ["a"]} for i in range(1500)]),
            ("the records have 1500 different keys; give every record the same",),
        ),
        "an unknown label": (
            _SETS.replace("t3,a b", "t3,a z"), ("line 5: found 'z', expected labels of the task",)
        ),
        "other letters": (_SETS.replace("a b", "A B"), ("found 'A', 'B'", "in the same spelling")),
        "no label": (_SETS.replace("t3,a b", "t3,nan"), ("line 5: found 'nan'",)),
        "a comma without quotes": (
            _SETS.replace("a b", "a,b"), ("line 3: 3 cells found, 2 expected", "quote texts")
        ),
        "probabilities": (
            "id,a,b,c\n" + "".join(f"t{i},0.9,0.2,0.1\n" for i in range(6)),
            ("line 2, column 'a': found '0.9', expected 0 or 1", "apply a threshold to scores"),
        ),
        "an id twice": (_SETS + "t1,a\n", ("line 8: id 't1' was already on line 3",)),
        "an id is missing": (
            _SETS.replace("t3,a b\n", ""), ("id 't3' has no row", "Expected 6 rows")
        ),
        "empty": _EMPTY,
        "zipped.csv.gz": _zipped(_SETS),
    }),
    "samples": Mistakes(("gold.csv", _ANSWERS), "{pass_at_k: {k: 2}}", "p.csv", _SAMPLES, {
        "a column for every sample": (
            "id,s1,s2\n" + "".join(f"t{i},A,B\n" for i in range(6)),
            ("expected columns of ids, samples and answers, such as 'id,sample,label'", "'s1'"),
        ),
        "no header": (
            _SAMPLES.split("\n", 1)[1],
            ("line 1: expected a header such as 'id,sample,label'; found 't0', '0', 'A'",),
        ),
        "far more samples than anybody draws": (
            _SAMPLES + "".join(f"t5,{k},A\n" for k in range(3, 16_385)),
            ("line 17: found 16385 samples, expected at most 16384",),
        ),
        "too few samples": (
            _ANSWERS,
            ("line 2: found 1 sample, expected at least 2, which pass@2 needs",
             "Expected predictions for 6 examples, matched by id."),
        ),
        "a sample twice": (
            _SAMPLES + "t3,2,A\n",
            ("line 20: sample '2' of id 't3' was already on line 13", "its own number"),
        ),
        "an empty sample": (
            _SAMPLES.replace("t3,0,A", "t3,0,"), ("found an empty sample, expected an answer",)
        ),
        "an unknown id": (
            _SAMPLES.replace("t3,", "x3,"), ("id 'x3' is not in the test set", "'t3' is missing")
        ),
        "only a header": ("id,sample,answer\n", _EMPTY[1]),
        "empty": _EMPTY,
        "zipped.csv.gz": _zipped(_SAMPLES),
    }),
    "resolved": Mistakes(("instances.json", _IDS), "resolved_rate", "p.json", _RESOLVED, {
        "a word for the list": (
            '{"resolved_ids": "i1"}', ('expected a list of ids such as ["a", "b"], or',)
        ),
        "outcomes by id": ('{"i1": true}', ('expected a list of ids such as ["a", "b"], or',)),
        "capitals": (
            '["I1"]', ("record 1: id 'I1' is not in the test set; did you mean 'i1'?",)
        ),
        "an unknown id": (
            '["i1", "zz"]',
            ("record 2: id 'zz' is not in the test set", "Remove what the test set does not hold.",
             "Expected predictions for 6 instances, matched by id."),
        ),
        "an id twice": (
            '["i1", "i1"]',
            ("record 2: id 'i1' was already on record 1", "List every id once."),
        ),
        "half a file": ('["i1",', ("line 1: this is not valid JSON", "expected a list of ids")),
        "another key": ('{"solved": ["i1"]}', ('or {"resolved": ["a", "b"]}',)),
        "numbers of rows": ("[1, 2]", ("2 of 2 ids are not", "These are numbers of rows")),
        "nested": ('[["i1"]]', ("expected a list of ids",)),
        "null": ("null", ("expected a list of ids",)),
        "empty": _EMPTY,
        "zipped.json.gz": _zipped(_RESOLVED),
    }),
}  # fmt: skip
#: Uploads that look unusual and are good.
HARMLESS = {
    "a byte-order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "lines as in Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "lines as in old programs": lambda text: text.replace("\n", "\r").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "no last line end": lambda text: text.rstrip("\n").encode(),
}
