"""Statistics of scores: effect sizes, correlation, bootstrap and paired tests, on arrays."""
