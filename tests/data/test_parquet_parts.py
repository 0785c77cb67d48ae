"""Folders of Parquet parts: workers read and count them, and the results are those of CSV files."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as deadheat
from scoring_program.core.arrays import Array, Ints
from scoring_program.core.bounds import Bounded, Cause, NoAnswer
from scoring_program.core.errors import SettingsError
from scoring_program.data import parquet_source, part_files
from scoring_program.data.part_files import LabelCounts, describe
from scoring_program.inference.comparing.comparisons import UnitInfluence
from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.metrics.registry import REGISTRY
from scoring_program.scoring.bind import bind
from scoring_program.scoring.diagnostics import Diagnostics
from scoring_program.settings import loading
from scoring_program.settings.checks import MetricSpec
from tests.competitions import Folder, write_csv
from tests.sweeps import swept

pa = pytest.importorskip("pyarrow", exc_type=ImportError)
parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)

METRICS = "metrics: [accuracy_score, {f1_score: {average: macro}}, matthews_corrcoef]\n"
TEAMS = ("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def processes() -> None:
    """Let workers be processes, as they are in a run."""


@pytest.fixture(autouse=True)
def _read_here(request: pytest.FixtureRequest) -> None:
    if "processes" not in request.fixturenames:
        request.getfixturevalue("reads_here")


def write_parts(folder: Path, columns: dict[str, Any], ends: Sequence[int]) -> None:
    """Write columns as parts that end before these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.table(columns)
    for number, (first, last) in enumerate(zip([0, *ends], [*ends, len(table)], strict=True)):
        parquet.write_table(table.slice(first, last - first), folder / f"part-{number}.parquet")


