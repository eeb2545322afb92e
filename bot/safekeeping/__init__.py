"""Safekeeping: backups, restores, versions, and what is no longer kept."""
