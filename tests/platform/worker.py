"""What the platforms' workers do with a packed program and a submission, stated once more."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path, PurePosixPath

import yaml

from scoring_program.bundle.rehearsal import command_of, unpack

#: Seconds that both platforms give a run by default.
LIMIT = 600
#: Runs a command in a root directory like this machine's, but for /app, without any network.
_ISOLATE = """\
set -e
root="$0.root"
mkdir "$root"
mount -t tmpfs none "$root"
for path in /*; do
    if [ -L "$path" ]; then
        cp -P "$path" "$root/"
    elif [ -d "$path" ] && [ "$path" != /app ]; then
        mkdir "$root$path"
        mount --rbind "$path" "$root$path"
    fi
done
mkdir "$root/app"
mount --bind "$0" "$root/app"
exec chroot "$root" sh -c 'cd /app/program && exec "$@"' sh "$@"
"""


@dataclass(frozen=True)
class Finished:
    """A run as the worker sees it."""

    status: int
    stdout: str
    stderr: str
    output: Path


def run(root: Path, program: bytes, reference: bytes, submission: bytes, python: Path) -> Finished:
    """Unpack below ``root`` and run the metadata's command, at /app and offline if that may be."""
    app = root / "app"
    unpack(program, app / "program")
    unpack(reference, app / "input" / "ref")
    unpack(submission, app / "input" / "res")
    (app / "output").mkdir()
    isolated = _may_isolate()
    command = command_of(app / "program", Path("/app") if isolated else app)
    if isolated:
        command = ["unshare", "--mount", "--net", "sh", "-c", _ISOLATE, str(app), *command]
    done = subprocess.run(
        command,
        cwd=app / "program",
        env={
            "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(root),
            "LANG": "C",
            "PYTHONUNBUFFERED": "1",
        },
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode(), app / "output")


def unpack_moving_first_folder_up(content: bytes, folder: Path) -> None:
    """Unpack as Codabench's worker did from 15 to 23 July 2025 (pull request 1905, reverted).

    It took away a folder that seemed to wrap everything: of a program that of the first metadata
    file in a folder, of anything else the first folder there was, whatever lay beside it.
    """
    unpack(content, folder)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        paths = [PurePosixPath(name) for name in archive.namelist() if "/" in name]
    if folder.name == "program":
        paths = [path for path in paths if path.name in ("metadata", "metadata.yaml")]
    if paths:
        wrapping = folder / paths[0].parts[0]
        for path in sorted(wrapping.iterdir()):
            path.rename(folder / path.name)
        wrapping.rmdir()


def _may_isolate() -> bool:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    command = ["unshare", "--mount", "--net", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def codabench_scores(output: Path) -> dict[str, Decimal]:
    """Read the scores as Codabench does: scores.json first, else scores.txt as YAML."""
    if (output / "scores.json").exists():
        found = json.loads((output / "scores.json").read_text(encoding="utf-8"))
    else:
        found = yaml.safe_load((output / "scores.txt").read_text(encoding="utf-8"))
    scores = {}
    for key, value in found.items():
        assert isinstance(key, str)
        assert isinstance(value, (int, float))
        assert math.isfinite(value)
        number = Decimal(str(value))
        assert abs(number) < 10**10  # stored as Decimal(20, 10)
        scores[key] = number.quantize(Decimal("1e-10"))
    return scores


def codalab_scores(output: Path) -> dict[str, float]:
    """Read the scores as CodaLab 1.5 does: split every line at its colons."""
    scores = {}
    for line in (output / "scores.txt").read_text(encoding="utf-8").splitlines():
        key, value = line.split(":")
        scores[key.strip()] = float(value)
    return scores
