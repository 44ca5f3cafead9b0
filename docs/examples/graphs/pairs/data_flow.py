def compute():
    x = 1
    y = x + 1
    z = x + 1
    return z
