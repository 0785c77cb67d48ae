"""The carried packages: each by its hash, with its RECORD, and listed in a bill of materials."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scoring_program.bundle import lock, program, wheels
from scoring_program.bundle.archive import pack
from scoring_program.bundle.images import IMAGES, Image
from scoring_program.bundle.lock import Locked
from scoring_program.core.errors import OrganizerError

METADATA = (
    b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n"
    b"Classifier: License :: OSI Approved :: MIT License\n"
)
RECORD = "pkg-1.0.dist-info/RECORD"
#: Of all images, as they are before fixtures change them.
REAL = tuple(IMAGES.values())
LOCK_FILES = sorted(path for image in REAL for path in image.locks.glob("*.txt"))
PLAIN = "pkg-1.0-py3-none-any.whl"


def wheel(folder: Path, name: str, **changed: bytes) -> Locked:
    """Write a wheel with a RECORD and return it as a lock file names it."""
    package, version, *_ = name.split("-")
    content = {
        "pkg/__init__.py": changed.get("code", b"NAME = 1\n"),
        "pkg/tests/test_a.py": b"",
        "pkg-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
        "pkg-1.0.dist-info/METADATA": changed.get("metadata", METADATA),
    }
    lines = (f"{path},sha256={digest(data)},{len(data)}\n" for path, data in content.items())
    content[RECORD] = "".join([*lines, f"{RECORD},,\n"]).encode()
    (folder / name).write_bytes(pack(content))
    return locked(package, version, folder / name)


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def locked(package: str, version: str, path: Path) -> Locked:
    return Locked(package, version, hashlib.sha256(path.read_bytes()).hexdigest())


def image(folder: Path, platform: str = "any", **extras: Locked) -> Image:
    """Return an image whose lock files name one package each."""
    (folder / "locks").mkdir(exist_ok=True)
    for name, item in extras.items():
        (folder / "locks" / f"{name}.txt").write_text(f"# A comment.\n\n{item.line}\n")
    return Image("3.12", platform, folder / "locks")


def carried(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name.removeprefix("carried/"): content
        for name, content in files.items()
        if name.startswith("carried/")
    }


def test_wheels_for_the_image_are_carried(tmp_path: Path) -> None:
    plain = wheel(tmp_path, "pkg-1.0-py3-none-any.whl")
    fast = wheel(tmp_path, "fast-2-cp312-cp312-manylinux2014_x86_64.whl", code=b"FAST = 1\n")
    wheel(tmp_path, "fast-2-cp311-cp311-manylinux2014_x86_64.whl")
    of = image(tmp_path, base=plain, text=fast)
    assert [item for item, _ in wheels.fetched(of, tmp_path)] == [plain]
    assert [item for item, _ in wheels.fetched(of, tmp_path, ["text"])] == [plain, fast]
    found = carried(program.files(of, tmp_path, ["text"]))
    assert found["pkg/__init__.py"] == b"FAST = 1\n"
    assert len(wheels.fetched(image(tmp_path, text=plain), tmp_path, ["text"])) == 1


def test_what_is_carried_can_be_checked_by_its_record(tmp_path: Path) -> None:
    found = carried(program.files(image(tmp_path, base=wheel(tmp_path, PLAIN)), tmp_path))
    assert set(found) == {
        "pkg/__init__.py", "pkg-1.0.dist-info/METADATA", "pkg-1.0.dist-info/WHEEL", RECORD,
    }  # fmt: skip
    recorded = {row[0]: row[1] for row in csv.reader(found.pop(RECORD).decode().splitlines())}
    for name, content in found.items():
        assert recorded[name] == f"sha256={digest(content)}"


def test_tampered_wheel_is_refused(tmp_path: Path) -> None:
    of = image(tmp_path, base=wheel(tmp_path, PLAIN))
    changed = wheel(tmp_path, PLAIN, code=b"NAME = 2\n")
    with pytest.raises(OrganizerError) as caught:
        program.files(of, tmp_path)
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / PLAIN} has the SHA-256 {changed.sha256}, but the wheel of")
    assert "somebody changed it; delete it, and the right one is downloaded" in said


def test_right_wheel_beside_a_tampered_one(tmp_path: Path) -> None:
    right = wheel(tmp_path, "pkg-1.0-py3-none-any.whl")
    wheel(tmp_path, "pkg-1.0-cp312-cp312-any.whl", code=b"NAME = 2\n")
    found = carried(program.files(image(tmp_path, base=right), tmp_path))
    assert found["pkg/__init__.py"] == b"NAME = 1\n"


@pytest.mark.parametrize("cut", [0, 40])
def test_damaged_wheel_is_refused(tmp_path: Path, cut: int) -> None:
    of = image(tmp_path, base=wheel(tmp_path, PLAIN))
    path = tmp_path / PLAIN
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(OrganizerError, match=r"the file is damaged, or somebody changed it"):
        program.files(of, tmp_path)


def test_missing_wheel_that_cannot_be_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    of = image(tmp_path, "manylinux2014_x86_64", base=Locked("no-such-package", "1", "0" * 64))
    with pytest.raises(OrganizerError, match=r"cannot be downloaded .* --wheels"):
        program.files(of, tmp_path / "empty")


def test_pip_refuses_another_wheel_than_the_locked_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an index gives is checked before it reaches the folder of wheels."""
    index = tmp_path / "index"
    index.mkdir()
    right = wheel(index, PLAIN)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    of = image(tmp_path, base=right)
    wheel(index, PLAIN, code=b"NAME = 2\n")
    with pytest.raises(OrganizerError, match="cannot be downloaded"):
        wheels.fetched(of, tmp_path / "fetched")
    assert not list((tmp_path / "fetched").glob("*.whl"))
    assert wheel(index, PLAIN) == right
    assert wheels.fetched(of, tmp_path / "fetched")[0][0] == right


