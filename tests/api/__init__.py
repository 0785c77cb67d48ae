"""Tests of what import deadheat offers."""
