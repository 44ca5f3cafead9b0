"""What a program does: flow IR, control flow, dependence, effects, slices."""
