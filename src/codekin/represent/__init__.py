"""Representations of code: text, tree, flow and graph."""
