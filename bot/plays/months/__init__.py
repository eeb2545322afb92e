"""Months of a team, as data: one file for each language."""
