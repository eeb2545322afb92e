"""What thinks: the shape of a model, the Anthropic one, the built-in one, and fitting messages."""
