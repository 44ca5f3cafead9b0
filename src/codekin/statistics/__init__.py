"""Numbers about scores: effect sizes, correlation, bootstrap, paired tests; arrays in and out."""
