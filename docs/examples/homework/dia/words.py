def longest(text):
    clean = "".join(letter if letter.isalpha() else " " for letter in text)
    ranked = sorted(clean.split(), key=lambda word: (-len(word), clean.index(word)))
    return ranked[0] if ranked else ""
