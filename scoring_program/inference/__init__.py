"""What can be concluded from scores and bootstrap replicates: arrays in, frozen results out."""

from .analyse import analyse

__all__ = ["analyse"]
