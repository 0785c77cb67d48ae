"""The bill of materials of a packed program: which packages it carries, in CycloneDX 1.5."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from email.message import Message
from email.parser import HeaderParser
from typing import Any

from ..core.version import __version__
from .wheels import Wheel

#: One of the two names by which tools recognize such a file.
FILE_NAME = "bom.json"
_PROGRAM = "deadheat"
_LICENSE = "License :: "


def bill(carried: Sequence[Wheel]) -> bytes:
    """Return the list of carried packages, each with its wheel's hash and its license."""
    components = [_component(wheel) for wheel in carried]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": _PROGRAM,
                "name": _PROGRAM,
                "version": __version__,
            }
        },
        "components": components,
        "dependencies": [
            {"ref": _PROGRAM, "dependsOn": [component["bom-ref"] for component in components]}
        ],
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def _component(wheel: Wheel) -> dict[str, Any]:
    item, content = wheel
    address = f"pkg:pypi/{item.name}@{item.version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": item.name,
        "version": item.version,
        "hashes": [{"alg": "SHA-256", "content": item.sha256}],
        "licenses": _licenses(_metadata(content)),
        "purl": address,
    }


def _metadata(content: bytes) -> Message:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(archive.read(name).decode())


def _licenses(metadata: Message) -> list[dict[str, Any]]:
    """Return the license as a wheel states it: by an expression, or else by its classifiers."""
    if expression := metadata["License-Expression"]:
        return [{"expression": expression}]
    stated = (text for text in metadata.get_all("Classifier", []) if text.startswith(_LICENSE))
    return [{"license": {"name": text.rpartition(" :: ")[2]}} for text in stated]
