"""NumPy arrays that lie, are cut short or would run code."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Iterator

import numpy as np

from tests.hostile.bad.case import Bad
from tests.hostile.bad.makers import Exploding, npy, upload, zipped
from tests.hostile.trap import Trap


def _header(text: str, body: bytes = b"") -> bytes:
    """Return an .npy file whose header claims what it likes."""
    head = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + body


def cases() -> Iterator[Bad]:
    cases: dict[str, Callable[[Trap], bytes]] = {
        "pickled objects": lambda t: npy(np.array([Exploding()] * 30), allow_pickle=True),
        "an object array of texts": lambda t: npy(
            np.array(t.teams["One"], object), allow_pickle=True
        ),
        "a bare pickle": lambda t: pickle.dumps(Exploding()),
        "too few rows": lambda t: npy(np.array(t.teams["One"][:20])),
        "too many dimensions": lambda t: npy(np.zeros((30, 2, 2))),
        "no dimension": lambda t: npy(np.array(1.0)),
        "no rows": lambda t: npy(np.zeros(0)),
        "unknown labels": lambda t: npy(np.array(["zebra"] * 30)),
        "complex numbers": lambda t: npy(np.zeros(30, complex)),
        "dates": lambda t: npy(np.zeros(30, "datetime64[D]")),
        "records": lambda t: npy(np.zeros(30, [("id", "i4"), ("z", "V3")])),
        "cut short": lambda t: npy(np.array(t.teams["One"]))[:-9],
        "cut within its header": lambda t: npy(np.array(t.teams["One"]))[:40],
        "nothing but the magic bytes": lambda t: b"\x93NUMPY",
        "an unknown version": lambda t: b"\x93NUMPY\x09\x00" + bytes(200),
        "a header that claims 10^18 rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000,), }"
        ),
        "a header that claims 10^30 rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (10**30,), }".replace(
                "10**30", "1" + "0" * 30
            )
        ),
        "a header that claims negative rows": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-30,), }", bytes(240)
        ),
        "a header that lacks a key": lambda t: _header(
            "{'descr': '<f8', 'shape': (30,), }", bytes(240)
        ),
        "a header whose shape is a text": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (10**9, 'a'), }".replace(
                "10**9", "9" * 9
            )
        ),
        "texts of no characters": lambda t: _header(
            "{'descr': '<U0', 'fortran_order': False, 'shape': (999999999,), }"
        ),
        "no rows of a billion columns": lambda t: _header(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 1000000000), }"
        ),
        "a header with code": lambda t: _header("__import__('os').mkdir('pwned')"),
        "a header of nested brackets": lambda t: _header("(" * 110),
        "texts of a gigabyte each": lambda t: _header(
            "{'descr': '<U250000000', 'fortran_order': False, 'shape': (30,), }"
        ),
        "random bytes": lambda t: bytes(range(256)),
        "no bytes": lambda t: b"",
    }
    for name, content in cases.items():
        yield Bad("NumPy arrays", name, upload(content, "predictions.npy"), 1, ("predictions.npy",))
    archives: dict[str, Callable[[Trap], bytes]] = {
        "pickled objects": lambda t: zipped({"y.npy": cases["pickled objects"](t)}),
        "two arrays": lambda t: zipped({"y.npy": npy(np.zeros(30)), "z.npy": npy(np.zeros(29))}),
        "three columns of two names": lambda t: zipped(
            {"0.npy": npy(np.zeros(30)), "y.npy": npy(np.zeros((30, 2)))}
        ),
        "no array": lambda t: zipped({}),
        "not an archive": lambda t: b"PK nothing",
        "an array of other rows": lambda t: zipped({"y.npy": npy(np.array(t.teams["One"][:9]))}),
        "a bomb": lambda t: zipped({"y.npy": npy(np.zeros(30)) + bytes(80_000_000)}),
        "a name that climbs": lambda t: zipped({"../y.npy": cases["unknown labels"](t)}),
        "a text in it": lambda t: zipped({"y.npy": b"label\n"}),
    }
    for name, content in archives.items():
        yield Bad(
            "NumPy arrays",
            f"npz: {name}",
            upload(content, "predictions.npz"),
            1,
            ("predictions.npz",),
        )
