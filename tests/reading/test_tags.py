"""Files of tagged tokens: CoNLL in its variants, and JSON."""

from __future__ import annotations

import json

import pytest

from scoring_program.core.errors import ReferenceDataError, SubmissionError
from scoring_program.reading.formats import kind_of, read_examples
from scoring_program.reading.formats.tags import Sentence
from scoring_program.reading.table import Table

CONLL = """-DOCSTART- -X- -X- O

Ana NNP B-NP B-PER
lives VBZ B-VP O
in IN B-PP O
Oslo NNP B-NP B-LOC

No DT O O

-DOCSTART- -X- -X- O

EFE NNP B-NP B-ORG
"""
#: Characters that show nothing, alone on a line.
WIDE_BLANKS = ("\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "\u3000", "\u00a0", " \f\t")
TAGS = [("B-PER", "O", "O", "B-LOC"), ("O",), ("B-ORG",)]
TEXTS = ["Ana\tlives\tin\tOslo", "No", "EFE"]


def read(content: str | bytes, name: str = "a.conll", *, gold: bool = False) -> Table:
    content = content.encode() if isinstance(content, str) else content
    return read_examples(content, name, "tags", gold=gold)


def columns(table: Table) -> dict[str, list[object]]:
    assert table.header is not None
    return {name: [*of] for name, of in zip(table.header, table.columns, strict=True)}


@pytest.mark.parametrize(
    "content",
    [
        CONLL,
        CONLL.replace("\n", "\r\n"),
        CONLL.rstrip("\n"),
        CONLL.replace(" ", "\t"),
        CONLL.replace(" ", "   "),
        CONLL + "\n \n\t\n",
        *(CONLL.replace("\n\nNo", f"\n{blank}\nNo") + f"{blank}\n" for blank in WIDE_BLANKS),
        "\ufeff" + CONLL,
        CONLL.encode("utf-16"),
        CONLL.replace("-DOCSTART- -X- -X- O\n\n", ""),
    ],
)
@pytest.mark.parametrize("name", ["a.conll", "a.txt", "a.tsv", "a"])
def test_conll(content: str | bytes, name: str) -> None:
    found = columns(read(content, name))
    assert found == {"tags": TAGS}
    assert [tags.text for tags in found["tags"] if isinstance(tags, Sentence)] == TEXTS


def test_documents_of_the_gold_are_groups() -> None:
    assert columns(read(CONLL, gold=True))["document"] == ["1", "1", "2"]
    without = CONLL.replace("-DOCSTART- -X- -X- O\n\n", "")
    assert "document" not in columns(read(without, gold=True))
    newdoc = "# newdoc id = n1\n# sent_id = a\nAna B-PER\n\n# newdoc id = n2\n# sent_id = b\nNo O\n"
    found = columns(read(newdoc, gold=True))
    assert (found["document"], found["id"]) == (["1", "2"], ["a", "b"])


def test_comments_identify_sentences() -> None:
    found = read("# id s7\tdomain=en\n#ola _ _ O\n# _ _ O\n\n# id s8\nAna _ _ B-PER\n")
    assert columns(found) == {"tags": [("O", "O"), ("B-PER",)], "id": ["s7", "s8"]}
    assert found.places[1] == "sentence 2 (line 6)"


def test_tags_alone() -> None:
    (tags,) = read("B-PER\nO\n\nO\n").columns
    assert tags == [("B-PER", "O"), ("O",)]
    assert tags[0].text == ""


@pytest.mark.parametrize(
    "document",
    [
        [["B-PER", "O"], ["O"]],
        [{"tokens": ["Ana", "vive"], "tags": ["B-PER", "O"]}, {"tokens": ["No"], "tags": ["O"]}],
        [{"words": ["Ana", "vive"], "ner_tags": ["B-PER", "O"]}, {"ner_tags": ["O"]}],
    ],
)
def test_json(document: object) -> None:
    assert columns(read(json.dumps(document), "a.json"))["tags"] == [("B-PER", "O"), ("O",)]
    if isinstance(document, list):
        lines = "\n".join(map(json.dumps, document))
        assert columns(read(lines, "a.jsonl"))["tags"] == [("B-PER", "O"), ("O",)]


def test_json_with_ids_and_documents() -> None:
    found = columns(read('{"s1": ["O"], "s2": ["B-PER"]}', "a.json"))
    assert found == {"tags": [("O",), ("B-PER",)], "id": ["s1", "s2"]}
    records = (
        '[{"id": 1, "document": "d", "tags": ["O"]}, {"id": 2, "document": "d", "tags": ["B"]}]'
    )
    assert columns(read(records, "a.json", gold=True))["document"] == ["d", "d"]


def test_the_content_decides() -> None:
    assert kind_of(CONLL.encode(), "gold.txt") == "tags"
    assert kind_of(CONLL.replace(" ", "\t").encode(), "gold.conll") == "tags"
    assert kind_of(b"id\tlabel\n1\tO\n2\tB-PER\n3\tO\n4\tB-PER\n5\tB-PER\n", "gold.tsv") == "rows"
    assert kind_of(b"id,label\nq1,a\n", "gold.csv") == "rows"
    assert kind_of(b"", "gold.txt") == "rows"


def test_a_column_of_tags_may_stand_between() -> None:
    for usual in ("A B-NP PER\nB O O\n", "A B-NP B-PER\nB O O\n", "A NN O\nB VB O\n"):
        assert len(read(usual).columns[0][0]) == 2


def test_a_gold_has_one_sign_for_no_entity() -> None:
    with pytest.raises(ReferenceDataError, match="the tags O and _ both say"):
        read("Ana PER\nvive _\nen O\n", gold=True)


def test_entities_that_begin_with_i_are_noted() -> None:
    content = "Ana B-PER\nen O\nOslo I-LOC\n\nEFE B-ORG\nyO O\n"
    (note,) = read(content).notes
    assert note.startswith("1 entity begins with I, after O or another type (I-LOC")
    assert note.values == {"count": 1, "first": "I-LOC, sentence 1 (line 1)"}
    (note,) = read(content, gold=True).notes
    assert note.values == {"count": 1}  # participants may read it
    for usual in (content.replace("B-", "I-"), "A I-PER\nB B-PER\n\nC I-PER\n", "A PER\nB O\n"):
        assert read(usual).notes == ()


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("id,tag\nt1,O\nt2,B-PER\n", "a.csv", "a.csv: commas are between the columns of tags. Wri"),
        ('"1";"Ana";"B_PER"\n"1";"no";"O"\n', "a.txt", "a.txt: commas are between the columns of"),
        ("", "a.conll", "a.conll: the file is empty"),
        ("-DOCSTART- O\n\n", "a.conll", "a.conll: the file is empty"),
        ("Ana B-PER\nvive\n", "a.conll", "line 2: found 1 column, expected 2"),
        ("Ana B-PER\nvive aquí O\n", "a.conll", "line 2: found 3 columns, expected 2"),
        ("Ana\tB-PER\nvive O\n", "a.conll", "line 2: found 1 column, expected 2"),
        ("Ana\tB-PER\nvive\t\n", "a.conll", "line 2: found no tag in the last column"),
        ("Ana 3\nvive 0\n", "a.conll", "line 1: found a number, expected the name of a tag"),
        ("[[3, 0]]", "a.json", "record 1: found a number, expected the name of a tag"),
        ('[{"tokens": ["a"], "tags": ["O", "O"]}]', "a.json",
         "record 1: found 2 tags for 1 token"),
        ('[{"text": "a b"}]', "a.json", "record 1: there is no list of tags"),
        ('[["O"], ["O", null]]', "a.json", "record 2: there is no list of tags"),
        ("7", "a.json", "expected sentences such as"),
        ("Ana B-PER NN\nvive O VB\n", "a.conll", "a.conll: column 2 holds tags that begin with"),
        ("Ana NN\tB-PER\tO\nvive\tO\tO\n", "a.conll", "and the last one none; move them to"),
    ],
)  # fmt: skip
def test_defects_name_the_place(content: str, name: str, message: str) -> None:
    with pytest.raises(SubmissionError) as error:
        read(content, name)
    assert message in str(error.value)
