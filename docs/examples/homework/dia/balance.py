def balance(entries):
    index, result = 0, 0
    while index < len(entries):
        entry = entries[index]
        result = result + entry[1] if entry[0] == "in" else result - entry[1]
        index += 1
    return result
