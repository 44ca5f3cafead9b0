"""Two revisions of one origin: what both did, what one did, and where they differ."""
