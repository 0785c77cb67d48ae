"""The workers and the memory that a bootstrap may use."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings.model import Settings
from .kept_counts import KeptCounts


@dataclass(frozen=True)
class Resources:
    """How many workers score resamples, on which backend, and the memory that all may use.

    ``backend`` is one of `settings.values.BACKENDS`; ``scheduler`` is the address of a dask or ray
    cluster. ``memory`` is in bytes; it limits what resampling and inference hold in addition to the
    data. Workers on this machine fill in the draws that are ``kept``.
    """

    workers: int = 1
    backend: str = "auto"
    scheduler: str | None = None
    memory: int = 2 << 30
    kept: KeptCounts | None = None

    @classmethod
    def of(cls, settings: Settings) -> Resources:
        """Return the resources that the settings allow."""
        memory = int(settings.memory * 2**30)
        return cls(settings.workers, settings.backend, settings.scheduler, memory)


#: One worker, and the memory that the settings allow by default.
ONE_WORKER = Resources()
