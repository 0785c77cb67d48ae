"""How entries are compared: replicates, differences, max-T tests and the verdict."""
