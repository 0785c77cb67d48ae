"""Parquet, Arrow and Feather files, and files packed by gzip, are read as the CSV would be."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from scoring_program.bundle import kit, program
from scoring_program.bundle.build import flat
from scoring_program.commands import check
from scoring_program.core.errors import OrganizerError, ReferenceDataError, SubmissionError
from scoring_program.data.source import read_input
from scoring_program.reading import limits
from scoring_program.reading.formats import kind_of, read_examples, read_table
from tests.hostile.kinds import KINDS
from tests.reading.variants import ACCURACY, GOLD, IDS, TEAMS, Rows, case, rows_of, table

# An older NumPy than pyarrow wants is an ImportError, too.
pa, parquet, feather = (
    pytest.importorskip(f"pyarrow{module}", exc_type=ImportError)
    for module in ("", ".parquet", ".feather")
)


def as_parquet(made: Any) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(made, stream)
    return stream.getvalue()


def as_feather(made: Any) -> bytes:
    stream = io.BytesIO()
    feather.write_feather(made, stream)
    return stream.getvalue()


def as_stream(made: Any) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, made.schema) as writer:
        writer.write_table(made)
    return stream.getvalue()


def frame(rows: Rows) -> Any:
    ids, labels = zip(*rows, strict=True)
    return pa.table({"id": ids, "label": pa.array(labels).dictionary_encode()})


@pytest.mark.parametrize("zone", ["UTC", "Europe/Madrid", "-03:00"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_with_a_time_zone_are_read_as_python_writes_them(zone: str, unit: str) -> None:
    times = [1_782_907_445_000_000, 1_782_907_445_500_000, None]
    column = pa.array(times, pa.timestamp("us")).cast(pa.timestamp(unit), safe=False)
    made = pa.table({"id": column.cast(pa.timestamp(unit, zone)), "label": ["a", "b", "c"]})
    read = read_table(as_parquet(made), "p.parquet").columns[0]
    if unit == "ns":  # pyarrow gives pandas' times, if it is there
        column = column.cast(pa.timestamp("us"))
    stated = column.cast(pa.timestamp("s" if unit == "s" else "us", zone)).to_pylist()
    assert read == ["" if time is None else str(time) for time in stated]


FORMS: dict[str, Callable[[Rows], bytes]] = {
    ".parquet": lambda rows: as_parquet(frame(rows)),
    ".feather": lambda rows: as_feather(frame(rows)),
    ".arrow": lambda rows: as_stream(frame(rows)),
    ".csv.gz": lambda rows: gzip.compress(table(rows)),
    ".parquet.gz": lambda rows: gzip.compress(as_parquet(frame(rows))),
}
MIXED = pa.table(
    {
        "whole": [1, None, 3],
        "share": [0.1, float("nan"), 2.0],
        "flag": [True, None, False],
        "name": [" a", "e\u0301", None],
        "bytes": [b"x", None, b"y"],
        "kind": pa.array(["u", None, "u"]).dictionary_encode(),
        "large": pa.array(["u", "v", None], pa.large_string()),
        "nothing": pa.nulls(3),
    }
)


@pytest.mark.parametrize("form", FORMS)
def test_gold_and_submissions_score_as_their_csv(
    tmp_path: Path, form: str, request: pytest.FixtureRequest
) -> None:
    if form != ".parquet":  # one form is read by other processes, as in a run
        request.getfixturevalue("reads_here")
    found = []
    for extension, writer in ((".csv", table), (form, FORMS[form])):
        res = {f"{team}{extension}": writer(rows_of(sent)) for team, sent in TEAMS.items()}
        gold = {f"gold{extension}": writer(rows_of(GOLD))}
        folder = case(res, gold=gold).write(tmp_path / extension)
        competition, _ = read_input(folder, lambda settings: settings)
        assert competition.names == tuple(sorted(TEAMS))
        (part,) = competition.parts
        found.append([entry.predictions for entry in part.entries])
    usual, own = found
    assert [*map(str, usual)] == [*map(str, own)]


@pytest.mark.parametrize("write", [as_parquet, as_feather, as_stream])
def test_cells_are_those_of_the_csv(write: Callable[[Any], bytes]) -> None:
    read = read_table(write(MIXED), "p.arrow")
    assert read.header == tuple(MIXED.column_names)
    assert [list(column) for column in read.columns] == [
        ["1", "", "3"],
        ["0.1", "", "2.0"],
        ["True", "", "False"],
        ["a", "\u00e9", ""],
        ["x", "", "y"],
        ["u", "", "u"],
        ["u", "v", ""],
        ["", "", ""],
    ]
    assert read.place(1) == "row 2"


def test_a_null_is_an_empty_cell_and_refused(tmp_path: Path) -> None:
    made = pa.table({"id": IDS, "label": [None, *GOLD[1:]]})
    folder = case({"p.parquet": as_parquet(made)}, settings=f"{ACCURACY}layout: single\n")
    with pytest.raises(SubmissionError, match=r"p\.parquet: 1 empty value\n  - row 1: found ''"):
        read_input(folder.write(tmp_path), lambda settings: settings)


def _many(rows: int) -> bytes:
    return as_parquet(pa.table({"id": pa.array([1]).take(pa.array([0] * rows)), "x": [0] * rows}))


_WHOLE = as_parquet(frame(rows_of(GOLD)))
_FEATHER = as_feather(frame(rows_of(GOLD)))
_UNREADABLE = "not a readable Parquet, Arrow or Feather file; write it again, or save it as CSV"
BROKEN: dict[str, tuple[str, bytes, str]] = {
    "half a Parquet file": ("p.parquet", _WHOLE[:-20], _UNREADABLE),
    "a changed Parquet file": (
        "p.parquet", _WHOLE[:40] + bytes(40) + _WHOLE[80:], _UNREADABLE
    ),
    "half a Feather file": ("p.feather", _FEATHER[:-20], _UNREADABLE),
    "half a stream": ("p.arrow", as_stream(frame(rows_of(GOLD)))[:-200], _UNREADABLE),
    "CSV called .parquet": ("p.parquet", table(rows_of(GOLD)), _UNREADABLE),
    "Parquet called .csv": ("p.csv", _WHOLE, "the content is a Parquet file; call it .parquet"),
    "Arrow called .csv": ("p.csv", _FEATHER, "the content is an Arrow file; call it .arrow"),
    "the first Feather": ("p.feather", b"FEA1", "an old Feather file; save the predictions as CSV"),
    "no rows": ("p.parquet", as_parquet(frame(rows_of(GOLD)).slice(0, 0)), "the file is empty"),
    "no columns": ("p.arrow", as_feather(pa.table({})), "the file is empty"),
    "lists": ("p.parquet", as_parquet(pa.table({"id": ["a"], "label": [["x"]]})), "JSON Lines"),
    "one name twice": (
        "p.arrow",
        as_feather(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["x", "x"])),
        "several columns have one name; rename them",
    ),
    "bytes that are no text": (
        "p.parquet", as_parquet(pa.table({"id": [b"\xff"], "label": ["a"]})), _UNREADABLE
    ),
    "half a gzip": ("p.csv.gz", gzip.compress(table(rows_of(GOLD)))[:-9], "pack it again"),
    "a changed gzip": (
        "p.csv.gz", gzip.compress(table(rows_of(GOLD)))[:-6] + bytes(6), "pack it again"
    ),
}  # fmt: skip


@pytest.mark.usefixtures("reads_here")
@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_named_with_the_remedy(tmp_path: Path, name: str) -> None:
    file, content, message = BROKEN[name]
    for sent, error in (
        (case({file: content}, settings=f"{ACCURACY}layout: single\n"), SubmissionError),
        (case({"p.csv": table(rows_of(GOLD))}, gold={file: content}), ReferenceDataError),
    ):
        folder = sent.write(tmp_path / error.__name__)
        with pytest.raises(error) as caught:
            read_input(folder, lambda settings: settings)
        assert file in str(caught.value)
        assert message in str(caught.value)
        assert "rrow" not in str(caught.value).replace("Arrow or Feather", "").replace(
            "an Arrow file; call it .arrow", ""
        ).replace("p.arrow", "")


def test_rows_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal rows take nearly no space: the footer says how many they are."""
    content = as_parquet(pa.table({"id": pa.nulls(2**25, pa.int8())}))
    assert len(content) < 2**20

    def never(*arguments: object, **options: object) -> Sequence[object]:
        raise AssertionError("a row was read")

    monkeypatch.setattr("scoring_program.reading.formats.arrow_files._cells", never)
    for file, data in (
        ("p.parquet", content),
        ("p.arrow", as_stream(pa.table({"id": pa.nulls(2**25)}))),
    ):
        with pytest.raises(SubmissionError, match=f"{file}: the file has more than 25000000 cells"):
            read_table(data, file)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_bomb_of_one_long_text_harms_nobody_else(tmp_path: Path) -> None:
    """A dictionary holds the text once, and every row of 64 GB refers to it."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 2**16), ["x" * 2**20])
    stream = io.BytesIO()
    parquet.write_table(pa.table({"id": texts, "label": texts}), stream, store_schema=False)
    assert len(stream.getvalue()) < 2**20
    folder = case({"A.parquet": stream.getvalue(), "B.csv": table(rows_of(GOLD))}).write(tmp_path)
    competition, _ = read_input(folder, lambda settings: settings)
    assert competition.names == ("B",)
    (unusable,) = competition.unusable
    assert "A.parquet: takes more memory to read than the limit of" in str(unusable.reason)


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    bomb = gzip.compress(b"id,label\n" + bytes(3 * 10**7), 9)
    folder = case({"A.csv.gz": bomb, "B.csv": table(rows_of(GOLD))}).write(tmp_path)
    competition, _ = read_input(folder, lambda settings: settings)
    assert competition.names == ("B",)
    (unusable,) = competition.unusable
    assert str(unusable.reason) == (
        "A.csv.gz: unpacks to more than the limit of 5 MB; send only the predictions"
    )
    assert limits.DEFAULT.most_unpacked(1) == 200 * 2**16


def test_a_file_is_unpacked_once_so_that_a_bomb_within_meets_no_other_limit(tmp_path: Path) -> None:
    twice = gzip.compress(gzip.compress(table(rows_of(GOLD))))
    folder = case({"A.csv.gz": twice, "B.csv": table(rows_of(GOLD))}).write(tmp_path)
    competition, _ = read_input(folder, lambda settings: settings)
    (unusable,) = competition.unusable
    assert "A.csv.gz: the content is a gzip archive" in str(unusable.reason)


def test_what_a_browser_has_unpacked_is_read() -> None:
    assert read_table(b"id,label\na,b\n", "p.csv.gz").columns == [["id", "a"], ["label", "b"]]


@pytest.mark.parametrize("kind", KINDS)
def test_gzip_of_every_kind_of_data(kind: str) -> None:
    (name, gold), text = KINDS[kind].gold, KINDS[kind].good
    packed = gzip.compress(gold.encode())
    found = kind_of(packed, f"{name}.gz")
    assert found == kind_of(gold.encode(), name)
    sent = gzip.compress(text.encode()), f"{KINDS[kind].file}.GZ"
    usual = read_examples(text.encode(), KINDS[kind].file, found)
    assert read_examples(*sent, found).columns == usual.columns


def test_texts_are_no_table_of_pyarrow() -> None:
    with pytest.raises(
        SubmissionError, match=r"p\.parquet: Parquet, .* only labels and numbers; save"
    ):
        read_examples(_WHOLE, "p.parquet", "text")


def test_without_pyarrow_the_message_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SubmissionError, match=r'or install it: pip install "\.\[arrow\]"'):
        read_table(_WHOLE, "p.parquet")


def test_the_kit_and_the_platform_ask_for_csv(tmp_path: Path) -> None:
    """Also where the participant has pyarrow: the platform has not."""
    assert not any("arrow_files" in name for name in (*kit.modules(), *program_files()))
    (tmp_path / "check.pyz").write_bytes(kit.checker())
    (tmp_path / "p.parquet").write_bytes(_WHOLE)
    (tmp_path / "ids.csv").write_text("\n".join(["id", *IDS]))
    command = ["check.pyz", "p.parquet", "--ids", "ids.csv"]
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "p.parquet: Parquet, Arrow and Feather files cannot be read here; save" in done.stderr


def program_files() -> list[str]:
    package = Path(program.__file__).parents[1]
    inside = (path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    return [name for name in inside if not program._ORGANIZER_ONLY.match(name)]


def test_check_reads_them_where_pyarrow_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ids.csv").write_text("\n".join(["id", *IDS]))
    for form, writer in FORMS.items():
        path = tmp_path / f"p{form}"
        path.write_bytes(writer(rows_of(GOLD)))
        assert check.main([str(path), "--ids", str(tmp_path / "ids.csv")]) == 0
        assert f"p{form}: the file can be scored" in capsys.readouterr().out


def test_a_bundle_holds_csv(tmp_path: Path) -> None:
    (tmp_path / "gold.parquet").write_bytes(as_parquet(MIXED))
    (tmp_path / "other.csv.gz").write_bytes(b"")
    packed = flat(tmp_path)
    assert packed.keys() == {"gold.csv", "other.csv.gz"}
    header, *rows = csv.reader(io.StringIO(packed["gold.csv"].decode()))
    assert header == MIXED.column_names
    assert rows[0] == ["1", "0.1", "True", "a", "x", "u", "u", ""]
    (tmp_path / "gold.csv").write_bytes(b"id\n")
    with pytest.raises(OrganizerError, match=r"gold\.parquet is packed as CSV, and gold\.csv"):
        flat(tmp_path)
    (tmp_path / "gold.csv").unlink()
    (tmp_path / "gold.feather").write_bytes(as_feather(MIXED))  # packed before, in order of names
    with pytest.raises(OrganizerError, match=r"gold\.parquet is packed as CSV, and gold\.csv"):
        flat(tmp_path)
    (tmp_path / "gold.feather").unlink()
    (tmp_path / "gold.parquet").write_bytes(_WHOLE[:-9])
    with pytest.raises(OrganizerError, match=r"gold\.parquet: .*write it again"):
        flat(tmp_path)
