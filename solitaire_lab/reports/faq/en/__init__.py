"""The answers in English."""
