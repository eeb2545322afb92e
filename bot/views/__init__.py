"""What the page shows of the house: read-only rows for the console and the why-chain."""
