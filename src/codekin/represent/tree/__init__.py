"""Syntax trees as flat arrays, and what is compared of them."""
