"""What is in a shopping basket, and what it costs."""

DISCOUNTS = {"SPRING": 0.1, "STAFF": 0.25}


class Basket:
    """Items with their prices, and perhaps the code of a discount."""

    def __init__(self):
        self.items = []
        self.code = None

    def add(self, name, price, count=1):
        """Put something in."""
        self.items.append((name, price, count))

    def remove(self, name):
        """Take all of a kind out again."""
        for item in self.items:
            if item[0] == name:
                self.items.remove(item)

    def total(self):
        """The price of everything."""
        amount = 0
        for _, price, count in self.items:
            amount += price * count
        if self.code in DISCOUNTS:
            amount -= amount * DISCOUNTS[self.code]
        return amount

    def average(self):
        """The price of an item, on average."""
        return self.total() / len(self.items)
