"""Metrics bound to predictions: every entry's score on the test set, and who competes."""
