"""Algorithms on plain sequences and trees, which know nothing of code."""
