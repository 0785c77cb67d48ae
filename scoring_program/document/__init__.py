"""What people see: drawings, sections of blocks, and a writer for each format; no statistics."""
