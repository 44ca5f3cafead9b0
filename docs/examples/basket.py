"""What is in a shopping basket, and what it costs."""

DISCOUNTS = {"SPRING": 0.1, "STAFF": 0.25}


class Basket:
    def __init__(self):
        self.items = []
        self.code = None

    def add(self, name, price, count=1):
        self.items.append((name, price, count))

    def remove(self, name):
        for item in self.items:
            if item[0] == name:
                self.items.remove(item)

    def total(self):
        amount = 0
        for name, price, count in self.items:
            amount += price * count
        if self.code in DISCOUNTS:
            amount -= amount * DISCOUNTS[self.code]
        return amount

    def average(self):
        return self.total() / len(self.items)
