"""Semantic graphs: building, labels, features and export."""
