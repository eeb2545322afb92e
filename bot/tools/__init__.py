"""The tools of every role, one noun a file."""
