def count_words(lines, least=2):
    counts = {}
    for line in lines:
        for word in line.split():
            if len(word) < least:
                continue
            counts[word] = counts.get(word, 0) + 1
    return counts


def longest(counts):
    best = ""
    for word in counts:
        if len(word) > len(best):
            best = word
    return best


print(longest(count_words(open("text.txt"))))
