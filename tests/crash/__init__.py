"""Kills a real process at every point between two durable states, and looks what the next finds."""
