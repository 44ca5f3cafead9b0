"""Random structured programs in Python, C and Java, to test what a graph claims of them."""
