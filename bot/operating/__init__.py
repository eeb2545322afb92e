"""What those who run Limen see of it: logs, health, metrics, and how it stops."""
