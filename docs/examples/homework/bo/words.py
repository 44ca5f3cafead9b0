import re


def longest(text):
    words = re.findall(r"[A-Za-z]+", text)
    return max(words, key=len, default="")
