"""The sections of the page as data, one module each."""
