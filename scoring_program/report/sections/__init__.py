"""The sections of the page as data, by subject."""
