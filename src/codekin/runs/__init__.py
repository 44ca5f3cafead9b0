"""Scoring jobs: rows of every format, shards, workers, and the runs they write."""
