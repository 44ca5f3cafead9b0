"""Syntax trees as flat arrays, their named nodes and their subtrees."""
