"""What ``import deadheat`` offers: comparisons of arrays, tables and folders, and their results."""
