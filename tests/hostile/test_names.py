"""Anonymous teams stay so: a name that stands anywhere in the input is nowhere in the output."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.competitions import write_csv
from tests.hostile.bad.makers import zipped
from tests.hostile.trap import Trap
from tests.sweeps import thinned

#: Occurs in every name that the organizer did not choose to show.
CANARY = "wombat"
#: What standard error says of an entry that cannot be scored, in all tasks or in one of them.
NOT_SCORED = re.compile(r"Not scored: Unusable \d+: |Not scored in \w+: Team \d+: ")


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _rows(trap: Trap, k: int) -> str:
    """Return predictions as a CSV file."""
    labels = list(trap.teams.values())[k % len(trap.teams)]
    return "id,label\n" + "".join(f"{i},{x}\n" for i, x in zip(trap.ids, labels, strict=True))


def _bulk(trap: Trap, folder: str = "res") -> None:
    """A platform's bulk download, with whatever can be wrong with what people upload."""
    members: dict[str, str | bytes] = {
        f"{k}_{CANARY}{k}_PhaseId3_2026-01-01_00-00_{CANARY}.zip": zipped(
            {f"{CANARY}/{CANARY}.csv": _rows(trap, k)}
        )
        for k in range(3)
    }
    good = zipped({f"{CANARY}.csv": _rows(trap, 1) * 20})
    for k, content in enumerate(
        [
            b"no zip",
            good[:-30],
            good.replace(b"zebra", b"horse", 1)[:60] + b"!" * 20 + good[80:],
            zipped({}),
            zipped({f"{CANARY}.doc": "x"}),
            zipped({f"../{CANARY}.csv": "x"}),
            zipped({f"{CANARY}.csv": _rows(trap, 1)[:-40]}),
            zipped({f"{CANARY}.csv": "zebra"}),
            zipped({f"{CANARY}.csv": b"\xff\xfe\x00"}),
            zipped({f"{CANARY}.json": "{"}),
            zipped({f"{CANARY}.npy": "{"}),
            zipped({f"{CANARY}.npz": "{"}),
            zipped({f"{CANARY}.zip": b"no zip"}),
            zipped({f"{CANARY}.zip": zipped({f"{CANARY}.zip": zipped({"a.zip": zipped({})})})}),
            zipped({f"{CANARY}.csv": bytes(30_000_000)}),
        ],
        10,
    ):
        name = f"{k}_{CANARY}_{k}_PhaseId3_2026-01-01_00-00_{CANARY}_predictions.zip"
        members[name] = content
    trap.put(f"{folder}/bulk_submissions.zip", zipped(members))


def _folders(trap: Trap) -> None:
    """Folders and files a team, several runs, broken ones, and files that are no data."""
    for k in range(3):
        trap.put(f"res/{CANARY}-{k}/{CANARY}_run{k}/{CANARY}.csv", _rows(trap, k))
        trap.put(f"res/{CANARY}-{k}/second/{CANARY}.csv", _rows(trap, k + 1))
        trap.put(f"res/le {CANARY} {k}.csv", _rows(trap, k))
    trap.put(f"res/x{CANARY}/{CANARY}.csv", "id,label\nx000,zebra\n")
    trap.put(f"res/y{CANARY}/{CANARY}.doc", "x")
    trap.put(f"res/{CANARY}.doc", "x")
    trap.put(f"res/of-{CANARY}.doc", "x")
    trap.put(f"res/w{CANARY}x.zip", b"no zip")
    (trap.res / f"z{CANARY}").mkdir()
    (trap.res / f"{CANARY}-link").symlink_to(trap.ref / "gold.csv")


def _last_runs(trap: Trap) -> None:
    _folders(trap)
    for path in trap.res.glob("*/second"):
        path.rename(path.with_name(f"{CANARY}_run9"))
    trap.settings("metrics: [accuracy_score]\nruns: last\n")


def _best_runs(trap: Trap) -> None:
    _folders(trap)
    trap.settings("metrics: [accuracy_score]\nruns: best\n")


