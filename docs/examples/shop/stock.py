"""What is in stock, and what to buy."""


def reorder(products, sold, weeks=4):
    """How many of each product to buy so that they last some weeks."""
    wanted = {}
    for product in products:
        per_week = sold.get(product.name, 0) / 52
        missing = per_week * weeks - product.count
        if missing > 0:
            wanted[product.name] = int(missing) + 1
    return wanted


def shelf_of(product, shelves):
    """The shelf with the most room for a product."""
    best = None
    for shelf in shelves:
        room = shelf.width - sum(one.width for one in shelf.products)
        if room >= product.width and (best is None or room > best[0]):
            best = room, shelf
    return best and best[1]
