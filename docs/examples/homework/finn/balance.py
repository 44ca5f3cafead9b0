def balance(entries):
    if not entries:
        return 0
    (kind, amount), *rest = entries
    return balance(rest) + (amount if kind == "in" else -amount)
