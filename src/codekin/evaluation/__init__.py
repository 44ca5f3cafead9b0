"""What measures are worth: judged by triplets, outcomes, known changes and known edits."""
