def longest(text):
    run, most, end = 0, 0, 0
    for place in range(len(text)):
        run = run + 1 if text[place].isalpha() else 0
        if run > most:
            most, end = run, place + 1
    return text[end - most : end]
