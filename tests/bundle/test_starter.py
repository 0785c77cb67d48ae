"""The competitions to start from: each is scored, packed, tried and checked as it is."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle import description, program
from scoring_program.bundle.build import build
from scoring_program.commands import new, score
from scoring_program.core.errors import SettingsError
from scoring_program.reading.formats import KINDS
from tests.bundle.made import members
from tests.bundle.test_program import image, wheel
from tests.platform import unpackers, worker
from tests.sweeps import swept, thinned

#: The kinds of data of which participants send submissions of one file.
SENT = [
    kind
    for kind in new.kinds()
    if sum(name.startswith(f"{new.SAMPLE}/") for name in new.files(kind)) == 1
]
#: Those of platforms. The others are for the organizer's own machine.
PACKED = [kind for kind in new.kinds() if "competition.yaml" in new.files(kind)]
#: What a participant may do wrong, and what the checker says.
Break = Callable[[str], str]
WRONG: dict[str, tuple[Break, str]] = {
    "rows": (lambda text: text.replace(",ham", ",eggs", 1), "column 'label': found 'eggs'"),
    "text": (lambda text: text.partition("\n")[2], "11 rows, 12 expected"),
    "tags": (lambda text: text.replace("in O\n", "", 1), "found 7 tokens, expected 8"),
    "label_sets": (lambda text: text.replace("joy", "jo", 1), "found 'jo'"),
    "spans": (lambda text: text.replace(",drug", ",plant", 1), "found the type 'plant'"),
    "ranking": (lambda text: text.replace(" Q0 ", " ", 1), "line 1: "),
    "samples": (lambda text: text.replace("q01,2,", "q01,1,"), "'1' of id 'q01' was already on"),
    "record": (lambda text: text.replace(" ", "", 1), "line 1: 4 cells found, 5 expected"),
    "resolved": (lambda text: text.replace("parser-101", "parser-100"), "'parser-100'"),
}


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Path]:
    def make(kind: str) -> Path:
        assert new.main([str(tmp_path / kind), "--kind", kind]) == 0
        return tmp_path / kind

    return make


def test_every_kind_of_data_has_one() -> None:
    assert new.USUAL in new.kinds()
    assert KINDS.keys() <= new.kinds().keys()


@pytest.mark.parametrize("kind", new.kinds())
def test_it_is_scored_as_it_is(made: Callable[[str], Path], kind: str) -> None:
    folder = made(kind)
    output = folder / "output"
    assert score.main([str(folder), str(output), "--resamples", "100"]) == 0
    results = json.loads((output / "results.json").read_text(encoding="utf-8"))
    entries = results["metrics"][0]["entries"]
    assert len(entries) >= 2
    assert results["unusable"] == results["left_aside"] == []
    assert len({entry["score"] for entry in entries}) == len(entries)
    assert "<title>" in (output / "detailed_results.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", swept(PACKED))
def test_its_bundle_scores_on_the_platforms(
    made: Callable[[str], Path], kind: str, tmp_path: Path
) -> None:
    folder = made(kind)
    lines: list[str] = []
    found = members(build(folder / "competition.yaml", log=lines.append))
    assert [line for line in lines if line.startswith("Task 0 tried on ")]
    assert not [line for line in lines if "unusable" in line or "does not count" in line]
    document = unpackers.codabench(found)
    other = build(folder / "competition.yaml", for_codalab=True, rehearsed=False)
    unpackers.codalab(members(other))
    upload = found.get("solution_0.zip") or _zipped(folder / "res")
    finished = worker.run(
        tmp_path,
        found["scoring_program.zip"],
        found["reference_data_0.zip"],
        upload,
        Path(sys.executable),
    )
    assert (finished.status, finished.stderr) == (0, "")
    keys = {column["key"] for column in document["leaderboards"][0]["columns"]}
    assert keys <= worker.codabench_scores(finished.output).keys()


def _zipped(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    return stream.getvalue()


@pytest.mark.parametrize("kind", thinned(SENT))
def test_its_kit_tells_good_from_broken(
    made: Callable[[str], Path], kind: str, tmp_path: Path
) -> None:
    folder = made(kind)
    found = members(build(folder / "competition.yaml", rehearsed=False))
    kit = tmp_path / "kit"
    zipfile.ZipFile(io.BytesIO(found["starting_kit_0.zip"])).extractall(kit)
    (sample,) = (folder / new.SAMPLE).iterdir()
    assert f"python check.pyz {sample.name}" in (kit / "README.md").read_text(encoding="utf-8")
    good, broken = kit / sample.name, kit / f"broken{sample.suffix}"
    text = sample.read_text(encoding="utf-8")
    damage, message = WRONG[kind]
    good.write_text(text, encoding="utf-8")
    broken.write_text(damage(text), encoding="utf-8")
    assert damage(text) != text
    done = _checked(good)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{sample.name}: the file can be scored" in done.stdout
    assert (kit / "submission.zip").is_file()
    done = _checked(broken)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


def _checked(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "check.pyz", file.name]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False)


def test_a_bundle_carries_what_its_kind_needs(
    made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    described = {kind: made(kind) / "competition.yaml" for kind in PACKED}
    needed = {
        kind: program.needed_extras(description.load(path, date(2026, 1, 1)))
        for kind, path in described.items()
    }
    assert needed["rows"] == ()
    assert needed["text"] == ("text",)
    always = wheel(wheels, "always-1.0-py3-none-any.whl")
    extras = {extra for found in needed.values() for extra in found}
    locked = {extra: wheel(wheels, f"{extra}-1.0-py3-none-any.whl") for extra in extras}
    monkeypatch.setitem(
        program.IMAGES, "codalab/codalab-legacy:py312", image(wheels, always, **locked)
    )
    for kind, found in needed.items():
        content = build(described[kind], wheels=wheels, rehearsed=False)
        packed = members(members(content)["scoring_program.zip"])
        records = {name.split("/")[1] for name in packed if name.endswith("/RECORD")}
        assert records == {f"{name}-1.0.dist-info" for name in ("always", *found)}


def test_ids_are_no_secret_where_the_gold_holds_nothing_else(made: Callable[[str], Path]) -> None:
    folder = made("resolved")
    gold = folder / "ref" / "instances.csv"
    lines = gold.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "instance_id,project"
    (folder / "starting_kit" / "issues.csv").write_bytes(gold.read_bytes())
    with pytest.raises(SettingsError, match=r"issues\.csv: participants can read it"):
        build(folder / "competition.yaml", rehearsed=False)
    (folder / "starting_kit" / "issues.csv").unlink()
    gold.write_text("".join(f"{line.partition(',')[0]}\n" for line in lines), encoding="utf-8")
    assert members(build(folder / "competition.yaml", rehearsed=False))
    outcomes = made("samples")
    _with_outcomes(outcomes)
    assert members(build(outcomes / "competition.yaml"))
    ids = [line.partition(",")[0] for line in lines[1:]]
    gold.unlink()
    (folder / "ref" / "instances.json").write_text(json.dumps(ids, indent=1), encoding="utf-8")
    (folder / "starting_kit" / "ids.json").write_text(json.dumps(ids, indent=1), encoding="utf-8")
    assert members(build(folder / "competition.yaml", rehearsed=False))


def _with_outcomes(folder: Path) -> None:
    """Let samples say whether they passed, so that the gold needs no answers."""
    gold = folder / "ref" / "gold.csv"
    lines = gold.read_text(encoding="utf-8").splitlines()
    gold.write_text("".join(f"{line.partition(',')[0]}\n" for line in lines), encoding="utf-8")
    for path in (*(folder / "res").iterdir(), *(folder / new.SAMPLE).iterdir()):
        text = path.read_text(encoding="utf-8").replace("label", "passed")
        path.write_text(re.sub("[A-D]$", lambda found: str(int(found[0] == "A")), text, flags=re.M))


def test_the_words_of_a_kind_reach_every_page() -> None:
    for kind in PACKED:
        files = new.files(kind)
        title = yaml.safe_load(files["competition.yaml"])["title"]
        assert title.removesuffix(" (never publish)") in files["ref/scoring.yaml"].decode()
        assert not [name for name in files if name.endswith((".j2", "kind.yaml"))]
        assert not [name for name, content in files.items() if b"{{" in content]
