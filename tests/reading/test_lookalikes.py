"""Names that look alike."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scoring_program.reading.names import PROTOTYPES, lookalikes, prototypes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "\u0410lice"),  # CYRILLIC CAPITAL LETTER A
        ("\u0430\u0441\u0435", "ace"),  # all Cyrillic
        ("Omega", "\u039fmega"),  # GREEK CAPITAL LETTER OMICRON
        ("\uff34eam", "Team"),  # FULLWIDTH LATIN CAPITAL LETTER T
        ("\u0420\u0410\u0420\u0410", "\u03a1\u0391\u03a1\u0391"),  # Cyrillic, Greek
        ("team\u2010one", "team\u2011one"),  # hyphens
    ],
)
def test_letters_of_other_scripts_look_alike(one: str, other: str) -> None:
    assert lookalikes([one, "Third", other]) == [(one, other)]


def test_different_names_do_not() -> None:
    assert lookalikes(["Ñandú", "Nandu", "Zoë", "Zoe", "東京", "京都", "Москва", "Mockba2"]) == []
    assert lookalikes(["team0", "teamO", "l1", "Il", "rn", "m"]) == []


def test_ascii_names_need_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("confusable_homoglyphs")]:
        monkeypatch.delitem(sys.modules, name)
    lookalikes(["One", "Two", "0ne"])
    assert not any(name.startswith("confusable_homoglyphs") for name in sys.modules)


def test_a_packed_program_knows_the_same_prototypes(tmp_path: Path) -> None:
    copy = tmp_path / "scoring_program"
    for folder in ("core", "reading", "recognize"):
        shutil.copytree(Path(lookalikes.__code__.co_filename).parents[1] / folder, copy / folder)
    (copy / "reading" / PROTOTYPES).write_text(json.dumps(prototypes()), encoding="utf-8")
    code = (
        "import sys; sys.modules['confusable_homoglyphs'] = None\n"
        "from scoring_program.reading.names import lookalikes\n"
        "print(len(lookalikes(['Alice', '\\u0410lice', 'Third'])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