def _pattern(trap: Trap) -> None:
    for k in range(3):
        trap.put(f"res/{CANARY}{k}_run1.csv", _rows(trap, k))
        trap.put(f"res/{CANARY}{k}.csv", _rows(trap, k))
    trap.settings("metrics: [accuracy_score]\nname_pattern: '{team}_run{run}'\n")


#: What may be done about scores that are missing.
POLICIES = ("error", "worst", "drop_unit")


def _wide(trap: Trap) -> None:
    teams = {f"{CANARY} {team}": labels for team, labels in trap.teams.items()}
    broken = {f"{CANARY}!": ["zebra", *trap.labels[1:]], f"{CANARY}?": ["", *trap.labels[1:]]}
    trap.submit({"id": trap.ids, "y": trap.labels, **teams, **broken})
    (trap.res / "predictions.csv").rename(trap.res / "table.csv")


def _scores(trap: Trap, missing: str) -> dict[str, list[object]]:
    """Return the scores of systems, of which two lack some and two have texts; there is no gold."""
    (trap.ref / "gold.csv").unlink()
    trap.settings(
        "metrics: [{name: dice, function: mean_score, greater_is_better: true}]\n"
        f"missing: {missing}\n"
    )
    systems: dict[str, list[object]] = {
        f"{CANARY} {k}": [k + i / 7 for i in range(len(trap.ids))] for k in range(5)
    }
    for k, cell in (("!", "zebra"), ("?", "1e400")):
        systems[f"{CANARY}{k}"] = [cell, *systems[f"{CANARY} 0"][1:]]
    systems[f"{CANARY} 1"][3] = systems[f"{CANARY} 2"][5] = ""
    return systems


def _score_columns(missing: str) -> Callable[[Trap], None]:
    return lambda trap: write_csv(
        trap.res / "table.csv", {"case": trap.ids, **_scores(trap, missing)}
    )


def _score_lines(missing: str) -> Callable[[Trap], None]:
    def prepare(trap: Trap) -> None:
        found = [
            (case, system, score)
            for system, scores in _scores(trap, missing).items()
            for case, score in zip(trap.ids, scores, strict=True)
        ]
        columns = zip(*found, strict=True)
        names = ("case", "team", "dice")
        write_csv(trap.res / "long.csv", dict(zip(names, map(list, columns), strict=True)))

    return prepare


def _field(trap: Trap) -> None:
    _bulk(trap, "ref/submissions")
    trap.submit({"id": trap.ids, "label": trap.labels})


def _metric(code: str) -> Callable[[Trap], None]:
    """Return a competition whose metric fails for some."""

    def prepare(trap: Trap) -> None:
        _folders(trap)
        trap.settings(
            "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"
        )
        trap.put("ref/my_metric.py", f"def score(y_true, y_pred):\n{code}\n    return 0.5\n")

    return prepare


def _tasks(trap: Trap) -> None:
    write_csv(trap.ref / "second.csv", {"id": trap.ids, "label": trap.labels})
    for k in range(3):
        for task in ("gold", "second"):
            trap.put(f"res/{CANARY}{k}/{task}.csv", _rows(trap, k))
    trap.put(f"res/{CANARY}-one/gold.csv", _rows(trap, 0))
    trap.put(f"res/{CANARY}-none/third.csv", _rows(trap, 0))


def _baselines(trap: Trap) -> None:
    """What the organizer names in the settings keeps its name; the others do not."""
    _folders(trap)
    trap.put("res/Majority.csv", _rows(trap, 0))
    trap.settings(
        "metrics: [accuracy_score, f1_score: {average: macro}]\nbaselines: [Majority]\n"
        "reference_entry: Majority\n"
    )


