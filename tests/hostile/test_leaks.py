"""The leak guard: no byte that a run emits tells a gold label or a prediction."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.competitions import write_csv
from tests.hostile.trap import A, B, C, Trap, leaks
from tests.sweeps import thinned


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def test_the_guard_notices() -> None:
    assert leaks(f"line 3: found {A!r}") != []
    assert leaks("line 3: found 'a'") == []


def _field(trap: Trap) -> None:
    trap.several()
    trap.res.rename(trap.ref / "submissions")
    trap.submit({"id": trap.ids, "label": trap.teams["Two"]})


def _numbers_of_several(trap: Trap) -> None:
    trap.numeric().several()
    trap.settings("metrics: [mean_absolute_error, r2_score, median_absolute_error]\n")
    (trap.res / "predictions.csv").unlink()


def _wide(trap: Trap) -> None:
    trap.submit({"id": trap.ids, "y": trap.labels, **trap.teams})


def _kaggle(trap: Trap) -> None:
    trap.several()
    usage = ["Public", "Private", "Ignored"] * (len(trap.ids) // 3)
    (trap.ref / "gold.csv").unlink()
    write_csv(trap.ref / "solution.csv", {"id": trap.ids, "label": trap.labels, "Usage": usage})


def _tasks(trap: Trap) -> None:
    trap.several()
    write_csv(trap.ref / "second.csv", {"id": trap.ids, "label": trap.labels})
    for team, labels in trap.teams.items():
        (trap.res / team / "predictions.csv").unlink()
        for task in ("gold", "second"):
            write_csv(trap.res / team / f"{task}.csv", {"id": trap.ids, "label": labels})


def _own_metric(trap: Trap) -> None:
    trap.several()
    trap.settings("metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n")
    trap.put(
        "ref/my_metric.py",
        "import sys, warnings\n"
        f"print('{B}')\n"
        "def score(y_true, y_pred):\n"
        "    print(list(y_true), list(y_pred))\n"
        "    print(list(y_true), file=sys.stderr)\n"
        "    warnings.warn(str(list(y_true)))\n"
        "    return float((y_true == y_pred).mean())\n",
    )


def _one_broken(trap: Trap) -> None:
    trap.several()
    trap.team("Broken", {"id": trap.ids[1:], "label": ["zebra", *trap.teams["One"][2:]]})


def _with(settings: str) -> Callable[[Trap], object]:
    def prepare(trap: Trap) -> None:
        trap.several()
        trap.settings(settings)

    return prepare


def emitted(trap: Trap) -> str:
    """Return all that the last run wrote."""
    paths = sorted(path for path in trap.output.rglob("*") if path.is_file())
    return "\n".join(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in paths)


SUCCESSES: dict[str, Callable[[Trap], object]] = {
    "a single submission": Trap.single,
    "a single submission of numbers": Trap.numeric,
    "a submission in a field": _field,
    "several teams": Trap.several,
    "several teams and one that is broken": _one_broken,
    "several teams' numbers": _numbers_of_several,
    "a wide table": _wide,
    "Kaggle's usage": _kaggle,
    "two tasks": _tasks,
    "an organizer's metric that prints": _own_metric,
    "no settings": _with(""),
    "every average": _with(
        "metrics: [{f1_score: {average: macro}}, {precision_score: {average: weighted}}, "
        "{recall_score: {average: micro}}, balanced_accuracy_score, matthews_corrcoef, "
        "cohen_kappa_score]\n"
    ),
    "more tests": _with("metrics: [accuracy_score]\ntests: [randomization, mcnemar]\n"),
    "anonymous": _with("metrics: [accuracy_score]\nanonymize: true\n"),
    "Spanish": _with("metrics: [accuracy_score]\nlanguage: es\n"),
    "bca": _with("metrics: [accuracy_score]\ninterval: bca\n"),
}


@pytest.mark.parametrize("name", thinned(SUCCESSES, 2))
def test_no_gold_and_no_prediction_is_emitted(
    trap: Trap, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    SUCCESSES[name](trap)
    assert trap.run("--resamples", "100", "--workers", "1") == 0
    trap.check_outputs(0)
    trap.check_emitted(*capsys.readouterr())


def test_an_organizers_metric_prints_nothing_from_other_processes_either(
    trap: Trap, capfd: pytest.CaptureFixture[str]
) -> None:
    _own_metric(trap)
    assert trap.run("--resamples", "100", "--workers", "2") == 0
    trap.check_emitted(*capfd.readouterr())


def test_a_participant_reads_of_no_other_team(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even when a submission in the packed field is the one that cannot be scored."""
    _field(trap)
    code = (
        "class ParticipantVisibleError(Exception): ...\n"
        "def score(y_true, y_pred):\n"
        f"    if sorted(y_pred) == {sorted(trap.teams['Two'])!r}:\n"
        "        raise ParticipantVisibleError('too good')\n"
        "    return 1.0\n"
    )
    trap.settings("metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n")
    trap.put("ref/my_metric.py", code)
    assert trap.run("--resamples", "100") == 1
    message = capsys.readouterr().err
    assert "too good" in message
    assert not any(team in message for team in trap.teams)


