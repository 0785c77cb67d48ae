"""Names for array types; docstrings state the shapes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: In double or in single precision.
Reals = NDArray[np.floating[Any]]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Array = NDArray[Any]
