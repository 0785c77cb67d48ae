"""The figures: each function turns plain values into a drawing."""
