"""The built-in web chat: a platform of its own, with its rooms, people and messages."""
