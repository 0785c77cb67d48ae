"""Shows the progress of a run: a bar on a terminal, an occasional line elsewhere.

Platforms show standard output to participants line by line, where a bar would be noise.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TextIO

Progress = Callable[[int, int], None]

#: Seconds before the first line and between lines; a quick run needs none.
_SECONDS = 5.0


@contextlib.contextmanager
def shown(
    stream: TextIO | None, log: Callable[[str], None], what: str = "resamples"
) -> Iterator[Progress]:
    """Yield a function that shows the number of things done, such as resamples, and their total."""
    if stream is None or not stream.isatty():
        yield _lines(log, what)
        return
    from tqdm import tqdm  # imported here because a run on a platform needs no bar

    bars: list[tqdm[None]] = []

    def show(done: int, total: int) -> None:
        bar = (
            bars.pop()
            if bars
            else tqdm(total=total, unit="", unit_scale=True, leave=False, file=stream)
        )
        bar.update(done - bar.n)
        if done < total:
            bars.append(bar)
        else:
            bar.close()  # so that lines can follow

    try:
        yield show
    finally:
        for bar in bars:
            bar.close()


def _lines(log: Callable[[str], None], what: str) -> Progress:
    started = said = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said >= _SECONDS and done < total:
            said = now
            log(f"{done:,} of {total:,} {what} after {now - started:.0f} s.")

    return show
