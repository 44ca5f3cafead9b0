def compute():
    x = 1
    y = x + 1
    z = y + 1
    return z
