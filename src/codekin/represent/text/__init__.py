"""Code as text: tokens, lexemes, comments, macros, and language detection."""
