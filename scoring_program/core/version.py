"""The versions of the program and of the schema of results.json, and how extras are installed."""

__version__ = "0.1.0"
SCHEMA_VERSION = 3
#: The versions of results.json that can be read; what an older one lacks is None.
READABLE_SCHEMAS = (2, SCHEMA_VERSION)


def install_line(extra: str) -> str:
    """Return the command that installs an extra: of the installed program, else in its clone.

    Where the program is installed, pip only adds what the extra lists, whatever the package index
    holds. Double quotes, because every shell of every system takes them.
    """
    program = "deadheat" if __name__.startswith("deadheat.") else "."
    return f'pip install "{program}[{extra}]"'
