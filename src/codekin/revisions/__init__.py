"""Comparison of two revisions of one origin: common changes, one-sided ones and differences."""
