"""The audit's outputs: a page, tables and audit.json. Each module makes one of them, or a section.

The functions in `SECTIONS` take the audit and a language, and yield what the page holds; none where
there is nothing to say.
"""
