"""What acts: sessions, runs, the runtime, roles, tools, models, the outbox, and the house."""
