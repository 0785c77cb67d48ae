"""What is read quickly is what is read with care; whatever is unusual is left to that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program.core.cells import Label
from scoring_program.core.errors import SubmissionError
from scoring_program.data import entry, parts
from scoring_program.data.competition import Part
from scoring_program.data.joining.submission import Entry
from scoring_program.data.quick_reader import QuickReader
from scoring_program.reading.formats import read_table
from scoring_program.reading.reference import find_reference
from scoring_program.recognize.expected import Expected, Target
from scoring_program.settings import loading

N = 40
IDS = tuple(f"x{(7 * k) % N}" for k in range(N))  # in the order of the examples
ROWS = [(11 * k) % N for k in range(N)]  # place of every example in the file
TEXTS = ("a", "favor", "no")
NUMBERS = (-1, 0, 1, 12)


def expected(labels: tuple[Label, ...] = TEXTS, kind: str = "labels") -> Expected:
    return Expected(ROWS, N, IDS, {Target("label", kind): labels})


def lines(labels: Sequence[Label | float] = TEXTS) -> list[str]:
    """Return the lines of a usual file."""
    ids = dict(zip(ROWS, IDS, strict=True))
    return [f"{ids[row]},{labels[row * row % 7 % len(labels)]}" for row in range(N)]


def quoted(line: str) -> str:
    return f'"{line.replace(",", chr(34) + "," + chr(34))}"'


def with_care(content: bytes, asked: Expected) -> Entry | None:
    """Return the entry that the usual way gives; None if the file is unusable."""
    try:
        return entry.align(read_table(content, "p.csv"), "A", asked, {}, "")
    except SubmissionError:
        return None


def same(content: bytes, asked: Expected) -> bool:
    """Whether a file was read quickly; assert that it was then read as with care."""
    reader = QuickReader.from_expected(asked)
    found = None if reader is None else reader.read(content)
    if found is None:
        return False
    careful = with_care(content, asked)
    assert careful is not None
    ((_, predictions),) = careful.predictions.items()
    quickly = np.asarray(found[0])
    assert quickly.dtype == predictions.dtype
    assert np.array_equal(quickly, predictions)
    assert quickly.flags.c_contiguous == predictions.flags.c_contiguous  # so that sums are equal
    assert careful.notes == ()
    return True


@pytest.mark.parametrize("header", ["id,label", "ID,prediction", "index,y", "id,whatever"])
@pytest.mark.parametrize("labels", [TEXTS, NUMBERS, ("longer", "x"), (0, 1)])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_usual_files_are_read_quickly(header: str, labels: tuple[Label, ...], end: str) -> None:
    content = (end or "\n").join([header, *lines(labels)]) + end
    assert same(content.encode(), expected(labels))


@pytest.mark.parametrize("kind", ["probabilities", "scores"])
def test_a_lone_column_with_the_name_of_a_class_is_read_with_care(kind: str) -> None:
    for header, quickly in (("id,p", True), ("id,no", False), ("id,yes", False)):
        content = "\n".join([header, *lines((0.25, 0.5, 1.0))])
        assert same(content.encode(), expected(("no", "yes"), kind)) is quickly


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("labels", [TEXTS, (0, 1)])
def test_other_delimiters_and_quotes_are_usual(delimiter: str, labels: tuple[Label, ...]) -> None:
    first_only = [quoted(line).replace(',"', ",").rstrip('"') for line in lines(labels)]
    last_only = [quoted(line).replace('",', ",").lstrip('"') for line in lines(labels)]
    every = list(map(quoted, lines(labels)))
    for rows in (lines(labels), every, first_only, last_only):
        for header in ("id,label", quoted("id,label")):
            content = "\n".join([header, *rows]).replace(",", delimiter)
            assert same(content.encode(), expected(labels)), (header, rows[0])


DECIMALS = (0.1, -2, 1e-7, 123.456, 0.30000000000000004, 9007199254740993, 5e-324)


@pytest.mark.parametrize("header", ["id,label", "ID,prediction", "id,score", '"id","y"'])
@pytest.mark.parametrize("kind", ["numbers", "scores"])
def test_numbers_are_read_quickly(header: str, kind: str) -> None:
    labels = () if kind == "numbers" else (0, 1)
    rows = lines([value / 1e7 if value > 1e10 else value for value in DECIMALS])
    for body in (rows, list(map(quoted, rows))):
        assert same("\n".join([header, *body]).encode(), expected(labels, kind))


@pytest.mark.parametrize("kind", ["scores", "probabilities"])
@pytest.mark.parametrize("header", ["id,a,favor,no", "id,no,a,favor"])
def test_numbers_of_classes_are_read_quickly(header: str, kind: str) -> None:
    ids = [line.split(",")[0] for line in lines()]
    shares = [k / N for k in range(N)]
    rows = [
        f"{id},{share},{(1 - share) / 3},{(1 - share) / 1.5}"
        for id, share in zip(ids, shares, strict=True)
    ]
    assert same("\n".join([header, *rows]).encode(), expected(TEXTS, kind))


@pytest.mark.parametrize(
    "cell",
    ["nan", "inf", "1e11", "1_0", "", "0x1", " 1", "1.5.3", "1-2", ".", "1,5", "1e400", "one"],
)
def test_no_numbers_are_read_with_care(cell: str) -> None:
    rows = lines((0.5, 1))
    rows[9] = f"{rows[9].split(',')[0]},{cell}"
    assert not same("\n".join(["id,label", *rows]).encode(), expected((), "numbers"))


@pytest.mark.parametrize("kind", ["numbers", "scores"])
@pytest.mark.parametrize("mark", [str, quoted])
def test_dots_that_may_separate_thousands_are_read_with_care(
    kind: str, mark: Callable[[str], str]
) -> None:
    asked = expected((0, 1) if kind == "scores" else (), kind)

    def content(of: Sequence[str]) -> bytes:
        return "\n".join(["id,label", *map(mark, lines(of))]).encode()

    for certain in (["950", "1.200", "-120"], ["120", "12.500", "1"], ["350", "-1.000", "999"]):
        assert QuickReader.from_expected(asked).read(content(certain)) is None
        assert with_care(content(certain), asked) is None
    for usual in (
        ["950", "1.2", "120"], ["950", "0.250", "120"], ["950.0", "1.200"], ["950", "1200", "1"],
        ["950", "1200.125"], ["1500", "1.2005", "950"],
    ):  # fmt: skip
        assert same(content(usual), asked)
    assert with_care(content(["3", "3.333"]), asked) is not None  # means of three


def test_a_cell_of_two_numbers_does_not_make_up_for_an_empty_one() -> None:
    rows = lines((0.5, 1))
    ids = [row.split(",")[0] for row in rows]
    for two in ("1.5.3", "1-3", "1+3", "1 3"):
        rows[8:10] = [f"{ids[8]},{two}", f"{ids[9]},"]
        assert not same("\n".join(["id,label", *rows]).encode(), expected((), "numbers"))


def test_numbers_that_a_metric_cannot_take_are_read_with_care() -> None:
    usual = "\n".join(["id,label", *lines((0.5, -1.5))]).encode()
    assert not same(usual, replace(expected((), "numbers"), above={"label": -1.5}))
    assert same(usual, replace(expected((), "numbers"), above={"label": -2}))
    assert not same(usual, expected((0, 1), "probabilities"))
    sums = "\n".join(["id,0,1", *(f"{row},0.5" for row in lines((0.5, 0.51)))]).encode()
    assert not same(sums, expected((0, 1), "probabilities"))
    assert same(sums, expected((0, 1), "scores"))


@given(st.permutations(range(N)))
def test_any_order_is_read_quickly(order: list[int]) -> None:
    rows = lines()
    content = "\n".join(["id,label", *(rows[i] for i in order), ""])
    assert same(content.encode(), expected())
    assert same(content.replace("\n", "\r\n").replace(",", ";").encode(), expected())


def test_as_many_labels_as_a_byte_tells_apart_are_read_quickly() -> None:
    for count, quick in ((255, True), (256, False)):
        labels = tuple(f"l{k}" for k in range(count))
        content = "\n".join(["id,label", *lines(labels), ""])
        assert same(content.encode(), expected(labels)) is quick


def test_a_header_too_long_to_be_looked_at_is_read_with_care() -> None:
    content = "\n".join([f"id,{'x' * 2**16}", *lines()])
    assert not same(content.encode(), expected())


def test_only_labels_that_are_predicted_say_how_long_texts_are() -> None:
    content = "\n".join(["id,label", *(line.replace("favor", "no") for line in lines())])
    assert same(content.encode(), expected())


UNUSUAL: dict[str, Callable[[list[str]], list[str]]] = {
    "another order, and a line twice": lambda rows: [rows[0], *reversed(rows[2:]), rows[3]],
    "a row less": lambda rows: rows[:-1],
    "a row more": lambda rows: [*rows, rows[-1]],
    "a blank line": lambda rows: [*rows[:5], "", *rows[5:]],
    "no header": lambda rows: rows[1:],
    "a header that is an id": lambda rows: ["x3,label", *rows[1:]],
    "a header that is a label": lambda rows: ["id,favor", *rows[1:]],
    "columns exchanged": lambda rows: [",".join(reversed(row.split(","))) for row in rows],
    "a third column": lambda rows: [f"{row},1" for row in rows],
    "a third cell": lambda rows: [*rows[:9], f"{rows[9]},1", *rows[10:]],
    "one cell": lambda rows: [*rows[:9], rows[9].partition(",")[0], *rows[10:]],
    "cells that make up for each other": lambda rows: [
        *rows[:9], rows[9].replace(",", ""), f"{rows[10]},a", *rows[11:]
    ],
    "a quote too few": lambda rows: [*rows[:9], quoted(rows[9])[:-1], *rows[10:]],
    "quotes around two cells": lambda rows: [*rows[:9], f'"{rows[9]}"', *rows[10:]],
    "quotes around two lines": lambda rows: [*rows[:9], f'"{rows[9]}', f'{rows[10]}"', *rows[11:]],
    "a quote in a cell": lambda rows: [*rows[:9], rows[9] + '""', *rows[10:]],
    "quotes in quotes": lambda rows: [*rows[:9], quoted(quoted(rows[9])), *rows[10:]],
    "a double quote in quotes": lambda rows: [*rows[:9], quoted(rows[9] + '""'), *rows[10:]],
    "spaces": lambda rows: [row.replace(",", ", ") for row in rows],
    "another label": lambda rows: [*rows[:9], "x9,b", *rows[10:]],
    "no label": lambda rows: [*rows[:9], rows[9].partition(",")[0] + ",", *rows[10:]],
    "an id of another test set": lambda rows: [*rows[:9], "y" + rows[9][1:], *rows[10:]],
    "a NUL after a label": lambda rows: [*rows[:9], rows[9] + "\0", *rows[10:]],
    "an accent": lambda rows: [*rows[:9], rows[9] + "\u0301", *rows[10:]],
    "a delimiter line": lambda rows: ["sep=,", *rows],
    "a byte-order mark": lambda rows: ["\ufeff" + rows[0], *rows[1:]],
    "one line that ends differently": lambda rows: [*rows[:9], rows[9] + "\r", *rows[10:]],
    "semicolons in one line": lambda rows: [
        *rows[:9], rows[9].replace(",", ";"), *rows[10:]
    ],
    "two delimiters": lambda rows: [row.replace(",", ";|") for row in rows],
}  # fmt: skip


@pytest.mark.parametrize("spoil", UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_unusual_is_read_with_care(spoil: Callable[[list[str]], list[str]]) -> None:
    content = "\n".join([*spoil(["id,label", *lines()]), ""])
    assert not same(content.encode(), expected())


@pytest.mark.parametrize("spelled", ["1.0", "True", "+1", "01"])
def test_other_spellings_are_read_with_care(spelled: str) -> None:
    rows = [row.replace(",1", f",{spelled}") for row in lines((0, 1))]
    assert not same("\n".join(["id,label", *rows]).encode(), expected((0, 1)))


def test_other_test_sets_are_read_with_care() -> None:
    usual = expected()
    targets = {Target("label", "labels"): TEXTS, Target("label", "scores"): TEXTS}
    for other in (
        replace(usual, ids=None),
        replace(usual, total=N + 1),
        replace(usual, keep_columns=True),
        replace(usual, targets=targets),
        replace(usual, ids=(*IDS[1:], "a\nb")),
        expected(("a", "longer than a word")),
    ):
        assert QuickReader.from_expected(other) is None


def test_ids_with_delimiters_are_read_with_care() -> None:
    for odd in ("a,b", "a b", "a\tb"):
        other = replace(expected(), ids=tuple(odd if one == "x3" else one for one in IDS))
        rows = [line.replace("x3,", f'"{odd}",') for line in lines()]
        content = "\n".join(["id,label", *rows]).encode()
        assert not same(content, other)
        assert with_care(content, other) is not None
    other = replace(
        expected((0, 1), "scores"), ids=tuple(one.replace("x3", "3;0.5") for one in IDS)
    )
    rows = [line.replace("x3", "3;0.5") for line in lines((1200, 1.2, 950))]
    assert same("\n".join(["id,label", *rows]).encode(), other)


CHANGES = [
    b"",
    b",",
    b"\n",
    b"a",
    b"x1",
    b'"',
    b'","',
    b'"\n"',
    b"\r\n",
    b" ",
    b"\0",
    b"1",
    b".",
    b"-",
]


@given(
    st.data(),
    st.sampled_from(
        [
            (["id,label", *lines()], expected()),
            ([*map(quoted, ["id,label", *lines()])], expected()),
            (["id,label", *lines((0.5, 1))], expected((), "numbers")),
            (["id,0,1", *(f"{row},0.5" for row in lines((0.5, 0.4999)))],
             expected((0, 1), "probabilities")),
        ]
    ),
)  # fmt: skip
def test_whatever_is_changed_nothing_is_read_differently(
    data: st.DataObject, usual: tuple[list[str], Expected]
) -> None:
    (header, *rows), asked = usual
    if data.draw(st.booleans()):
        rows = data.draw(st.permutations(rows))
    rows = [header, *rows]
    content = bytearray("\n".join([*rows, ""]).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 2))] = data.draw(st.sampled_from(CHANGES))
    same(bytes(content), asked)


def part_of(folder: Path, settings: str, labels: Sequence[str]) -> Part:
    """Return the part of reference data with these labels in turn, and years beside them."""
    ref = folder / "ref"
    ref.mkdir()
    rows = [f"{id},{labels[k % len(labels)]},{1900 + k}" for k, id in enumerate(IDS)]
    (ref / "gold.csv").write_text("\n".join(["id,label,year", *rows]))
    (ref / "scoring.yaml").write_text(settings)
    reference = find_reference(ref, loading.FILE_NAME)
    stated = loading.load(reference.settings)
    opened = parts.opened(reference.gold, None, stated)
    ((part,), _) = parts.read(reference.gold, opened, None, stated)
    return part


LABELS_ASKED = "metrics: [accuracy_score]\n"
SCORES_ASKED = "metrics: [roc_auc_score: {pos_label: yes}]\n"
SHARES_ASKED = "metrics: [log_loss]\n"
FROZEN = (
    "reference: {columns: {id: id, answer: label}, header: true}\n"
    "submissions: {columns: {id: id, prediction: score}, header: true, join: key}\n"
)
BY_CLASS_FROZEN = FROZEN.replace("score}", "{no: no, yes: yes}}")


@pytest.mark.parametrize(
    ("asked", "header", "cells", "quickly"),
    [
        (LABELS_ASKED, "id,label", ["no", "yes"], True),
        (LABELS_ASKED, "id,whatever", ["no", "yes"], True),
        (LABELS_ASKED, "id,year", ["no", "yes"], False),
        (LABELS_ASKED, ",label", ["no", "yes"], False),
        (SCORES_ASKED, "id,p", ["0.25", "1.5"], True),
        (SCORES_ASKED, "id,prob_no", ["0.25", "0.5"], False),
        (SCORES_ASKED, "id,yes,no", ["0.25,0.75", "0.5,0.5"], False),
        (SCORES_ASKED, "id,yes,no", ["0.25,0.7", "0.5,0.5"], False),
        (SCORES_ASKED, "id,p,year", ["0.25,1900", "0.5,1"], False),
        (SHARES_ASKED, "id,yes,no", ["0.25,0.75", "0.5,0.5"], True),
        (SCORES_ASKED + FROZEN, "ID,Score", ["0.25", "1.5"], True),
        (SCORES_ASKED + FROZEN, "id,p", ["0.25", "1.5"], False),
        (SCORES_ASKED + FROZEN, "id,score,p", ["0.25,1", "1.5,1"], False),
        (SHARES_ASKED + BY_CLASS_FROZEN, "id,yes,no", ["0.25,0.75", "0.5,0.5"], True),
        (SHARES_ASKED + BY_CLASS_FROZEN, "id,no,yes", ["0.25,0.75", "0.5,0.5"], True),
    ],
)
def test_the_reading_says_what_the_columns_of_a_plain_file_are(
    tmp_path: Path, asked: str, header: str, cells: list[str], quickly: bool
) -> None:
    part = part_of(tmp_path, asked, ["no", "yes"])
    content = "\n".join(
        [header, *(f"{id},{cells[k % len(cells)]}" for k, id in enumerate(reversed(IDS)))]
    ).encode()
    binder = part.binder
    plain_files = binder.plain_files(part.expected) if binder else None
    reader = QuickReader.from_expected(part.expected, plain_files)
    assert reader is not None
    usual = reader.read(content)
    assert (usual is not None) is quickly
    if usual is None:
        return
    table = read_table(content, "p.csv")
    careful = entry.align(table, "A", part.expected, part.labels, "", binder)
    ((_, predictions),) = careful.predictions.items()
    assert np.asarray(usual.predictions).dtype == predictions.dtype
    assert np.array_equal(np.asarray(usual.predictions), predictions)
    if binder is not None:
        assert careful.side is not None
        side = binder.side_of_plain_file("A", usual.header, usual.columns, part.expected)
        assert side.record() == careful.side.record()
    else:
        assert careful.side is None
