"""Deadheat: scores a competition's submissions and says which of them are statistically tied."""

__version__ = "0.1.0"
#: Of results.json.
SCHEMA_VERSION = 1
