"""The documentation: pages in Markdown, and in `generate` what is written by a program."""
