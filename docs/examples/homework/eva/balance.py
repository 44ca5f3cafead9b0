from collections import defaultdict


def balance(entries):
    by_kind = defaultdict(int)
    for kind, amount in entries:
        by_kind[kind] += amount
    return by_kind["in"] - by_kind["out"]
