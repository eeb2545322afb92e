"""Reminders and tasks at a time: set, told, changed, and given when their turn comes."""
