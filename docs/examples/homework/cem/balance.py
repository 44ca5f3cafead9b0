def balance(entries):
    signs = {"in": 1, "out": -1}
    return sum(signs[kind] * amount for kind, amount in entries)
