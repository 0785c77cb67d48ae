"""What setup.cfg cannot say: a wheel holds the templates compiled, too."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_TEMPLATES = Path(__file__).parent / "scoring_program" / "core" / "templates.py"


class BuildWithCompiledTemplates(build_py):
    """Adds them to what is built; an editable installation has sources, which may change."""

    def run(self) -> None:
        """Build as usual, then compile."""
        super().run()
        if self.editable_mode:
            return
        # Alone, because the build's environment holds Jinja2 and no other library.
        spec = importlib.util.spec_from_file_location("templates", _TEMPLATES)
        assert spec is not None
        assert spec.loader is not None
        templates = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(templates)
        folder = Path(self.build_lib) / "deadheat" / "templates" / templates.COMPILED
        folder.mkdir(exist_ok=True)
        for name, content in templates.compiled().items():
            (folder / name).write_bytes(content)


setup(cmdclass={"build_py": BuildWithCompiledTemplates})
