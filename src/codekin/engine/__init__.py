"""Scoring jobs: rows in shards, executors, runs that can be resumed."""
