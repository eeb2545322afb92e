"""The built-in model: rules instead of a language model, in the same message format."""
