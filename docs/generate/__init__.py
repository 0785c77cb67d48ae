"""What the documentation takes from the program: reference tables, example pages, formulas."""
