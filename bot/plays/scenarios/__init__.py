"""Scenarios that measure the routing; see docs/evaluation.md for the form of the files."""
