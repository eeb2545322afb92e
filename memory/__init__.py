"""Remembers: the database, originals, people, audiences, search, facts and readable files."""
