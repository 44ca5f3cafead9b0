"""Clone corpora: read, build, type, abstract, split into views, pair, audit."""
