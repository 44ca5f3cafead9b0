"""Plots as inline SVG: axes, charts by system, cards of a judgement, and strips in tables."""
