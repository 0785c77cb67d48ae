"""Files and folders that systems, platforms and programmers leave next to the data.

What is said of files is never said of folders and archives, because these may be named for teams:
"License to Kill", "metadata" and ".NET team" compete.
"""

from __future__ import annotations

import re

#: Folders of systems and tools. Other hidden folders may be teams'.
_FOLDERS = re.compile(
    r"""__MACOSX | __pycache__ | \$RECYCLE\.BIN | System\ Volume\ Information | node_modules
    | \.(?: git | hg | svn | github | idea | vscode | ipynb_checkpoints | venv | env | tox | cache
          | config | [a-z]+_cache | Trash.* | Trashes | Spotlight-V100 | fseventsd
          | TemporaryItems | AppleDouble | Rproj\.user )""",
    re.VERBOSE | re.IGNORECASE,
)
_FILES = re.compile(
    r"""\..* | ~\$.* | Thumbs\.db | desktop\.ini | .*\.py[co]
    | metadata | metadata\.yaml | detailed_results\.html | team_names_and_members\.txt
    | (?: README | LICEN[CS]E | COPYING ) (?: [-_.][a-z]{2,3} )? (?: [ ]?\(?\d+\)? )?
      (?: \.(?: md | markdown | rst | txt | html? | pdf | docx? | rtf | tex ) )?
    | requirements [-_.\w]* \.txt""",
    re.VERBOSE | re.IGNORECASE,
)
#: Copies that systems and editors keep of a file, whatever its extension: ._A.zip, .~lock.A.csv#,
#: ~$A.csv.
_SHADOWS = re.compile(r"\.[_~#].*|~\$.*")


def ignored_folder(name: str) -> bool:
    """Whether a folder of this name never holds a submission."""
    return _FOLDERS.fullmatch(name) is not None


def ignored_file(name: str, *, may_be_team: bool = False) -> bool:
    """Whether a file of this name is never read.

    ``may_be_team``: the name may be a team's, as that of an archive, or of a file at the top.
    """
    if may_be_team:
        return _SHADOWS.fullmatch(name) is not None
    return _FILES.fullmatch(name) is not None


def ignored_member(path: str) -> bool:
    """Whether a file in an archive is never read; ``path`` has slashes."""
    *folders, name = path.split("/")
    return any(map(ignored_folder, folders)) or ignored_file(
        name, may_be_team=name.lower().endswith(".zip")
    )
