"""What is typed in a terminal: options in, one call of the library, messages and exit statuses."""
