def longest(text):
    current, best = [], []
    for letter in text + " ":
        if letter.isalpha():
            current.append(letter)
        else:
            if len(current) > len(best):
                best = current
            current = []
    return "".join(best)
