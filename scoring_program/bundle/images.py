"""The platforms' images: their Python, and the packages that they lack and this program needs.

The version of every package that a bundle carries is pinned here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.errors import SettingsError, nearest


@dataclass(frozen=True)
class Image:
    """A platform's image: its Python and platform tag, and the packages that a bundle carries."""

    python: str
    platform: str
    carried: tuple[str, ...]


IMAGES = {
    # Holds numpy 1.26.4, scipy 1.11.4, scikit-learn 1.5.1, pandas 2.2.3 and PyYAML 6.0.2.
    "codalab/codalab-legacy:py312": Image(
        python="3.12",
        platform="manylinux2014_x86_64",
        carried=(
            "jinja2==3.1.6",
            "markupsafe==3.0.2",
            "statsmodels==0.14.4",
            "patsy==1.0.1",
            "packaging==25.0",
            "tqdm==4.67.1",
        ),
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
