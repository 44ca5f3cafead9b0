"""Forms of clone corpora, one file each; see :func:`codekin.corpora.reading.corpus_formats`."""
