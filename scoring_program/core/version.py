"""The version of the program, and the version of the schema of results.json."""

__version__ = "0.1.0"
SCHEMA_VERSION = 3
#: The versions of results.json that can be read; what an older one lacks is None.
READABLE_SCHEMAS = (2, SCHEMA_VERSION)
