def find_first(values, target):
    """Return the index of the first match in a sorted list, or -1."""
    lo, hi = 0, len(values) - 1
    found = -1
    while lo < hi:
        mid = (lo + hi) // 2
        if values[mid] == target:
            found = mid
            hi = mid - 1
        elif values[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return found
