"""What every step uses: errors, notes, names of choices, types of arrays."""
