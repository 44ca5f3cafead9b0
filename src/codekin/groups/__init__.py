"""Many texts at once: similarity matrix, clusters of revisions, near-duplicates."""
