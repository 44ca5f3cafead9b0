"""What a text of code can be seen as: its tree, its tokens, its n-grams."""
