"""Archives: broken, encrypted, bombs, and names that lead elsewhere."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator

from tests.hostile.bad.case import Bad
from tests.hostile.bad.makers import upload, zipped
from tests.hostile.trap import A, B, Trap


def _link(target: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        member = zipfile.ZipInfo("predictions.csv")
        member.create_system = 3
        member.external_attr = 0o120777 << 16
        archive.writestr(member, target)
    return stream.getvalue()


def _device(trap: Trap) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        member = zipfile.ZipInfo("predictions.csv")
        member.create_system = 3
        member.external_attr = 0o020666 << 16
        archive.writestr(member, trap.csv())
    return stream.getvalue()


def _twice(trap: Trap) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("predictions.csv", trap.csv())
        archive.writestr("predictions.csv", trap.csv().replace(A, B))
    return stream.getvalue()


def _patched(content: bytes, flag: bytes = b"PK\x03\x04", offset: int = 6, value: int = 1) -> bytes:
    """Return an archive with a byte of every local and central header changed."""
    data = bytearray(content)
    for magic, place in ((b"PK\x03\x04", offset), (b"PK\x01\x02", offset + 2)):
        at = data.find(magic)
        while at >= 0:
            data[at + place] = value
            at = data.find(magic, at + 4)
    return bytes(data)


def _nested(content: bytes, depth: int) -> bytes:
    for level in range(depth):
        content = zipped({f"level{level}.zip": content})
    return content


def cases() -> Iterator[Bad]:
    kind = "archives"

    def ok(t: Trap) -> bytes:
        return zipped({"predictions.csv": t.csv()})

    cases: dict[str, tuple[Callable[[Trap], bytes], int, tuple[str, ...]]] = {
        "no bytes": (lambda t: b"", 1, ("upload.zip",)),
        "not an archive": (lambda t: t.csv().encode(), 1, ("upload.zip",)),
        "no members": (lambda t: zipped({}), 1, ("upload.zip: the archive holds no data",)),
        "folders only": (
            lambda t: zipped({"a/": "", "a/b/": ""}),
            1,
            ("upload.zip: the archive holds no data",),
        ),
        "system files only": (
            lambda t: zipped({"__MACOSX/._p.csv": "x", ".DS_Store": "x"}),
            1,
            ("upload.zip: the archive holds no data",),
        ),
        "cut short": (lambda t: ok(t)[:-30], 1, ("upload.zip",)),
        "cut in the middle": (lambda t: ok(t)[: len(ok(t)) // 2], 1, ("upload.zip",)),
        "a flipped byte in the data": (
            lambda t: ok(t)[:60] + bytes([ok(t)[60] ^ 255]) + ok(t)[61:],
            1,
            ("cannot be unpacked",),
        ),
        "encrypted": (lambda t: _patched(ok(t)), 1, ("password",)),
        "an unknown compression": (
            lambda t: _patched(ok(t), offset=8, value=77),
            1,
            ("upload.zip",),
        ),
        "a bomb by ratio": (
            lambda t: zipped({"predictions.csv": bytes(50_000_000)}),
            1,
            ("limit",),
        ),
        "a bomb of 90 members": (
            lambda t: zipped({"a.zip": zipped({f"{i}.csv": bytes(10**6) for i in range(90)})}),
            1,
            ("limit",),
        ),
        "more members than the limit": (
            lambda t: (
                t.settings("most_files: 500\n") or zipped({f"{i}.csv": "" for i in range(501)})
            ),
            1,
            ("more than 500 files",),
        ),
        "five thousand empty members": (
            lambda t: zipped({f"{i}.csv": "" for i in range(5000)}),
            1,
            ("all 5000 submissions fail alike",),
        ),
        "archives of archives of archives": (
            lambda t: (
                t.settings("most_files: 500\n")
                or _nested(
                    zipped(
                        {f"{i}.zip": zipped({f"{j}.csv": "" for j in range(30)}) for i in range(30)}
                    ),
                    1,
                )
            ),
            1,
            ("more than 500 files",),
        ),
        "a name of 60,000 spaces": (
            lambda t: zipped({" " * 60_000 + ".csv": t.csv()}),
            1,
            ("longer than",),
        ),
        "a bomb that lies about its size": (
            lambda t: _lying(zipped({"predictions.csv": b"id,label\n" + b"x" * 60_000_000})),
            1,
            ("upload.zip",),
        ),
        "a bomb whose header and checksum are those of its beginning": (
            lambda t: _believable(t.csv().encode(), t.csv().encode() + b"x" * 60_000_000),
            1,
            ("predictions.csv",),
        ),
        "less in it than its header says": (
            lambda t: _stating(zipped({"predictions.csv": t.csv()}), 10**6),
            1,
            ("predictions.csv",),
        ),
        "packed by bzip2": (
            lambda t: _packed_by(zipfile.ZIP_BZIP2, t.csv()),
            1,
            ("other than deflate", "pack it again"),
        ),
        "packed by LZMA": (
            lambda t: _packed_by(zipfile.ZIP_LZMA, t.csv()),
            1,
            ("other than deflate", "pack it again"),
        ),
        "an archive in an archive in … 30 deep": (
            lambda t: _nested(ok(t), 30),
            1,
            ("archives nested deeper than",),
        ),
        "a symbolic link to the gold": (lambda t: _link(str(t.ref / "gold.csv")), 1, ("link",)),
        "a symbolic link to /etc/passwd": (lambda t: _link("/etc/passwd"), 1, ("link",)),
        "a device": (_device, 1, ("link",)),
        "a member twice": (_twice, 1, ("twice",)),
        "a member's name in two letter cases": (
            lambda t: zipped({"predictions.csv": t.csv(), "Predictions.csv": t.csv()}),
            0,
            (),
        ),
        "two data files, one of them broken": (
            lambda t: zipped({"a.csv": t.csv(), "b.csv": "x"}),
            1,
            ("at least two",),
        ),
        "a name that climbs": (lambda t: zipped({"../../ref/labels.csv": t.csv()}), 1, ("name",)),
        "an absolute name": (lambda t: zipped({"/etc/passwd.csv": t.csv()}), 1, ("name",)),
        "a drive letter": (lambda t: zipped({"C:\\predictions.csv": t.csv()}), 1, ("name",)),
        "a name that climbs with backslashes": (
            lambda t: zipped({"..\\..\\labels.csv": t.csv()}),
            1,
            ("name",),
        ),
        "no data file": (
            lambda t: zipped({"model.bin": "x", "train.sh": "rm -rf /"}),
            1,
            ("no predictions file",),
        ),
        "a program beside a broken file": (
            lambda t: zipped(
                {"predictions.csv": "x", "my_metric.py": "import os; os.mkdir('pwned')"}
            ),
            1,
            ("predictions",),
        ),
        "junk before the archive": (lambda t: b"#!/bin/sh\n" + ok(t), 0, ()),
        "junk after the archive": (lambda t: ok(t) + b"junk", 0, ()),
        "settings in the upload": (
            lambda t: zipped({"predictions.csv": t.csv(), "scoring.yaml": "metrics: [f1_score]"}),
            0,
            (),
        ),
        "a program in the upload": (
            lambda t: zipped(
                {
                    "predictions.csv": t.csv(),
                    "my_metric.py": "import os; os.mkdir('pwned')",
                    "sitecustomize.py": "import os; os.mkdir('pwned')",
                }
            ),
            0,
            (),
        ),
        "a wrapping folder and system files": (
            lambda t: zipped(
                {"a/b/predictions.csv": t.csv(), "__MACOSX/a/b/._predictions.csv": "x"}
            ),
            0,
            (),
        ),
    }
    for name, (content, status, says) in cases.items():
        yield Bad(kind, name, upload(content, "upload.zip"), status, says)


def _lying(content: bytes) -> bytes:
    """Return an archive whose headers say that its member unfolds to 100 bytes."""
    return _stating(content, 100)


def _stating(content: bytes, size: int, checksum: int | None = None) -> bytes:
    """Return an archive whose headers state another size, and checksum, of its one member."""
    data = bytearray(content)
    for magic, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(magic)
        data[at + offset : at + offset + 4] = struct.pack("<I", size)
        if checksum is not None:
            data[at + offset - 8 : at + offset - 4] = struct.pack("<I", checksum)
    return bytes(data)


def _believable(stated: bytes, content: bytes) -> bytes:
    """Return an archive that holds ``content`` and says that it holds its beginning only."""
    return _stating(zipped({"predictions.csv": content}), len(stated), zlib.crc32(stated))


def _packed_by(method: int, content: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("predictions.csv", content)
    return stream.getvalue()