class Parts:
    """The same competition as CSV files and as folders of Parquet parts."""

    def __init__(self, root: Path, n: int, labels: Sequence[Any] = ("no", "yes")) -> None:
        rng = np.random.default_rng(3)
        self.n = n
        self.csv, self.parts = Folder(root / "csv"), Folder(root / "parts")
        self.ids = np.arange(10, 10 + n)
        self.gold = np.array(labels)[rng.integers(0, len(labels), n)]
        hard = rng.random(n)
        self.teams = {
            team: np.where(
                hard + 0.2 * rng.random(n) < 0.8 - 0.02 * place,
                self.gold,
                rng.permutation(self.gold),
            )
            for place, team in enumerate(TEAMS)
        }
        gold = {"id": self.ids.tolist(), "label": self.gold.tolist()}
        write_csv(self.csv.input / "ref" / "gold.csv", gold)
        self.write_gold(self.ids, self.gold)
        for place, (team, labels_of) in enumerate(self.teams.items()):
            order = rng.permutation(n) if place % 2 else np.arange(n)
            columns = {"id": self.ids[order].tolist(), "label": labels_of[order].tolist()}
            self.csv.team(team, columns)
            self.write_team(team, self.ids[order], labels_of[order])
        self.settings(METRICS)

    def write_gold(self, ids: Any, labels: Any) -> None:
        ends = [self.n // 3, self.n // 2]
        write_parts(self.parts.input / "ref" / "gold", {"id": ids, "label": labels}, ends)

    def write_team(self, team: str, ids: Any, labels: Any, ends: Sequence[int] = (25,)) -> None:
        write_parts(self.parts.input / "res" / team, {"id": ids, "label": labels}, ends)

    def settings(self, text: str) -> None:
        self.csv.settings(text)
        self.parts.settings(text + "format: parquet\n")

    def results(self, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the results of both, without what names the files, and how these were read."""
        for folder in (self.csv, self.parts):
            assert folder.run(*options) == 0
        both = (self.csv, self.parts)
        found = [json.loads((one.output / "results.json").read_text()) for one in both]
        for document in found:
            signature = document["signature"]
            for key in [key for key in signature if key.startswith("sha256")]:
                del signature[key]
            for of in (document, signature):
                del of["reading"]
            del document["settings"]["format"]
            document["notes"] = [n for n in document["notes"] if not n.startswith("Format: ")]
        return found[0], found[1]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("labels", swept([(["no", "yes"],), ([0, 1, 2],)]))
def test_the_results_are_those_of_csv_files(tmp_path: Path, labels: Sequence[Any]) -> None:
    of_csv, of_parts = Parts(tmp_path, 90, labels).results("--resamples", "300")
    assert of_parts == of_csv


@pytest.mark.parametrize("baselines", swept(["baselines: [Di]\n", ""]))
def test_counted_rows_give_the_same_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, baselines: str
) -> None:
    # From 20,000 rows on, CSV files are resampled by the counts of equal rows, too.
    monkeypatch.setattr(parquet_source, "_FEW_LABELS", 0)
    made = Parts(tmp_path, 21_000)
    made.settings(METRICS + baselines)
    of_csv, of_parts = made.results("--resamples", "300", "--workers", "2")
    assert of_parts == of_csv
    read, _ = parquet_source_of(made)
    assert len(read.parts[0].gold.positions) == len(read.parts[0].gold.sizes) < 100
    assert read.parts[0].gold.examples == 21_000


def test_an_audit_needs_single_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_source, "_FEW_LABELS", 0)
    made = Parts(tmp_path, 900)
    result = deadheat.score(made.parts.input, resamples=200)
    with pytest.raises(deadheat.OrganizerError, match="single examples are needed"):
        result.audit()


def parquet_source_of(made: Parts) -> Any:
    from scoring_program.data.source import read_input

    return read_input(made.parts.input, lambda settings: settings)


@pytest.mark.full
@pytest.mark.usefixtures("processes")
def test_the_number_of_workers_does_not_matter(tmp_path: Path) -> None:
    made = Parts(tmp_path, 60)
    assert made.parts.run("--resamples", "200", "--workers", "1") == 0
    expected = (made.parts.output / "scores.txt").read_bytes()
    assert made.parts.run("--resamples", "200", "--workers", "2") == 0
    assert (made.parts.output / "scores.txt").read_bytes() == expected


def test_one_folder_is_a_single_submission(tmp_path: Path) -> None:
    made = Parts(tmp_path, 60)
    for team in TEAMS[1:]:
        for path in (made.parts.input / "res" / team).iterdir():
            path.unlink()
        (made.parts.input / "res" / team).rmdir()
    assert made.parts.run("--resamples", "200") == 0
    right = float((made.teams["Ada"] == made.gold).mean())
    assert made.parts.scores()["accuracy_score"] == pytest.approx(right)


def shown(made: Parts, team: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run with a team that cannot be scored, and return what is said of it."""
    assert made.parts.run("--resamples", "200") == 0
    assert json.loads((made.parts.output / "results.json").read_text())["m"] == len(TEAMS) - 1
    message = capsys.readouterr().err
    assert f"Not scored: {team}: " in message
    assert "Traceback" not in message
    return message


@pytest.mark.usefixtures("processes")
def test_problems_of_a_submission_name_the_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    labels = made.teams["Bo"].astype(object)
    labels[7] = "maybe"
    made.write_team("Bo", made.ids, labels.astype(str))
    message = shown(made, "Bo", capsys)
    assert "Bo / part-0.parquet" in message
    assert "row 8" in message
    assert "'maybe'" in message


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([*range(59)], "id '69' has no row"),
        ([*range(60), 4], "id '14' was already on row 5"),
        ([*range(61)], "rows whose ids are not in the test set: 1; remove them"),
    ],
)
def test_ids_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[int], message: str
) -> None:
    made = Parts(tmp_path, 60)
    ids = np.arange(10, 71)[rows]
    made.write_team("Cy", ids, np.append(made.teams["Cy"], "no")[rows])
    assert message in shown(made, "Cy", capsys)


def test_other_ids_are_passed_over_in_submissions_that_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    made.settings(METRICS + "extra_ids: ignore\n")
    made.write_team("Cy", np.arange(10, 71), np.append(made.teams["Cy"], "no"))
    made.write_team("Bo", made.ids, ["maybe", *made.teams["Bo"][1:]])
    shown(made, "Bo", capsys)
    notes = json.loads((made.parts.output / "results.json").read_text())["notes"]
    assert "1 row whose id is not in the test set was passed over." in notes


