"""What a participant learns who may see the scores only: nothing that a score would not tell."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.competitions import Folder, write_csv

SEED = 0x8C4F_19D2_77AB_03E5_55D0_41B9_2A6E_F310


@pytest.fixture
def field(folder: Folder) -> Folder:
    """A submission in a field of three, of which its author may see the scores only."""
    metric = "{f1_score: {average: macro}}"
    folder.write(f"metrics: [{metric}]\nparticipants: score\nseed: {SEED}\n")
    (folder.input / "res").rename(folder.input / "ref" / "submissions")
    return submitted(folder, folder.teams["Two"])


def submitted(folder: Folder, labels: list[str]) -> Folder:
    write_csv(folder.input / "res" / "predictions.csv", {"id": folder.ids, "label": labels})
    return folder


def seen(folder: Folder, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Run the program; return everything that it printed and wrote, with the files' names."""
    assert folder.run("--resamples", "200", *options) == 0
    printed = "".join(capsys.readouterr())
    paths = sorted(path for path in folder.output.rglob("*") if path.is_file())
    return "\n".join([printed, *(f"{path.name}\n{path.read_text()}" for path in paths)])


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_no_seed_no_hash_and_no_rival_is_shown(
    field: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    text = seen(field, capsys, "--verbose")
    ref = field.input / "ref"
    secrets = [str(SEED), f"{SEED:x}", *field.teams, sha256(ref / "gold.csv")]
    secrets += [sha256(path) for path in ref.rglob("predictions.csv") if "Two" not in str(path)]
    assert len(secrets) == 8
    assert [secret for secret in secrets if secret in text] == []
    assert "p_value" not in text
    assert {path.name for path in field.output.iterdir()} == {
        "detailed_results.html", "scores.json", "scores.txt",
    }  # fmt: skip


def test_the_method_is_told_in_short(field: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    text = seen(field, capsys)
    _, told = text.split('id="how-we-know"')
    told = told.partition("</section>")[0]
    for sentence in ("200 times", "holds the middle 95%", "is a possible winner if it could be"):
        assert sentence in told
    assert not any(team in told for team in field.teams)


def test_only_four_digits_are_shown(field: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    text = seen(field, capsys, "--verbose")
    version = r"\d+\.\d+\.\d+"
    # The marks of the bar follow from the numbers beside it (test_precision.py).
    drawn = rf"<style>.*</style>|<svg.*?</svg>|{version}"
    numbers = re.findall(r"\d*\.\d+", re.sub(drawn, "", text, flags=re.S))
    digits = {number.rpartition(".")[2].rstrip("0") for number in numbers}
    assert max(map(len, digits)) == 4


def test_the_organizer_finds_the_seed_that_participants_cannot_see(
    field: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same seed gives the same interval; its hash is the one that the participant saw."""
    text = seen(field, capsys)
    commitment = hashlib.sha256(str(SEED).encode()).hexdigest()
    assert f"<dd>{commitment}</dd>" in text
    theirs = field.scores()
    assert field.run("--resamples", "200", "--participants", "full") == 0
    signature = field.results()["signature"]
    assert (signature["seed"], signature["seed_commitment"]) == (str(SEED), commitment)
    for key, value in theirs.items():
        own = field.scores()[key]
        if key == "distance_from_best":  # an upper bound, rounded up with both scores
            assert own <= value <= own + 2e-4
        else:
            assert value == round(own, 4)


def test_rivals_change_nothing_but_the_rank_and_the_distance(
    field: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    rival = field.input / "ref" / "submissions" / "Three" / "predictions.csv"
    found = []
    for labels in (["c"] * 60, ["b"] * 60):
        write_csv(rival, {"id": field.ids, "label": labels})
        text = seen(field, capsys)
        told = re.sub(r'<section id="finish".*?</section>', "", text, flags=re.S)
        found.append([line for line in told.splitlines() if "distance_from_best" not in line])
    assert found[0] == found[1]


def test_no_winner_is_named(field: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor has it a distance of 0, which no other entry has."""
    submitted(field, field.teams["One"])
    for name, labels in field.teams.items():
        wrong = ["c" if label == "b" else "b" for label in labels]
        path = field.input / "ref" / "submissions" / name / "predictions.csv"
        write_csv(path, {"id": field.ids, "label": wrong})
    text = re.sub("<style>.*</style>", "", seen(field, capsys), flags=re.S)
    assert field.scores()["distance_from_best"] == 1e-4
    for word in ("verified", "corrected", "is separated", "can be named"):
        assert word not in text


def test_organizers_of_all_teams_see_everything(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\nparticipants: score\nseed: 1\n")
    assert folder.run("--resamples", "200") == 0
    assert folder.results()["signature"]["seed"] == "1"
    assert json.loads((folder.output / "scores.json").read_text())["rank.One"] == 1


@pytest.mark.parametrize("move", [1, 7])
def test_spans_that_hardly_match_are_explained_by_their_score_alone(
    folder: Folder, capsys: pytest.CaptureFixture[str], move: int
) -> None:
    """The same is said whether the gold's spans are those that are one off, or others."""
    folder.write("metrics: [span_f1]\nparticipants: score\nseed: 1\n")
    (folder.input / "res").rename(folder.input.parent / "unused")
    starts, hint = range(0, 600, 10), "Hardly any of your spans match. If this surprises you"
    for name, step in (("ref/gold.csv", 0), ("res/spans.csv", move)):
        rows = [
            f"d{place % 30},{start + step},{start + step + 4},x"
            for place, start in enumerate(starts)
        ]
        path = folder.input / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(["id,start,end,type", *rows, ""]))
    text = seen(folder, capsys)
    assert hint in text
    assert "moved by one" not in text
    (folder.input / "res" / "spans.csv").write_bytes(
        (folder.input / "ref" / "gold.csv").read_bytes()
    )
    assert hint not in seen(folder, capsys)
