"""What a text is before it is parsed: tokens, lexemes, comments, macros; its language."""
