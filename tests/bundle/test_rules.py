"""The rules of competition.yaml: those of Codabench, and the few that are stricter."""

from __future__ import annotations

import copy
from datetime import date
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle import description, program
from scoring_program.bundle.build import build
from scoring_program.core.errors import SettingsError
from tests.bundle.made import NOTHING_CARRIED, Change, edited, example, members
from tests.bundle.rules import LATER, REFUSED, STRICTER, TAKEN
from tests.platform import unpackers
from tests.sweeps import thinned

START = date(2026, 1, 1)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The example's bundle, whose competition.yaml the changes are made to as well."""
    folder = example(tmp_path_factory.mktemp("example"))
    with pytest.MonkeyPatch.context() as patch:
        name = "codalab/codalab-legacy:py312"
        patch.setitem(program.IMAGES, name, NOTHING_CARRIED)
        content = build(folder / "competition.yaml", start=START, rehearsed=False)
    return members(content)


def platform_takes(bundle: dict[str, bytes], change: Change) -> bool:
    document = yaml.safe_load(bundle["competition.yaml"])
    change(document)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    try:
        unpackers.codabench({**bundle, "competition.yaml": text.encode()})
    except unpackers.FAILURES:
        return False
    return True


@pytest.mark.parametrize("name", thinned(TAKEN))
def test_what_both_take(folder: Path, bundle: dict[str, bytes], name: str) -> None:
    assert platform_takes(bundle, TAKEN[name])
    description.load(edited(folder, TAKEN[name]), START)


@pytest.mark.parametrize("name", LATER)
def test_what_later_versions_may_take(folder: Path, bundle: dict[str, bytes], name: str) -> None:
    assert not platform_takes(bundle, LATER[name])
    (note,) = description.load(edited(folder, LATER[name]), START).notes
    assert "Codabench 1.25 (March 2026)" in note


@pytest.mark.parametrize("name", thinned(REFUSED))
def test_what_both_refuse(folder: Path, bundle: dict[str, bytes], name: str) -> None:
    change, message = REFUSED[name]
    assert not platform_takes(bundle, change)
    with pytest.raises(SettingsError, match=message):
        build(edited(folder, change), start=START, rehearsed=False)


@pytest.mark.parametrize("name", thinned(STRICTER))
def test_what_only_the_platform_takes(folder: Path, bundle: dict[str, bytes], name: str) -> None:
    change, message = STRICTER[name]
    assert platform_takes(bundle, change)
    with pytest.raises(SettingsError, match=message):
        build(edited(folder, change), start=START, rehearsed=False)


def test_a_change_is_one(folder: Path) -> None:
    """But for the first, each says something else than the example does."""
    right = yaml.safe_load((folder / "competition.yaml").read_text(encoding="utf-8"))
    changes = {
        **TAKEN,
        **LATER,
        **{name: pair[0] for name, pair in {**REFUSED, **STRICTER}.items()},
    }
    for name, change in changes.items():
        document = copy.deepcopy(right)
        change(document)
        assert (document != right) == (name != "as it is"), name
