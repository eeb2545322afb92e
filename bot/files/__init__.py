"""What people send along: fetched, read, and shown to the model."""
