"""Turns one foreign thing into our words, and back."""
