"""Detectors over views, levels and corpora: the plan, its cells, and what they show."""
