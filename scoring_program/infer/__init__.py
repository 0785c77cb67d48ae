"""What can be concluded from scores and bootstrap replicates: arrays in, frozen results out."""

from scoring_program.infer.analyse import analyse

__all__ = ["analyse"]
