"""Folders of Parquet parts: read, joined and counted by workers, so that nobody holds all rows."""
