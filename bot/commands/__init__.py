"""What people order in a chat: answered at once, in code, without a model."""