_REFUSES = """
class ParticipantVisibleError(Exception): ...
def score(y_true, y_pred):
    if {condition}:
        raise ParticipantVisibleError("too good")
    return 1.0
"""


def _refusing(trap: Trap, condition: str) -> None:
    """Make it a field with a metric that refuses some predictions."""
    _field(trap)
    trap.settings("metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n")
    trap.put("ref/my_metric.py", _REFUSES.format(condition=condition))


def test_a_submission_of_the_field_that_a_metric_refuses_is_counted_only(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = f"sorted(y_true) == {sorted(trap.labels)!r}"
    _refusing(trap, f"{whole} and sorted(y_pred) == {sorted(trap.teams['One'])!r}")
    assert trap.run("--resamples", "100") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "of the packed field that cannot be scored were left out: 1." in out
    assert "too good" not in out + emitted(trap)
    assert trap.results()["m"] == 3
    assert trap.run("--resamples", "100", "--debug") == 0
    assert "ref/submissions: [One] metric 'own' on the whole" in capsys.readouterr().err
    assert "too good" not in emitted(trap)


def test_a_broken_submission_of_the_field_is_counted_only(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    _field(trap)
    path = trap.ref / "submissions" / "Wombat" / "predictions.csv"
    write_csv(path, {"id": trap.ids[1:], "label": ["zebra", *trap.teams["One"][2:]]})
    assert trap.run("--resamples", "100") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "of the packed field that cannot be scored were left out: 1." in out
    for trace in ("Wombat", "zebra"):
        assert trace not in out + emitted(trap)
    assert trap.run("--resamples", "100", "--debug") == 0
    message = capsys.readouterr().err
    assert "ref/submissions: [Wombat] Wombat/predictions.csv: 1 missing id" in message
    assert "'zebra'" in message


def test_notes_on_files_of_the_field_are_not_the_participants(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    _field(trap)
    assert trap.run("--resamples", "100") == 0
    before = capsys.readouterr().out
    path = trap.ref / "submissions" / "One" / "predictions.csv"
    path.write_text(path.read_text() + ",\n,\n")
    assert trap.run("--resamples", "100") == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if "sha256" not in line] == [
        line for line in before.splitlines() if "sha256" not in line
    ]
    path = trap.res / "predictions.csv"
    path.write_text(path.read_text() + ",\n,\n")
    assert trap.run("--resamples", "100") == 0
    assert "Rows of empty cells were left out.\n" in capsys.readouterr().out


def test_a_field_without_a_usable_submission(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    _field(trap)
    for path in (trap.ref / "submissions").glob("*/*"):
        path.write_text("id,label\n1,zebra\n")
    assert trap.run("--resamples", "100") == 2
    message = capsys.readouterr().err
    assert "ref/submissions: no submission in it can be scored" in message
    assert not any(trace in message for trace in (*trap.teams, "zebra"))
    assert trap.run("--resamples", "100", "--debug") == 2
    message = capsys.readouterr().err
    assert "[Three] Three/predictions.csv: 1 of 1 id is not in the test set" in message


def test_a_metric_that_fails_on_a_resample_names_no_rival(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [sorted(zip(trap.labels, own, strict=True)) for own in trap.teams.values()]
    _refusing(trap, f"sorted(zip(y_true.tolist(), y_pred.tolist())) not in {pairs!r}")
    assert trap.run("--resamples", "100") == 2
    message = capsys.readouterr().err
    assert "on resample 0 (another submission): too good" in message
    assert not any(team in message for team in trap.teams)


@pytest.mark.parametrize("key", ["baselines: [Tree]", "reference_entry: Tree"])
@pytest.mark.parametrize("form", ["field", "anonymous"])
def test_a_misspelt_name_tells_a_participant_no_other(
    trap: Trap, capsys: pytest.CaptureFixture[str], key: str, form: str
) -> None:
    trap.several()
    assert trap.run("--resamples", "100", f"--{key.replace('_', '-').replace(': ', '=')}") == 2
    assert "did you mean 'Three'?" in capsys.readouterr().err
    if form == "field":
        _field(trap)
    trap.settings(f"metrics: [accuracy_score]\n{key}\nanonymize: {str(form != 'field').lower()}\n")
    assert trap.run("--resamples", "100") == 2
    message = capsys.readouterr().err
    assert "there is no usable entry 'Tree'" in message
    assert "Three" not in message


def test_debug_shows_the_organizer_everything(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    trap.single()
    trap.settings("metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]")
    trap.put("ref/my_metric.py", f"def score(y_true, y_pred):\n    raise ValueError('{C}')\n")
    assert trap.run() == 2
    trap.check_emitted(*capsys.readouterr())
    assert trap.run("--debug") == 2
    message = capsys.readouterr().err
    assert "Traceback" in message
    assert C in message


def test_nothing_is_left_beside_an_organizers_metric(trap: Trap) -> None:
    _own_metric(trap)
    before = trap.everything()
    assert trap.run("--resamples", "100") == 0
    assert trap.everything() == before


def test_a_gold_without_header_keeps_its_first_row_to_itself(
    trap: Trap, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even where the label of the first row occurs nowhere else, as the name of a column would."""
    trap.single()
    rows = zip(trap.ids, [C, *([A, B] * len(trap.ids))], strict=False)
    trap.put("ref/gold.csv", "".join(f"{i},{label}\n" for i, label in rows))
    trap.submit({"id": trap.ids, "label": [A] * len(trap.ids)})
    assert trap.run("--resamples", "100") == 0
    assert trap.scores()["n_examples"] == len(trap.ids)
    assert trap.run("--resamples", "100", "--group", "author") == 2
    emitted = "".join(capsys.readouterr())
    assert C not in emitted


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("input/ref/gold.csv", "ref/gold.csv: Permission denied"),
        ("input/ref/submissions", "ref/submissions: Permission denied"),
        ("input/ref/scoring.yaml", "\nscoring.yaml: cannot be read: Permission denied"),
        ("input/res/bulk.zip", "bulk.zip (Permission denied): this is not a readable zip archive"),
        ("elsewhere.csv", "elsewhere.csv: Permission denied"),
    ],
)
def test_an_unreadable_file_is_called_by_its_name_below_the_input(
    trap: Trap,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    shown: str,
) -> None:
    """Participants may read the message: where the reference data lie is not for them."""
    trap.several()
    (trap.input / "ref" / "submissions").mkdir()
    (trap.input / "res" / "bulk.zip").write_bytes(b"")
    unreadable = trap.root / path

    def denying(function: Callable[..., object]) -> Callable[..., object]:
        def open_or_deny(file: object, *rest: object, **more: object) -> object:
            if file == unreadable or unreadable.parent == trap.root:
                raise PermissionError(13, "Permission denied", str(unreadable))
            return function(file, *rest, **more)

        return open_or_deny

    for name in ("read_bytes", "read_text", "open", "iterdir"):
        monkeypatch.setattr(Path, name, denying(getattr(Path, name)))
    monkeypatch.setattr("zipfile.ZipFile", denying(zipfile.ZipFile))
    trap.run("--strict", "--resamples", "100")
    message = capsys.readouterr().err
    assert shown in message
    assert str(trap.root) not in message
