def mean(values):
    """The arithmetic mean."""
    if not values:
        raise ValueError("no values")
    total = 0
    for i in range(len(values)):
        total += values[i]
    return total / len(values)


def spread(values):
    """How far the values lie apart."""
    low = min(values)
    high = max(values)
    return high - low


def closest(values, target):
    """The value that lies closest to the target."""
    best = values[0]
    for value in values:
        if abs(value - target) < abs(best - target):
            best = value
    return best
