"""Judgements of measures as they are read: tables, documents, and sections of a page."""
