"""Malformed uploads of every kind of data: each is refused, and its author is told what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring_program.commands.score import main
from tests.competitions import read_scores
from tests.hostile.kinds import HARMLESS, KINDS, Mistakes
from tests.sweeps import thinned

pytest.importorskip("ir_measures")


def score(folder: Path, case: Mistakes, upload: dict[str, bytes]) -> int:
    name, gold = case.gold
    files = {
        f"ref/{name}": gold.encode(),
        "ref/scoring.yaml": f"metrics: [{case.metrics}]".encode(),
    }
    for path, content in {**files, **{f"res/{name}": c for name, c in upload.items()}}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return main([str(folder), str(folder / "output"), "--resamples", "100", "--workers", "1"])


@pytest.mark.parametrize(
    ("kind", "mistake"),
    thinned([(kind, mistake) for kind, case in KINDS.items() for mistake in case.bad]),
)
def test_the_author_is_told(
    kind: str, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = KINDS[kind]
    content, fragments = case.bad[mistake]
    extension = mistake.partition(".")[2]
    name = f"p.{extension}" if extension else case.file
    upload = content if isinstance(content, bytes) else content.encode()
    assert score(tmp_path, case, {name: upload}) == 1
    told = capsys.readouterr().err
    assert told.startswith("The submission cannot be scored:\n")
    assert name in told
    for fragment in fragments:
        assert fragment in told
    assert not (tmp_path / "output" / "scores.txt").exists()


@pytest.mark.parametrize("unusual", HARMLESS)
@pytest.mark.parametrize("kind", thinned(KINDS))
def test_what_is_only_unusual_is_scored(kind: str, unusual: str, tmp_path: Path) -> None:
    case = KINDS[kind]
    write: Callable[[str], bytes] = HARMLESS[unusual]
    uploads = {"plain": case.good.encode(), "unusual": write(case.good)}
    of_teams = {f"{team}/{case.file}": content for team, content in uploads.items()}
    assert score(tmp_path, case, of_teams) == 0
    found = read_scores((tmp_path / "output" / "scores.txt").read_text())
    (metric,) = {key.partition(".plain")[0] for key in found if key.endswith(".plain")} - {
        "rank", "tied_with_leader", "distance_from_best",
    }  # fmt: skip
    assert found[f"{metric}.plain"] == found[f"{metric}.unusual"]
