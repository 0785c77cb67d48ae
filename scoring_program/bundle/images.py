"""The platforms' images: their Python, and the packages that they lack and this program needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import SettingsError, nearest
from . import lock
from .lock import Locked

_LOCKS = Path(__file__).with_name("locks")
#: The lock file of what every bundle carries. Each extra of this package has one of its own.
_BASE = "base"


@dataclass(frozen=True)
class Image:
    """A platform's image: its Python, its platform tag, and the folder of its lock files."""

    python: str
    platform: str
    locks: Path

    def carried(self, extras: Collection[str] = ()) -> tuple[Locked, ...]:
        """Return the packages that a bundle with these extras carries, each once."""
        names = (_BASE, *extras)
        return tuple(dict.fromkeys(i for name in names for i in lock.read(self.lock_file(name))))

    def lock_file(self, extra: str) -> Path:
        """Return the lock file of an extra."""
        return self.locks / f"{extra}.txt"


IMAGES = {
    # Holds numpy 1.26.4, scipy 1.11.4, scikit-learn 1.5.1, pandas 2.2.3 and PyYAML 6.0.2.
    "codalab/codalab-legacy:py312": Image(
        python="3.12", platform="manylinux2014_x86_64", locks=_LOCKS / "codalab-legacy-py312"
    ),
}


def image(name: str) -> Image:
    """Return what is known about an image.

    Raises
    ------
    SettingsError
        It is not known which packages the image holds.
    """
    if name not in IMAGES:
        raise SettingsError(
            f"competition.yaml: docker_image: the packages of {name!r} are not known"
            f"{nearest(name, IMAGES)}; choose a known image: {', '.join(IMAGES)}"
        )
    return IMAGES[name]
