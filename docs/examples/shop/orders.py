"""Orders and what they cost."""


def order_total(lines, rates):
    """What an order costs, with taxes."""
    total = 0
    for line in lines:
        if line.quantity <= 0:
            continue
        price = line.quantity * line.price
        rate = rates.get(line.country, 0.19)
        total += price * (1 + rate)
    return round(total, 2)


def late_orders(orders, today, days=14):
    """Orders that should have arrived, the oldest first."""
    late = []
    for order in orders:
        waited = (today - order.placed).days
        if waited > days and not order.delivered:
            late.append((waited, order.number))
    late.sort(reverse=True)
    return [number for _, number in late]
