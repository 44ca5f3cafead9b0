"""Invoices, and reminders of those that were not paid."""


def invoice_sum(items, taxes):
    """What an invoice adds up to."""
    amount = 0
    for item in items:
        if item.quantity <= 0:
            continue
        cost = item.quantity * item.price
        tax = taxes.get(item.country, 0.19)
        amount += cost * (1 + tax)
    return round(amount, 2)


def overdue_invoices(invoices, today, days=30):
    """Invoices that should have been paid, the oldest first."""
    overdue = []
    for invoice in invoices:
        if invoice.cancelled:
            continue
        waited = (today - invoice.sent).days
        if waited > days and not invoice.paid:
            overdue.append((waited, invoice.number))
    overdue.sort(reverse=True)
    return [number for _, number in overdue]
