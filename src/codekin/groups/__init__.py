"""Comparison of many texts: similarity matrix, clusters of revisions, near-duplicates."""
