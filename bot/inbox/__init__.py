"""A person's inbox: what fills it, what of it may still be told, their digest and their report."""
