"""Metrics that others wrote: an organizer's file, an installed package, a metric of Kaggle's."""
