"""What bundles of one run of tests share, made once: packed programs and their bytecode."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import pytest

from scoring_program.bundle import build, kit, program
from scoring_program.bundle.archive import bytecode, pack


#: A bundle of two phases packs eighteen archives: fewer places would be filled anew by each build.
@functools.lru_cache(maxsize=64)
def _packed(members: tuple[tuple[str, bytes], ...]) -> bytes:
    return pack(dict(members))


@functools.lru_cache(maxsize=8)
def _compiled(sources: tuple[tuple[str, bytes], ...], python: tuple[str, ...]) -> dict[str, bytes]:
    return bytecode(dict(sources), python)


def remember(patch: pytest.MonkeyPatch) -> None:
    """Let what builds bundles in this process pack and compile the same content once.

    Most bundles hold the same program, which takes longest to compress, and a process to compile.
    """

    def packed_once(members: Mapping[str, bytes]) -> bytes:
        return _packed(tuple(members.items()))

    def compiled_once(sources: Mapping[str, bytes], python: Sequence[str]) -> dict[str, bytes]:
        return _compiled((*sources.items(),), (*python,))

    for module in (build, kit):
        patch.setattr(module, "pack", packed_once)
    patch.setattr(program, "bytecode", compiled_once)
