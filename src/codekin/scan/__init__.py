"""Finding clones in many files: fragments, candidates, findings, and classes of clones."""
