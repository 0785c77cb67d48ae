"""The version of the program, and that of the form of results.json."""

__version__ = "0.1.0"
SCHEMA_VERSION = 1