CASES: dict[str, tuple[Callable[[Trap], object], int]] = {
    "a bulk download": (_bulk, 0),
    "folders": (_folders, 0),
    "the last runs": (_last_runs, 0),
    "the best runs": (_best_runs, 0),
    "a pattern": (_pattern, 0),
    "a wide table": (_wide, 1),  # beside a gold, it is a submission that holds a copy of it
    **{f"scores in columns, {policy}": (_score_columns(policy), 0) for policy in POLICIES},
    **{f"scores in lines, {policy}": (_score_lines(policy), 0) for policy in POLICIES},
    "a field": (_field, 0),
    "tasks": (_tasks, 0),
    "baselines": (_baselines, 0),
    "all of them unusable": (lambda trap: trap.put(f"res/{CANARY}/{CANARY}.doc", "x"), 1),
    "one of them usable": (
        lambda trap: [
            trap.put(f"res/{CANARY}{k}.csv", text) for k, text in enumerate([_rows(trap, 0), "x"])
        ],
        1,
    ),
    "strict": (lambda trap: (_folders(trap), trap.settings("strict: true\n")), 1),
    "a misspelt baseline": (
        lambda trap: (_folders(trap), trap.settings("baselines: [wombatt]\n")),
        2,
    ),
    "a misspelt reference": (
        lambda trap: (_folders(trap), trap.settings("reference_entry: ombat-1/second\n")),
        2,
    ),
    "a metric that fails": (_metric("    raise ValueError(y_pred)"), 2),
    "a metric that fails now and then": (_metric("    if len(set(y_pred)) < 3: 1 / 0"), 0),
    "a score out of all proportion": (_metric("    return 1e300"), 1),
}


@pytest.mark.parametrize("name", thinned(CASES))
def test_no_name_is_emitted(trap: Trap, capfd: pytest.CaptureFixture[str], name: str) -> None:
    prepare, status = CASES[name]
    write_csv(trap.ref / "gold.csv", {"id": trap.ids, "label": trap.labels})
    trap.settings("metrics: [accuracy_score]\n")
    prepare(trap)
    assert trap.run("--anonymize", "--resamples", "100", "--workers", "2") == status
    out, err = capfd.readouterr()
    emitted = out + err
    for path in trap.output.rglob("*"):
        emitted += str(path.relative_to(trap.output))
        emitted += "" if path.is_dir() else path.read_text(encoding="utf-8")
    emitted = emitted.replace(f"there is no usable entry '{CANARY}t'", "")  # the organizer's words
    assert [line for line in emitted.casefold().splitlines() if CANARY in line] == []
    errors = [line for line in err.splitlines() if not NOT_SCORED.match(line)]
    assert (status == 0) == (errors == [])
    assert trap.run("--resamples", "100") in (status, 0)


def test_reasons_and_counts_stay(trap: Trap, capsys: pytest.CaptureFixture[str]) -> None:
    trap.several()
    _folders(trap)
    assert trap.run("--anonymize", "--resamples", "100") == 0
    assert "Not read as predictions: 2." in capsys.readouterr().out
    reasons = {item["entry"]: item["reason"] for item in trap.results()["unusable"]}
    assert list(reasons) == [f"Unusable {k}" for k in range(1, 6)]
    told = "\n".join(reasons.values())
    for reason in (
        "this is not a readable zip archive; pack it again",
        "predictions.csv: 29 missing ids",
        "1 unknown label",
        "this is a symbolic link; send the file itself",
        "the folder holds no data; add the predictions file",
        "expected one of .csv",
    ):
        assert reason in told


def test_no_teams_name_is_a_link_or_a_mention_in_markdown(trap: Trap) -> None:
    """Organizers paste the tables into issues and pages, whose sites make links of bare text."""
    names = ("@somebody", "#123", "www.evil.example", "<img src=x>", "[x](y)", "a@b.example")
    for k, name in enumerate(names):
        trap.put(f"res/{name}.csv", _rows(trap, k))
    trap.settings("metrics: [accuracy_score]\n")
    write_csv(trap.ref / "gold.csv", {"id": trap.ids, "label": trap.labels})
    assert trap.run("--resamples", "100") == 0
    written = "\n".join(path.read_text() for path in (trap.output / "tables").glob("*.md"))
    assert "@<!-- -->somebody" in written
    live = r"@somebody|\\?#123|www\.evil|<img|(?<!\\)\[|a@b"
    assert re.findall(live, written) == []
