"""Numbers about scores: estimates with intervals, and tests between systems; numpy in and out."""
