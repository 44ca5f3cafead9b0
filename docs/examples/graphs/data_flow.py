def code1():
    x = 1
    y = x + 1
    z = x + 1
    return z


def code2():
    x = 1
    y = x + 1
    z = y + 1
    return z
