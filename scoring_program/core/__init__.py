"""Shared by all steps: errors, notes, names of methods, array types, the templates' folder."""
