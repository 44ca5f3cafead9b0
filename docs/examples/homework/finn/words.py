def longest(sentence):
    piece, record = [], []
    for sign in sentence + " ":
        if sign.isalpha():
            piece.append(sign)
        else:
            if len(piece) > len(record):
                record = piece
            piece = []
    return "".join(record)
