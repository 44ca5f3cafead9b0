def balance(entries):
    received = sum(amount for kind, amount in entries if kind == "in")
    spent = sum(amount for kind, amount in entries if kind != "in")
    return received - spent
