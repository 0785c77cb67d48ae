"""The version of the program, and the version of the schema of results.json."""

__version__ = "0.1.0"
SCHEMA_VERSION = 2
