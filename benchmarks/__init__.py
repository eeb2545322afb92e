"""How fast and how small Limen is, as ratios measured in one run: `python -m benchmarks`."""
