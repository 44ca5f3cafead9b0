def longest(text):
    best = ""
    for word in text.split():
        word = word.strip(".,;:!?")
        if len(word) > len(best):
            best = word
    return best
