"""Settings, the data folder, and looking over both."""
