"""Broken and hostile input, faults while running, limits and load."""
