"""The figures, one a module: each turns plain values into a drawing."""
