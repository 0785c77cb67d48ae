"""What a bootstrap may use: workers, and memory."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings.model import Settings


@dataclass(frozen=True)
class Resources:
    """How many workers score resamples, who they are, and the memory that all may take.

    ``backend`` is one of `settings.values.BACKENDS`; ``scheduler`` is the address of a dask or ray
    cluster. ``memory`` is in bytes and counts what resampling and inference hold beside the data.
    """

    workers: int = 1
    backend: str = "auto"
    scheduler: str | None = None
    memory: int = 2 << 30

    @classmethod
    def of(cls, settings: Settings) -> Resources:
        """Return what the settings allow."""
        memory = int(settings.memory * 2**30)
        return cls(settings.workers, settings.backend, settings.scheduler, memory)


#: One worker, and the memory that the settings allow by default.
ONE_WORKER = Resources()