def test_lock_file_that_pins_no_hash(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("# Packages.\npkg==1.0\n")
    with pytest.raises(ValueError, match=r"base\.txt, line 2: expected name==version --hash="):
        lock.read(tmp_path / "base.txt")


@pytest.mark.parametrize("path", LOCK_FILES, ids=lambda path: path.stem)
def test_every_lock_file_pins_each_package_once(path: Path) -> None:
    items = lock.read(path)
    assert items
    assert len({item.name for item in items}) == len(items)


def bill(folder: Path, **about: bytes) -> dict[str, Any]:
    files = program.files(image(folder, base=wheel(folder, PLAIN, **about)), folder)
    return dict(json.loads(files["bom.json"]))


def test_bill_of_materials(tmp_path: Path) -> None:
    made = bill(tmp_path)
    (component,) = made["components"]
    assert (component["name"], component["version"]) == ("pkg", "1.0")
    assert component["purl"] == "pkg:pypi/pkg@1.0"
    assert component["hashes"] == [
        {"alg": "SHA-256", "content": hashlib.sha256((tmp_path / PLAIN).read_bytes()).hexdigest()}
    ]
    assert component["licenses"] == [{"license": {"name": "MIT License"}}]
    assert made["dependencies"] == [{"ref": "deadheat", "dependsOn": ["pkg:pypi/pkg@1.0"]}]
    (expressed,) = bill(tmp_path, metadata=b"License-Expression: MIT OR Apache-2.0\n")["components"]
    assert expressed["licenses"] == [{"expression": "MIT OR Apache-2.0"}]


@pytest.mark.parametrize("metadata", [METADATA, b"License-Expression: MIT\n", b"Name: pkg\n"])
def test_bill_of_materials_follows_the_standard(tmp_path: Path, metadata: bytes) -> None:
    """By CycloneDX's own schema."""
    cyclonedx = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    made = json.dumps(bill(tmp_path, metadata=metadata))
    validator = cyclonedx.JsonStrictValidator(schema.SchemaVersion.V1_5)
    assert validator.validate_str(made) is None
    assert validator.validate_str(made.replace('"library"', '"book"')) is not None


@pytest.mark.full
def test_the_real_wheels(tmp_path: Path) -> None:
    """Every package of the lock files can still be downloaded, and states its license."""
    for of in REAL:
        extras = [path.stem for path in of.locks.glob("*.txt") if path.stem != "base"]
        try:
            found = program.files(of, tmp_path, extras)
        except OrganizerError as error:
            pytest.skip(f"the wheels are not to be had: {error}")
        components = json.loads(found["bom.json"])["components"]
        assert [item["name"] for item in components if not item["licenses"]] == []
        recorded = {re.split(r"[/-]", name)[1] for name in found if name.endswith("/RECORD")}
        assert len(recorded) == len(components)
