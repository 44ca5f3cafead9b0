def balance(entries):
    total = 0
    for kind, amount in entries:
        if kind == "in":
            total += amount
        else:
            total -= amount
    return total
