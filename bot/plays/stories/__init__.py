"""The stories that ship: one TOML file a story and language, `NAME.LANGUAGE.toml`."""
