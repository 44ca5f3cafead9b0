"""What the syntax of each language does: one table a language."""
