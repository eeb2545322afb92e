"""Carries out runs: sessions, inputs, the controller, the runtime, dispatch and the outbox."""
