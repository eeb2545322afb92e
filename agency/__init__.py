"""What the agency knows, wants and decides: rules and records; it never sends, runs or sleeps."""
