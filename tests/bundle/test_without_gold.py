"""Bundles without the gold: the platform checks and collects, and nothing tells an answer."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle import program
from scoring_program.bundle.archive import pack
from scoring_program.bundle.build import build
from scoring_program.commands import new
from scoring_program.commands.bundle import main
from scoring_program.core.errors import SettingsError
from tests.bundle.made import edited, members, put
from tests.platform import unpackers, worker
from tests.sweeps import swept


def mine(folder: Path, kind: str = "rows", settings: str = "") -> Path:
    assert new.main([str(folder), "--kind", kind]) == 0
    with (folder / "ref" / "scoring.yaml").open("a") as stream:
        stream.write(settings)
    return folder


def run(folder: Path, bundle: dict[str, bytes], sample: dict[str, bytes]) -> worker.Finished:
    program, reference = bundle["scoring_program.zip"], bundle["reference_data_0.zip"]
    return worker.run(folder, program, reference, pack(sample), Path(sys.executable))


@pytest.mark.parametrize(
    ("language", "received"),
    swept(
        [
            ("pt", "Esta submissão foi recebida. Não foi pontuada."),
            ("en", "This submission was received. It was not scored."),
            ("es", "Este envío se recibió. No se calificó."),
        ]
    ),
)
def test_an_upload_is_checked_and_collected(tmp_path: Path, language: str, received: str) -> None:
    folder = mine(tmp_path / "mine", settings=f"language: {language}\n")
    found = members(
        build(folder / "competition.yaml", without_gold=True, rehearsed=language == "en")
    )
    document = unpackers.codabench(found)
    (board,) = document["leaderboards"]
    assert [column["key"] for column in board["columns"]] == ["accepted"]
    sample = members(found["solution_0.zip"])
    done = run(tmp_path / "good", found, sample)
    assert (done.status, done.stderr) == (0, "")
    assert worker.codabench_scores(done.output) == {"accepted": 1, "n_examples": 100}
    assert worker.codalab_scores(done.output) == {"accepted": 1, "n_examples": 100}
    assert not (done.output / "results.json").exists()
    page = (done.output / "detailed_results.html").read_text(encoding="utf-8")
    assert received in page
    assert "Content-Security-Policy" in page
    (name,) = sample
    done = run(tmp_path / "bad", found, {name: sample[name].replace(b"m001", b"m999")})
    assert done.status == 1
    assert "id 'm001' has no row" in done.stderr
    (page_of_failure,) = done.output.iterdir()
    assert page_of_failure.name == "detailed_results.html"
    assert "m001" in page_of_failure.read_text(encoding="utf-8")


def test_nothing_packed_tells_the_gold(tmp_path: Path) -> None:
    """No label but those that the settings list, no field, no seed, and ids in their order."""
    folder = mine(tmp_path / "mine")
    gold = (folder / "ref" / "gold.csv").read_text().splitlines()
    (folder / "ref" / "gold.csv").write_text(
        "\n".join([gold[0], *sorted(gold[1:], key=lambda line: line[::-1])])
    )
    found = members(build(folder / "competition.yaml", without_gold=True, rehearsed=False))
    (name,) = packed = members(found["reference_data_0.zip"])
    rules = json.loads(packed[name])["rules"]["tasks"][""]
    assert rules["ids"] == sorted(line.split(",")[0] for line in gold[1:])
    assert [target["labels"] for target in rules["targets"]] == [["ham", "spam"]]
    assert packed[name].count(b'"spam"') == packed[name].count(b'"ham"') == 1
    assert b"seed" not in packed[name]


def test_what_cannot_be_checked_without_gold_is_said(tmp_path: Path) -> None:
    folder = mine(tmp_path / "mine")
    path = folder / "ref" / "scoring.yaml"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("labels")))
    found = members(build(folder / "competition.yaml", without_gold=True, rehearsed=False))
    done = run(tmp_path / "run", found, members(found["solution_0.zip"]))
    said = "Not checked: whether the labels of 'label' are labels of the task."
    assert said in done.stdout
    page = (done.output / "detailed_results.html").read_text(encoding="utf-8")
    assert said.replace("'", "&#39;") in page


@pytest.mark.full
def test_every_file_of_several_tasks_is_asked_for(tmp_path: Path) -> None:
    folder = mine(tmp_path / "mine", "tasks")
    edited(folder, put("tasks", 0, "deadheat", "gold", value=False))
    found = members(build(folder / "competition.yaml", rehearsed=False))
    sample = members(found["solution_0.zip"])
    assert worker.codabench_scores(run(tmp_path / "all", found, sample).output)["n_examples"] == 200
    del sample["questions.csv"]
    done = run(tmp_path / "one", found, sample)
    assert done.status == 1
    assert "add a file called questions.csv" in done.stderr


def test_phases_with_and_without_gold_have_a_competition_each(folder: Path) -> None:
    path = edited(folder, put("tasks", 0, "deadheat", "gold", value=False))
    with pytest.raises(SettingsError, match=r"task 0 has 'gold: false' and others have not"):
        build(path, rehearsed=False)
    with pytest.raises(SettingsError, match=r"task 1: without gold, an upload is one submission"):
        build(path, without_gold=True, rehearsed=False)


def test_what_only_the_organizers_code_reads_is_not_collected(tmp_path: Path) -> None:
    folder = mine(tmp_path / "mine")
    (folder / "ref" / "scoring.yaml").write_text("reader: own.py:read\n")
    with pytest.raises(SettingsError, match=r"nothing can check an upload that own\.py:read"):
        build(folder / "competition.yaml", without_gold=True, rehearsed=False)


@pytest.mark.full
def test_no_packages_of_metrics_are_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[object] = []
    pack_program = program.files

    def files(
        image: program.Image, wheels: Path | None, extras: object, languages: object
    ) -> dict[str, bytes]:
        packed.append(extras)
        return pack_program(image, wheels)

    monkeypatch.setattr(program, "files", files)
    path = mine(tmp_path / "mine", "text") / "competition.yaml"
    for without_gold in (False, True):
        build(path, without_gold=without_gold, rehearsed=without_gold)
    assert packed == [("text",), ()]


def test_the_command_says_what_is_public_and_what_is_left_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine(tmp_path / "mine"))
    shutil.rmtree("sample_solution")
    document = yaml.safe_load(Path("competition.yaml").read_text())
    del document["solutions"]
    Path("competition.yaml").write_text(yaml.safe_dump(document))
    capsys.readouterr()
    public = "anybody can download its reference data from Codabench without an account: the gold"
    last: dict[str, list[str]] = {}
    for option in ("", "--without-gold", "--codalab"):
        assert main([*filter(None, [option])]) == 0
        said = capsys.readouterr().out
        assert (public in said) == (option == "")
        before, steps = said.split("What is left to do by hand:")
        assert "bundle.zip: " in before.splitlines()[-1 if public not in said else -2]
        last[option] = steps.splitlines()
    assert "https://www.codabench.org/competitions/upload/" in last[""][1]
    assert any("Delete the reference data" in line for line in last[""])
    assert not any("Delete the reference data" in line for line in last["--without-gold"])
    texts = "pages/overview.md, pages/evaluation.md, pages/data.md, the description of the phase 'E"
    assert [texts in "".join(last[option]) for option in last] == [False, True, False]
    how = "make the report with 'deadheat score INPUT OUTPUT --runs last'"
    assert [how in "".join(last[option]) for option in last] == [False, True, False]
    assert "CodaLab" in last["--codalab"][1]
    numbered = [line.strip()[:2] for line in last[""][1:]]
    assert numbered == [f"{number}." for number in range(1, len(numbered) + 1)]
    for word, page in (("publish", "Competition-Management-&-List"), ("Delete", "Resource-Man")):
        (line,) = (line for line in last[""] if word in line)
        assert f"https://docs.codabench.org/latest/Organizers/Running_a_benchmark/{page}" in line
    assert "https://github.com/codalab/" in last["--codalab"][-1]
