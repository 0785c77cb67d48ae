"""What setup.cfg cannot say: a wheel holds the templates compiled, too."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_PACKAGE = Path(__file__).parent / "scoring_program"
_TEMPLATES = _PACKAGE / "core" / "templates.py"


class BuildWithCompiledTemplates(build_py):
    """Adds them to what is built; an editable installation has sources, which may change."""

    def run(self) -> None:
        """Build as usual, then compile."""
        super().run()
        if self.editable_mode:
            return
        # Alone, because the build's environment holds Jinja2 and no other library; and without
        # bytecode beside the sources, which are what is built.
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(_PACKAGE))
        compiled = runpy.run_path(str(_TEMPLATES), run_name="core.templates")
        folder = Path(self.build_lib) / "deadheat" / "templates" / compiled["COMPILED"]
        folder.mkdir(exist_ok=True)
        for name, content in compiled["compiled"]().items():
            (folder / name).write_bytes(content)


setup(cmdclass={"build_py": BuildWithCompiledTemplates})
