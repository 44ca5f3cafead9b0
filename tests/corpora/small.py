"""A small corpus: programs for a few problems by a few authors."""

from __future__ import annotations

import re

from codekin.corpora.corpus import Corpus
from codekin.corpora.snippets import Role, Snippet

BODIES = {
    "sum": "int s = 0; for (int i = 0; i < n; i++) s += x[i] * {0}; return s;",
    "max": "int m = x[0]; for (int k = 1; k < n; k++) if (x[k] > m + {0}) m = x[k]; return m;",
    "count": "int c = {0}; while (n-- > 0) if (x[n] == 0) c++; return c;",
    "find": "for (int j = {0}; j < n; j++) if (x[j] == 7) return j; return -1;",
    "copy": "for (int a = 0; a < n; a++) y[a + {0}] = x[a]; return n;",
    "swap": "int t = x[{0}]; x[{0}] = x[n - 1]; x[n - 1] = t; return t;",
}


def program(problem: str, author: int) -> str:
    """A solution of a problem; no two are copies of each other."""
    name = f"{problem}{author}"
    body = BODIES[problem].replace("{0}", str(author))
    for word in ("x", "y", "n", "i"):
        body = re.sub(rf"\b{word}\b", f"{word}{author}", body)
    return f"int {name}(int *x{author}, int *y{author}, int n{author}) {{ {body} }}"


def contest(authors: int = 12, problems: int = 6) -> Corpus:
    """Every author has solved every problem."""
    names = list(BODIES)[:problems]
    return Corpus(
        "contest",
        tuple(
            Snippet(f"{name}/{author}", "c", program(name, author), (Role(name),), f"p{author}")
            for name in names
            for author in range(authors)
        ),
    )
