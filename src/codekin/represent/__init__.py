"""What a text of code can be seen as: text, tree, flow, graph."""
