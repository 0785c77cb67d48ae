"""A changed number, word or look is found where it is; what is meant passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.freeze.__main__ import main

#: A program that scores everything with one number, and refuses what is malformed.
PROGRAM = """\
import json, pathlib, sys
if "mistake" in sys.argv[1] or sys.argv[1] == "check":
    print("{word} the columns", file=sys.stderr)
    sys.exit(1)
output = pathlib.Path(sys.argv[2])
(output / "scores.json").write_text(json.dumps({{"accuracy": {number}}}))
(output / "detailed_results.html").write_text("<p>{word}</p><svg><rect x='{x}'/></svg>")
print("Page:", output)
"""
REFUSED, SCORED = "refusals/mistake-development-set", "variant-wide"


def frozen(root: Path, word: str = "swap", number: float = 0.75, x: float = 10.04) -> Path:
    package = root / "program" / "scoring_program"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    code = PROGRAM.format(word=word, number=number, x=x)
    (package / "__main__.py").write_text(code, encoding="utf-8")
    few = ("--items", "variant: wide", "mistake: development set")
    assert main(["write", str(root), "--program", str(root / "program"), *few]) == 0
    return root


def compared(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capsys.readouterr()
    return main(["compare", *map(str, arguments)]), capsys.readouterr().out


def test_equal_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = frozen(tmp_path / "one")
    # Rounding errors and tenths of a pixel are none.
    other = frozen(tmp_path / "other", number=0.75 + 1e-12, x=10.01)
    assert compared(capsys, one, other) == (
        0,
        "numbers: 0 of 1 items differ\nrefusals: 0 of 1 items differ\nlooks: 0 of 1 items differ\n",
    )
    assert "0.75" in (one / "numbers" / f"{SCORED}.txt").read_text(encoding="utf-8")
    assert "Page: OUT" in (one / "looks" / f"{SCORED}.txt").read_text(encoding="utf-8")


def test_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = frozen(tmp_path / "one"), frozen(tmp_path / "other", "exchange", 0.76, 10.2)
    status, told = compared(capsys, one, other)
    assert status == 1
    assert f"numbers/{SCORED}\n  - accuracy = 0.75\n  + accuracy = 0.76\n" in told
    assert f"{REFUSED}\n  - ! swap the columns\n  + ! exchange the columns\n" in told
    assert '  - <rect x="10.0">\n  + <rect x="10.2">\n' in told
    assert compared(capsys, one, other, "--layers", "numbers", "--tolerance", "0.1")[0] == 0
    patterns = tmp_path / "meant.txt"
    patterns.write_text("# words\nrefusals/* the columns$\nnumbers/* ^accuracy\n", encoding="utf-8")
    status, told = compared(capsys, one, other, "--allow", patterns)
    assert status == 1
    assert "refusals: 1 of 1 items differ, 1 of them as allowed" in told
    assert f"looks/{SCORED}\n" in told
    patterns.write_text("*", encoding="utf-8")
    assert compared(capsys, one, other, "--allow", patterns)[0] == 0


def test_an_item_that_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = frozen(tmp_path / "one"), frozen(tmp_path / "other")
    (other / f"{REFUSED}.txt").unlink()
    status, told = compared(capsys, one, other)
    assert status == 1
    assert f"{REFUSED}\n  + no such item\n" in told


def test_the_inputs_of_an_earlier_freeze(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the tests' makers have become, two programs get the same."""
    one, again = frozen(tmp_path / "one"), tmp_path / "again"
    program = ("--program", str(one / "program"), "--corpus", str(one))
    assert main(["write", str(again), *program]) == 0
    assert compared(capsys, one, again)[0] == 0
