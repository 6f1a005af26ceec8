"""The answers in German."""
