"""What an upload may ask of the machine that reads it; every limit of reading is here."""

from __future__ import annotations

#: An archive may unfold to so many members and bytes, by this factor, and nest so deep.
MOST_MEMBERS = 10_000
MOST_BYTES = 4 * 2**30
MOST_RATIO = 200
MOST_DEPTH = 3
