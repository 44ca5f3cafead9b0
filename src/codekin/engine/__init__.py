"""Scoring jobs: rows in, shards of scores out, on one machine or many."""
