"""ASCII forms of entry names, for keys of scores and for addresses within the page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable


def slugs(names: Iterable[str]) -> list[str]:
    """Return ASCII forms of entry names that are safe as keys, made unique with _2, _3, …

    A name that is already safe stays unchanged, even if another name's ASCII form equals it.
    """
    slugged = [(name, _slug(name)) for name in names]
    kept = {name for name, base in slugged if name == base}
    taken: set[str] = set()
    counts: Counter[str] = Counter({base for _, base in slugged})
    result = []
    for name, base in slugged:
        slug = base
        while slug in taken or (slug in kept and name != base):
            counts[base] += 1
            slug = f"{base}_{counts[base]}"
        taken.add(slug)
        result.append(slug)
    return result


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain).strip("_") or "team"
