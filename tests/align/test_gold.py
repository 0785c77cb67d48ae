"""The reference data: columns recognised, defects named with file and line."""

from __future__ import annotations

import pytest

from scoring_program.align.gold import (
    gold_labels,
    gold_numbers,
    label_set,
    read_gold,
    target_column,
)
from scoring_program.errors import OrganizerError, ReferenceDataError, SettingsError
from scoring_program.settings import Settings, update

DEFAULTS = Settings()


def read(text: str, **values: object):  # type: ignore[no-untyped-def]
    return read_gold(text.encode(), "gold.csv", update(DEFAULTS, values, {}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("id,label\n", "line 1: a header but no examples"),
        ("id,label\nt1,a\nt1,b\n", "line 3: the id was already on line 2"),
        ("id,label\n,a\n", "line 2: the id is empty"),
        ("id,label\nt1,a,b\n", "line 2: 3 cells where 2 columns"),
        ("id,\nt1,a\n", "line 1: a column without a name"),
        ("id,label,label\nt1,a,b\n", "line 1: two columns are called 'label'"),
        ("1,2,3\n", "3 columns without names"),
        ("id,label,Usage\nt1,a,Ignored\n", "every row is ignored"),
        ("id,label\nt1,a\0\n", "line 2: a NUL character"),
    ],
)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(ReferenceDataError, match=message):
        read(text)


@pytest.mark.parametrize("key", ["id_column", "group", "stratify"])
def test_column_of_the_settings_that_does_not_exist(key: str) -> None:
    with pytest.raises(SettingsError, match=f"{key}: gold.csv has no column 'labl'; did you mean"):
        read("id,label\nt1,a\n", **{key: "labl"})


def test_roles_of_columns() -> None:
    gold = read("doc,row_id,label,part\nd1,t2,b,x\nd1,t1,a,y\n", group="doc", stratify="part")
    assert (gold.id_column, gold.ids, gold.targets) == ("row_id", ("t1", "t2"), ("label",))
    assert gold.columns["doc"] == ["d1", "d1"]
    assert gold.positions == [1, 0]
    assert list(gold.places) == ["line 3", "line 2"]


def test_known_names_come_first_among_targets() -> None:
    assert read("id,stance,label\nt1,f,a\n").targets == ("label", "stance")


def test_target_must_be_named_where_it_cannot_be_told() -> None:
    gold = read("id,stance,mood\nt1,f,a\n")
    with pytest.raises(SettingsError, match=r"several columns \(stance, mood\)"):
        target_column(gold, None, "metric")
    with pytest.raises(SettingsError, match="no target column 'moot'; did you mean 'mood'"):
        target_column(gold, "moot", "metric")
    with pytest.raises(ReferenceDataError, match="no column with labels beside the ids"):
        target_column(read("id\nt1\n"), None, "metric")


def test_labels_are_integers_if_all_are() -> None:
    assert gold_labels(read("id,label\na,1\nb,2\n"), "label", DEFAULTS).dtype.kind == "i"
    assert gold_labels(read("id,label\na,1\nb,x\n"), "label", DEFAULTS).dtype.kind == "U"
    texts = update(DEFAULTS, {"labels": ["1", "2"]}, {})
    assert gold_labels(read("id,label\na,1\nb,2\n"), "label", texts).dtype.kind == "U"


def test_gold_cells_that_cannot_be_used() -> None:
    gold = read("id,label\na,1\nb,\n")
    with pytest.raises(ReferenceDataError, match="line 3: column 'label' is empty"):
        gold_labels(gold, "label", DEFAULTS)
    with pytest.raises(ReferenceDataError, match="line 3: column 'label' does not hold") as caught:
        gold_numbers(gold, "label")
    assert isinstance(caught.value, OrganizerError)


def test_listed_labels_must_cover_the_gold() -> None:
    gold = read("id,label\na,x\nb,y\n")
    values = gold_labels(gold, "label", DEFAULTS)
    assert label_set(values, DEFAULTS, "gold.csv") == ("x", "y")
    wider = update(DEFAULTS, {"labels": ["z", "y", "x"]}, {})
    assert label_set(values, wider, "gold.csv") == ("x", "y", "z")
    with pytest.raises(SettingsError, match="a label that is not listed") as caught:
        label_set(values, update(DEFAULTS, {"labels": ["x", "z"]}, {}), "gold.csv")
    assert "'y'" not in str(caught.value)


def test_one_hot_matrix_is_one_column_of_labels() -> None:
    gold = read_gold(b"0 1 0\n1 0 0\n0 0 1\n", "task.solution", DEFAULTS)
    assert list(zip(gold.columns["label"], gold.positions, strict=True)) == [
        ("0", 1),
        ("1", 0),
        ("2", 2),
    ]
    several = read_gold(b"0 1\n1 1\n", "task.solution", DEFAULTS)
    assert several.targets == ("0", "1")
