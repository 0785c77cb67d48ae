"""How much memory the system still grants this process, where it sets a limit (``ulimit -v``)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: The modules that load OpenBLAS, each a copy of its own.
_LIBRARIES = ("numpy", "scipy.special")
#: What a copy reserves: a part of its own, and one for each processor's thread. With less it gives
#: up, hangs or crashes, where Python cannot catch it.
_OWN, _PER_PROCESSOR = 100 << 20, 20 << 20


def lacks_libraries() -> bool:
    """Return whether less is left than the libraries that are not loaded yet will reserve."""
    unloaded = sum(name not in sys.modules for name in _LIBRARIES)
    return unloaded > 0 and room() < unloaded * _share()


def is_short() -> bool:
    """Return whether so little is left that it explains an error of any kind."""
    return room() < _share()


def room() -> float:
    """Return the bytes of address space that are left; infinity where nothing limits them."""
    try:
        import resource
    except ImportError:  # on Windows
        return float("inf")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:  # only Linux tells
        pages = 0
    return limit - pages * resource.getpagesize()


def _share() -> int:
    """Return the bytes that one of the libraries reserves."""
    counted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return _OWN + _PER_PROCESSOR * (counted or 1)
