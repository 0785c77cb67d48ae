"""What every step uses: errors, notes, names of methods, types of arrays, the templates' folder."""
