"""Models that decide whether two snippets are clones."""