def test_damaged_and_different_parts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    bad = made.parts.input / "res" / "Bo" / "part-1.parquet"
    content = bad.read_bytes()
    bad.write_bytes(content[:50])
    assert "a part is no Parquet file that can be read" in shown(made, "Bo", capsys)
    parquet.write_table(pa.table({"id": [1], "other": ["no"]}), bad)
    assert "the parts differ in their columns" in shown(made, "Bo", capsys)
    bad.unlink()
    (made.parts.input / "res" / "Bo" / "part-0.parquet").unlink()
    assert "the folder holds no rows in Parquet parts" in shown(made, "Bo", capsys)


def test_columns_that_cannot_be_read_are_the_problem_of_one_submission(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    made.write_team("Bo", made.ids, [[label] for label in made.gold.tolist()])
    assert "the ids or the labels are lists, objects" in shown(made, "Bo", capsys)
    path = made.parts.input / "res" / "Bo"
    (path / "part-1.parquet").unlink()
    twice = pa.table([made.ids, made.gold, made.gold], names=["id", "label", "label"])
    parquet.write_table(twice, path / "part-0.parquet")
    assert "several columns are called 'label'" in shown(made, "Bo", capsys)
    made.write_gold(made.ids, [[label] for label in made.gold.tolist()])
    assert made.parts.run() == 2
    assert "the ids or the labels are lists, objects" in capsys.readouterr().err
    made.write_gold([{"number": one} for one in made.ids.tolist()], made.gold)
    assert made.parts.run() == 2
    assert "the ids or the labels are lists, objects" in capsys.readouterr().err
    for path in (made.parts.input / "ref" / "gold").iterdir():
        parquet.write_table(pa.table({"id": pa.array([], "int64"), "label": []}), path)
    assert made.parts.run() == 2
    assert "the reference data hold no rows" in capsys.readouterr().err


def raw(made: Parts, team: str) -> Path:
    """Return the folder of a team that sent one part."""
    folder = made.parts.input / "res" / team
    (folder / "part-1.parquet").unlink()
    return folder


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_small_part_that_unpacks_to_gigabytes_is_one_submissions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Limits follow the test set, as of other files; the run goes on without the submission."""
    made = Parts(tmp_path, 60)
    for team in TEAMS[2:]:
        shutil.rmtree(made.parts.input / "res" / team)
    shutil.rmtree(made.parts.input / "ref" / "gold")
    write_parts(made.parts.input / "ref" / "gold", {"id": made.ids, "label": made.gold}, [])
    made.write_team("Cy", made.ids, made.teams["Cy"])
    numbers = pa.array(np.zeros(5000, np.int32))
    labels = pa.DictionaryArray.from_arrays(numbers, pa.array(["no" * 500_000]))
    table = pa.table({"id": np.arange(5000), "label": labels})
    bomb = raw(made, "Bo") / "part-0.parquet"
    parquet.write_table(table, bomb, compression="zstd", store_schema=False)
    assert bomb.stat().st_size < 100_000
    assert made.parts.run("--resamples", "200") == 0
    assert made.parts.scores()["n_teams"] == 2
    message = capsys.readouterr().err
    assert "Bo: takes more memory to read than the limit of" in message
    assert "which follows the size of the test set; send one prediction per example" in message


def test_links_devices_and_large_parts_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    folder = made.parts.input / "res" / "Bo"
    (folder / "part-2.parquet").symlink_to(made.parts.input / "ref" / "gold" / "part-0.parquet")
    message = shown(made, "Bo", capsys)
    assert "Bo / part-2.parquet: this is a symbolic link; send the file itself" in message
    (folder / "part-2.parquet").unlink()
    os.mkfifo(folder / "part-2.parquet")
    message = shown(made, "Bo", capsys)
    assert "Bo / part-2.parquet: this is neither a file nor a folder; send a file" in message
    (folder / "part-2.parquet").unlink()
    (folder / "part-2.parquet").write_bytes(b"\0" * 2_000_000)
    made.settings(METRICS + "largest_file: 1\n")
    assert "Bo: 2 MB, larger than the limit of 1 MB; send only" in shown(made, "Bo", capsys)
    made.settings(METRICS + "largest_upload: 1\n")
    assert "Bo: 2 MB, larger than the limit of 1 MB; send only" in shown(made, "Bo", capsys)
    made.settings(METRICS + "most_files: 2\n")
    assert "Bo: more than 2 files; send only the predictions" in shown(made, "Bo", capsys)
    shutil.move(folder, tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    made.settings(METRICS)
    assert "Bo: this is a symbolic link; send the file itself" in shown(made, "Bo", capsys)


def test_links_in_the_reference_data_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    gold = made.parts.input / "ref" / "gold"
    (gold / "part-9.parquet").symlink_to(gold / "part-0.parquet")
    assert made.parts.run() == 2
    assert "ref: part-9.parquet: this is a symbolic link" in capsys.readouterr().err


@pytest.mark.internal_error
@pytest.mark.parametrize("step", ["describe", "_codes"])
def test_any_error_makes_one_submission_unusable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    made = Parts(tmp_path, 60)
    usual = getattr(part_files, step)

    def fails(one: Any, *others: Any) -> Any:
        name = one if isinstance(one, str) else one.name
        if name == "Bo":
            raise RecursionError
        return usual(one, *others)

    for module in (part_files, parquet_source):
        if hasattr(module, step):
            monkeypatch.setattr(module, step, fails)
    assert "internal error" in shown(made, "Bo", capsys)


@pytest.mark.usefixtures("processes")
def test_a_time_budget_that_reading_exceeds_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    assert made.parts.run("--time-budget", "0.01") == 2
    message = capsys.readouterr().err
    assert "time_budget: 0.01 s were over before all submissions were read" in message


@pytest.mark.parametrize("extra", ["", "extra_ids: ignore\n"])
def test_submissions_that_are_read_one_by_one_give_the_same_results(
    tmp_path: Path, extra: str
) -> None:
    """So they are where a process that reads all of them gives no answer."""
    made = Parts(tmp_path, 60)
    made.settings(METRICS + extra)
    made.write_team("Cy", np.arange(10, 71), np.append(made.teams["Cy"], "no"))
    together: list[Any] = []

    def each(tasks: Sequence[Any], *, fails: bool) -> Iterator[Any]:
        for task in tasks:
            of_all = isinstance(task, Bounded) and "keeps_rows" in str(task.task)
            if fails and of_all and "count_part" in str(task.task):
                together.append(task)
                yield NoAnswer(Cause.MEMORY)
            else:
                yield task()

    loaded = loading.load(made.parts.input / "ref" / "scoring.yaml")
    found = [
        parquet_source.read_parts(made.parts.input, None, loaded, partial(each, fails=fails))
        for fails in (False, True)
    ]
    assert len(together) == 3
    usual, one_by_one = ([repr(vars(entry)) for entry in one.parts[0].entries] for one in found)
    assert usual == one_by_one
    assert [one.notes for one in found[:1]] == [one.notes for one in found[1:]]
    assert found[0].unusable == found[1].unusable


def test_categories_may_be_ids(tmp_path: Path) -> None:
    made = Parts(tmp_path, 60)
    ids = pa.array([f"{one}" for one in made.ids]).dictionary_encode()
    made.write_gold(ids, made.gold)
    made.write_team("Ada", ids, made.teams["Ada"])
    of_csv, of_parts = made.results()
    assert of_parts == of_csv


def test_every_submission_is_read_or_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    res = made.parts.input / "res"
    (res / "README.md").write_text("how to read this")
    assert made.parts.run() == 0
    parquet.write_table(pa.table({"id": made.ids, "label": made.gold}), res / "Eve.parquet")
    assert made.parts.run() == 1
    assert "no folders of Parquet parts: 'Eve.parquet'" in capsys.readouterr().err
    (res / "Eve.parquet").unlink()
    for name in ("\u00c9ve", "E\u0301ve"):
        made.write_team(name, made.ids, made.gold)
    assert made.parts.run() == 1
    assert "two folders are called '\u00c9ve'" in capsys.readouterr().err


def test_public_and_private_rows_are_not_scored_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    columns = {"id": made.ids, "label": made.gold, "Usage": ["Public", "Ignored"] * 30}
    write_parts(made.parts.input / "ref" / "gold", columns, [20, 30])
    assert made.parts.run() == 2
    assert "the column 'Usage' says which rows are public" in capsys.readouterr().err


def test_a_worker_without_pyarrow_is_no_damaged_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Parts(tmp_path, 60)
    path = made.parts.input / "res" / "Bo" / "part-0.parquet"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError, match="Parquet needs pyarrow on every worker"):
        describe("Bo", (str(path),))


def test_the_gold_has_sorted_unique_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Parts(tmp_path, 60)
    made.write_gold(made.ids[::-1] % 40, made.gold)
    assert made.parts.run() == 2
    assert "overlap; sort the reference data by id" in capsys.readouterr().err
    ids = made.ids.copy()
    ids[3] = ids[2]
    made.write_gold(ids, made.gold)
    assert made.parts.run() == 2
    assert "row 4: the id was already on another row" in capsys.readouterr().err
    made.write_gold(made.ids, [None, *made.gold[1:]])
    assert made.parts.run() == 2
    assert "row 1: column 'label' is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("group: doc\n", "group: format 'parquet' counts equal rows"),
        ("metrics: [mean_absolute_error]\n", "counts equal rows of labels"),
        ("metrics: [roc_auc_score]\n", "counts equal rows of labels"),
    ],
)
def test_what_needs_single_rows_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: str, message: str
) -> None:
    made = Parts(tmp_path, 60, (0, 1))
    made.settings(settings)
    assert made.parts.run() == 2
    assert message in capsys.readouterr().err


def test_columns_are_those_that_the_settings_state(tmp_path: Path) -> None:
    made = Parts(tmp_path, 60)
    assert made.parts.run("--resamples", "100") == 0
    before = (made.parts.output / "scores.txt").read_text()
    shutil.rmtree(made.parts.input)
    gold = {"note": made.gold, "key": made.ids, "klass": made.gold}
    write_parts(made.parts.input / "ref" / "gold", gold, [20])
    for team, labels in made.teams.items():
        columns = {"number": made.ids, "label": labels[::-1], "guess": labels}
        write_parts(made.parts.input / "res" / team, columns, [25])
    made.parts.settings(
        METRICS + "format: parquet\nreference: {columns: {id: key, answer: klass}}\n"
        "submissions: {columns: {id: 1, prediction: guess}}\n"
    )
    assert made.parts.run("--resamples", "100") == 0
    assert (made.parts.output / "scores.txt").read_text() == before
    results = json.loads((made.parts.output / "results.json").read_text())
    roles = results["reading"]["reference"]
    assert '"stated"' in json.dumps(roles)
    assert '"by name"' not in json.dumps(roles)


def test_a_stated_column_that_a_submission_lacks_makes_it_unusable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    made.parts.settings(METRICS + "format: parquet\nsubmissions: {columns: {prediction: guess}}\n")
    for team in ("Ada", "Bo"):
        sent = {"id": made.ids, "guess": made.teams[team]}
        write_parts(made.parts.input / "res" / team, sent, [25])
    assert made.parts.run("--resamples", "100") == 0
    assert "there is no column 'guess' among 'id', 'label'" in capsys.readouterr().err


def test_a_constant_column_is_not_read_where_another_may_be_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Parts(tmp_path, 60)
    columns = {"id": made.ids, "label": ["yes"] * 60, "guess": made.teams["Ada"]}
    write_parts(made.parts.input / "res" / "Ada", columns, [25])
    assert made.parts.run("--resamples", "100") == 0
    told = "column 'label' is constant, and 'guess' may hold the prediction"
    assert told in capsys.readouterr().err
    for name, cells in {"seconds": np.arange(60), "also": ["no"] * 60}.items():
        beside = {"id": made.ids, "label": ["yes"] * 60, name: cells}
        shutil.rmtree(made.parts.input / "res" / "Ada")
        write_parts(made.parts.input / "res" / "Ada", beside, [25])
        assert made.parts.run("--resamples", "100") == 0
        assert told not in capsys.readouterr().err


@pytest.mark.parametrize(
    "settings", ["reference: {skip_lines: 1}\n", "submissions: {columns: [id, label]}\n"]
)
def test_descriptions_of_texts_say_nothing_of_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: str
) -> None:
    made = Parts(tmp_path, 60)
    made.parts.settings(METRICS + "format: parquet\n" + settings)
    assert made.parts.run() == 2
    assert "format 'parquet' reads nothing of it but what columns hold" in capsys.readouterr().err


def test_codes_are_packed_into_words() -> None:
    rng = np.random.default_rng(0)
    columns: list[Array] = [rng.integers(0, 2, 500) + 3 * (k == 4) for k in range(40)]
    rows = LabelCounts.of_columns(columns, 5)
    assert rows.words.shape == (500, 2)
    for place, column in enumerate(columns):
        assert np.array_equal(rows.codes(place), column)
    first, counts = np.unique(np.array(columns[:3]), axis=1, return_counts=True)
    merged = LabelCounts.sum([rows.keep([0, 1, 2]).merged()] * 2)
    assert np.array_equal([merged.codes(place) for place in range(3)], first)
    assert np.array_equal(merged.counts, 2 * counts)


def several(metric: MetricSpec, sizes: Ints | None) -> Any:
    """Bind a metric to distinct rows with sizes, or to all the rows."""
    rng = np.random.default_rng(5)
    gold, *entries = rng.integers(0, 3, (4, 40))
    own = np.random.default_rng(6).integers(1, 9, 40)
    if sizes is None:
        gold, *entries = (np.repeat(column, own) for column in (gold, *entries))
    (bound,) = resolve([metric], None)
    return bind(bound, gold, entries, np.arange(3), sizes=None if sizes is None else own)


OF_LABELS = [
    MetricSpec(name, name, {"average": "macro"} if "average" in definition.defaults else {})
    for name, definition in REGISTRY.items()
    if definition.kind == "labels" and definition.evaluation == "sums" and definition.build
]


@pytest.mark.parametrize("metric", OF_LABELS, ids=lambda spec: spec.name)
def test_rows_with_sizes_count_as_often(metric: MetricSpec) -> None:
    counted, every = several(metric, np.ones(0, np.intp)), several(metric, None)
    sizes = counted.data.sizes
    assert counted.observed == pytest.approx(every.observed, abs=1e-15)
    ours, theirs = (Diagnostics.from_metric(each.metric, each.data) for each in (counted, every))
    assert np.array_equal(ours.disagreements, theirs.disagreements)
    assert (ours.minority, ours.averaged) == (theirs.minority, theirs.averaged)
    for one, other in ((ours.errors, theirs.errors), (ours.trials, theirs.trials)):
        assert np.array_equal(np.array(one), np.array(other))
    influence = counted.influence(None, 0)
    assert np.repeat(influence, sizes, axis=0) == pytest.approx(every.influence(None, 0), abs=1e-9)
    weighted = UnitInfluence(influence, of_rows=counted.data.grouping)
    whole = UnitInfluence(every.influence(None, 0))
    for of_weighted, of_whole in zip(weighted.tails, whole.tails, strict=True):
        assert of_weighted == pytest.approx(of_whole, abs=1e-6)
    assert np.array_equal(weighted.heavy_scores, whole.heavy_scores)


def test_rows_of_data_keep_their_sizes() -> None:
    data = Data(np.arange(3), (np.arange(3),), sizes=np.array([5, 1, 2]))
    assert (data.n, data.grouping.examples) == (3, 8)
    taken = data.take(np.array([2, 0]))
    assert taken.sizes is not None
    assert taken.sizes.tolist() == [2, 5]


@pytest.mark.usefixtures("processes")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_parts_are_read_on_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    monkeypatch.setattr(parquet_source, "_FEW_LABELS", 0)
    made = Parts(tmp_path, 900)
    assert made.parts.run("--resamples", "200") == 0
    expected = (made.parts.output / "scores.txt").read_bytes()
    assert made.parts.run("--resamples", "200", "--backend", "dask", "--workers", "2") == 0
    assert (made.parts.output / "scores.txt").read_bytes() == expected
