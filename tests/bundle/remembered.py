"""What bundles of one run of tests share, made once: programs, bytecode and what files mean."""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from scoring_program.bundle import build, frozen, kit, program
from scoring_program.bundle.archive import bytecode, pack
from scoring_program.bundle.frozen import stated_settings


#: A bundle of two phases packs eighteen archives: fewer places would be filled anew by each build.
@functools.lru_cache(maxsize=64)
def _packed(members: tuple[tuple[str, bytes], ...]) -> bytes:
    return pack(dict(members))


@functools.lru_cache(maxsize=8)
def _compiled(sources: tuple[tuple[str, bytes], ...], python: tuple[str, ...]) -> dict[str, bytes]:
    return bytecode(dict(sources), python)


@functools.lru_cache(maxsize=16)
def _stated(reference: bytes, uploads: tuple[bytes, ...]) -> dict[str, Any]:
    return stated_settings(reference, uploads)


def remember(patch: pytest.MonkeyPatch) -> None:
    """Let what builds bundles in this process pack, compile and read the same content once.

    Most bundles hold the same program, which takes longest to compress, and a process to compile.
    Most begin with the same files, of which it depends on nothing else what they mean.
    """

    def packed_once(members: Mapping[str, bytes]) -> bytes:
        return _packed(tuple(members.items()))

    def compiled_once(sources: Mapping[str, bytes], python: Sequence[str]) -> dict[str, bytes]:
        return _compiled((*sources.items(),), (*python,))

    def stated_once(reference: bytes, uploads: Sequence[bytes]) -> dict[str, Any]:
        return copy.deepcopy(_stated(reference, tuple(uploads)))

    patch.setattr(frozen, "stated_settings", stated_once)
    for module in (build, kit):
        patch.setattr(module, "pack", packed_once)
    patch.setattr(program, "bytecode", compiled_once)
