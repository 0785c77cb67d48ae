"""The commands: they read options, call the library, and print messages."""
