"""The flow of a program: flow IR, control flow, dependence, effects, slices."""
