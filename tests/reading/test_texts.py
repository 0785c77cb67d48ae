"""Files of texts: plain lines, tables, JSON and SQuAD's JSON, with one or several references."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import KINDS, kind_of, read_examples
from scoring_program.reading.formats.kind import FileDescription
from tests.competitions import Folder

SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Rivers",
            "paragraphs": [
                {
                    "context": "The Ebro is 930 km long.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": "How long is the Ebro?",
                            "answers": [
                                {"text": "930 km", "answer_start": 12},
                                {"text": "930 km long", "answer_start": 12},
                            ],
                        },
                        {
                            "id": "q2",
                            "question": "How deep is it?",
                            "answers": [],
                            "is_impossible": True,
                        },
                    ],
                }
            ],
        }
    ],
}


def read(content: str | bytes, name: str, *, gold: bool = False, form: str = "auto") -> Any:
    """Return the columns of a file by name, or by number where the first row may name them."""
    content = content.encode() if isinstance(content, str) else content
    table = read_examples(content, name, "text", FileDescription(form), gold=gold)
    names = table.header or range(len(table.columns))
    return {name: list(column) for name, column in zip(names, table.columns, strict=True)} | {
        "places": list(table.places)
    }


def test_every_line_counts_and_none_is_a_header() -> None:
    found = read("text\n\n  two words \r\n\nlast\n\n", "a.txt")
    assert found["text"] == ["text", "", "two words", "", "last", ""]
    assert found["places"][2] == "line 3"
    assert read("no end", "a.txt")["text"] == ["no end"]
    commas = ["Yes, it is.", "No, not yet."]
    assert read("\n".join(commas), "a.txt")["text"] == commas
    assert read("\ufeffa, b\tc\nd\n", "a.txt")["text"] == ["a, b\tc", "d"]


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("id,text\nq1,\"a, b\"\nq2,\n", "a.csv", {"id": ["q1", "q2"], "text": ["a, b", ""]}),
        ("q1\ta b\nq2\tc\n", "a.tsv", {0: ["q1", "q2"], 1: ["a b", "c"]}),
        ("q1\ta, b\nq2\tc, d\n", "a.txt", {0: ["q1", "q2"], 1: ["a, b", "c, d"]}),
        ("id\ttext\nq1\ta b\nq2\tc\n", "a.txt", {"id": ["q1", "q2"], "text": ["a b", "c"]}),
        ("one text\nanother\n", "a.csv", {0: ["one text", "another"]}),
        ('["a", ""]', "a.json", {"text": ["a", ""]}),
        ('{"q1": "a", "q2": "b"}', "a.json", {"id": ["q1", "q2"], "text": ["a", "b"]}),
        ('{"q1": {"answer": "a"}}', "a.json", {"id": ["q1"], "answer": ["a"]}),
        ('[{"id": 7, "prediction_text": "a"}]', "a.json", {"id": ["7"], "prediction_text": ["a"]}),
        ('{"predictions": [{"id": "q", "text": ["a"]}]}', "a.json", {"id": ["q"], "text": ["a"]}),
        ('{"id": "q", "text": "a"}\n\n{"id": "r", "text": "b"}\n', "a.jsonl",
         {"id": ["q", "r"], "text": ["a", "b"]}),
        ('{"id": "q", "text": "a"}\n{"id": "r", "text": "b"}\n', "a.json",
         {"id": ["q", "r"], "text": ["a", "b"]}),
    ],
)  # fmt: skip
def test_predictions(content: str, name: str, expected: dict[str, list[str]]) -> None:
    found = read(content, name)
    del found["places"]
    assert found == expected


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("id,reference_1,reference_2\nq1,a,b\nq2,c,\nq3,,\n", "gold.csv",
         {"id": ["q1", "q2", "q3"], "reference": [("a", "b"), ("c",), ("",)]}),
        ("id,ref1,topic\nq1,a,t\n", "gold.csv", {"id": ["q1"], "ref1": ["a"], "topic": ["t"]}),
        ('{"q1": ["a", "b"], "q2": "c"}', "gold.json",
         {"id": ["q1", "q2"], "text": [("a", "b"), ("c",)]}),
        ('[{"id": "q1", "answers": {"text": ["a"], "answer_start": [3]}}]', "gold.json",
         {"id": ["q1"], "answers": [("a",)]}),
        (json.dumps(SQUAD), "dev.json",
         {"id": ["q1", "q2"], "answers": [("930 km", "930 km long"), ("",)],
          "title": ["Rivers", "Rivers"]}),
    ],
)  # fmt: skip
def test_several_references(content: str, name: str, expected: dict[str, list[Any]]) -> None:
    found = read(content, name, gold=True)
    del found["places"]
    assert found == expected


def test_squad_is_recognized_by_its_content() -> None:
    assert kind_of(json.dumps(SQUAD).encode(), "gold.json") == "text"
    assert kind_of(b'{"data": [{"id": "q1", "label": "paragraphs"}]}', "gold.json") == "rows"
    assert kind_of(b"id,label\nq1,a\n", "gold.csv") == "rows"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "a.txt", "a.txt: the file is empty"),
        ("\n \n", "a.txt", "a.txt: the file is empty"),
        ("id,text\n", "a.csv", "a.csv: the file is empty"),
        ("[]", "a.json", "a.json: the file is empty"),
        ("7", "a.json", "expected texts by id"),
        ('[{"id": "q1", "text": ["a", "b"]}]', "a.json",
         "a.json: record 1: 'text' holds 2 texts; send one text per example"),
        ('{"id": "q1", "text": "a"}\n{"id": "q2", "text": null}\n', "a.jsonl",
         "a.jsonl: line 2: 'text' is null or missing"),
        ('{"q1": [["a"]]}', "a.json", "a.json: record 1: 'text' holds a nested value"),
        (
            '[{"id": "q1", "translation": {"en": "a", "py": "b"}}]',
            "a.json",
            "'translation' holds a nested value",
        ),
        ('{"q1": "a",}', "a.json", "a.json: line 1: this is not valid JSON"),
        (b"\xff\xfe\xff", "a.txt", "the text is not UTF-8"),
        ("id,answers\nq1,\"[\"\"a\"\", \"\"b\"\"]\"\nq2,['c']\n", "a.csv",
         "a.csv: every cell of a column holds a list such as [\"a\", \"b\"], which would be"),
        ("".join(f"a b (s_{i})\n" for i in range(4)), "a.trn",
         "a.trn: every line ends in an id in parentheses, as in NIST's trn files, which would be"),
        (";; LABEL\n" + "".join(f"a b (s_{i})\n" for i in range(4)), "a.trn",
         "a.trn: every line ends in an id in parentheses"),
        (';; CATEGORY "0" "" ""\n2347 a 2347-a 1.06 3.47 <O,WA> i find\n2347 a 2347-a 4 5.5\n',
         "a.stm", "a.stm: the lines are like those of NIST's stm files, whose times would be"),
        ("2347 a 1.06 .25 i\n2347 a 1.31 .4 find .98\n", "a.ctm", "those of NIST's ctm files"),
    ],
)  # fmt: skip
def test_defects_name_the_place(content: str | bytes, name: str, message: str) -> None:
    with pytest.raises(SubmissionError) as error:
        read(content, name)
    assert message in str(error.value)


@pytest.mark.parametrize("gold", [False, True])
def test_flags_of_a_usual_name_are_not_scored_as_texts_beside_sentences(gold: bool) -> None:
    """Whether a turn is answered, and the answer: "target" is a usual name, but no text."""
    turns = [{"target": True, "response": "It opens at nine."}, {"target": False, "response": ""}]
    with pytest.raises(
        SubmissionError, match="'target' holds true or false in every record"
    ) as error:
        read(json.dumps(turns), "turns.json", gold=gold)
    side = "reference" if gold else "submissions"
    assert f"'{side}: {{columns: {{label: response}}}}'" in str(error.value)


@pytest.mark.parametrize("beside", ["question", "prediction"])
def test_flags_may_be_answers(beside: str) -> None:
    """Beside what was asked, and not where a usual name holds the texts."""
    records = [{"id": "a", "answer": True, beside: "Is it far to go?"}]
    assert read(json.dumps(records), "answers.json")["answer"] == ["True"]


def test_five_numbers_a_line_are_no_times_if_one_goes_back() -> None:
    guesses = ["58 77 51 158 176", "32 152 135 72 55", "65 61 24 135 173"]
    assert read("\n".join(guesses), "top5.txt")["text"] == guesses


@pytest.mark.parametrize("end", ["(laughs)", "(n {i})", "({i}", "({i}) .", "(7)"])
def test_not_every_bracket_at_the_end_is_an_id(end: str) -> None:
    texts = [f"a b {end.format(i=i)}" for i in range(9)]
    assert read("\n".join(texts), "a.txt")["text"] == texts


def test_a_line_of_numbers_is_no_form_of_nist() -> None:
    texts = ["he won 3 1.5 2.5 times", "or 4"]
    assert read("\n".join(texts), "a.txt")["text"] == texts


def test_a_text_may_look_like_a_list() -> None:
    assert read("id,text\nq1,['a']\nq2,a\n", "a.csv")["text"] == ["['a']", "a"]
    assert read("id,text,tokens\nq1,a,['a']\n", "a.csv", gold=True)["text"] == ["a"]


def test_the_format_may_be_set() -> None:
    assert read('["a"]', "a.txt", form="json")["text"] == ["a"]
    assert read("id,text\nq,a\n", "a.txt")["text"] == ["id,text", "q,a"]
    assert read("id,text\nq,a\n", "a.txt", form="csv")["text"] == ["a"]
    assert read("id\ttext\nq\ta\n", "a.txt", form="lines")["text"] == ["id\ttext", "q\ta"]


@pytest.mark.parametrize("mark", ["a@@ b", "\u2581a b", "&quot;a&quot;", "a &amp; b"])
def test_texts_that_are_cut_or_escaped_are_the_participants(mark: str) -> None:
    """Every reader would join them, and every metric counts them as wrong."""
    golds, found = ["a b", ("a", "b c")] * 20, ["a b", "a", "b", mark] * 10
    defect = KINDS["text"].unrelated(golds, found)
    assert defect is not None
    assert defect.startswith("10 texts hold '")
    assert KINDS["text"].unrelated([*golds[1:], mark], found) is None
    assert KINDS["text"].unrelated(golds * 4, [*found, *["a"] * 120]) is None


def test_any_text_is_a_prediction() -> None:
    assert KINDS["text"].problem("", None, ()) is None


def test_a_tab_within_every_text_makes_no_ids_of_their_beginnings() -> None:
    lines = b"the cat sat\there\nthe dog lay\tthere\n"
    table = read_examples(lines, "a.txt", "text", gold=True)
    assert table.header == ("text",)
    assert list(table.columns[0]) == ["the cat sat\there", "the dog lay\tthere"]


@pytest.mark.parametrize("start", ['{ "x" }', "<html>", "<!DOCTYPE html>", '{"code": "x"}'])
def test_texts_may_begin_like_other_formats(start: str, folder: Folder) -> None:
    """What the message says to write reads the gold, and then the submissions."""
    texts = [f"{start} text {k} and what a system says of it" for k in range(40)]
    own = {"A": [*texts[:30], *(f"{text} once" for text in texts[30:])], "B": texts[:1] * 40}
    for name, lines in {"ref/gold": texts, "res/A": own["A"], "res/B": own["B"]}.items():
        path = folder.input / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    settings = "resamples: 100\nmetrics: [exact_match]\n"
    for said in ("", "reference: {format: lines}\n"):
        settings += said
        folder.settings(settings)
        assert folder.run() != 0
    folder.settings(f"{settings}format: lines\n")
    assert folder.run() == 0
    assert folder.scores()["exact_match.A"] == 0.75


def test_what_to_write_where_texts_begin_like_another_format() -> None:
    for content in ('{ "x" } y\n{ "z" } y\n', "<html> x\n<html> y\n"):
        for gold in (True, False):
            with pytest.raises(SubmissionError) as caught:
                read(content, "a.txt", gold=gold)
            assert "if every line is a text, write 'format: lines'" in str(caught.value)
            assert "'reference: {format: lines}'" in str(caught.value)
    with pytest.raises(SubmissionError) as caught:
        read('{ "x" } y\n{ "z" } y\n', "a.json")
    assert "format: lines" not in str(caught.value)


@pytest.mark.parametrize("key", ["code", "message", "error", "status", "detail"])
@pytest.mark.parametrize("close", ["}\n{", "}\n  ,\n  {"])
def test_records_may_begin_like_a_web_services_reply(key: str, close: str) -> None:
    first, second = (f'"{key}": "hi", "id": "{k}", "text": "t{k}"' for k in range(2))
    content = "{" + first + close + second + "}"
    if "," in close:
        content = '{"status": "ok", "records": [{' + content[1:] + "]}"
    assert read(content, "a.jsonl" if "," not in close else "a.json")["text"] == ["t0", "t1"]
    with pytest.raises(SubmissionError, match="a web service's reply"):
        read("{" + first + "}", "a.json")
