"""Classes of differences between Joern's graphs and ours, each with a verdict.

A difference that disappears if one of Joern's mistakes (results/joern_faults.py) is made on purpose
belongs to that class. The others are classified by the operations at both ends and by the lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from joern_graphs import Witness

__all__ = ["FAULT_CLASSES", "Case", "Difference", "classify"]


@dataclass(frozen=True)
class Case:
    """An edge between lines that only one of the graphs has.

    Attributes
    ----------
    kind : str
        ``"control"`` or ``"data"``.
    is_ours : bool
        Whether we have it.
    language : str
    witnesses : sequence of Witness
        The edges between nodes behind it.
    ends : tuple of str
        Both lines.
    """

    kind: str
    is_ours: bool
    language: str
    witnesses: Sequence[Witness]
    ends: tuple[str, str]

    def every(self, pattern: str, end: str) -> bool:
        """Whether the text at one end (``"source"``, ``"target"``) of all witnesses fits."""
        return all(re.search(pattern, getattr(w, f"{end}_text")) for w in self.witnesses)


@dataclass(frozen=True)
class Difference:
    """A class of differences: what it is, and who is right."""

    name: str
    verdict: str


FAULT_CLASSES = {
    "handlers": Difference("exceptions come from the end of a try body only", "Joern's mistake"),
    "leaving": Difference("throw, raise, assert and exit do not leave", "Joern's mistake"),
    "elements": Difference("a C++ loop over elements has no test", "Joern's mistake"),
}

_IMPORTS = Difference("imports are assignments", "convention we do not follow")
_DECORATORS = Difference("decorators are calls on the line of the @", "convention we do not follow")
_HEADERS = Difference(
    "a for with several initialisers or updates loses its body", "Joern's mistake"
)
_DECLARATIONS = Difference("a declaration read as a comparison: set<string> s;", "Joern's mistake")
_SCANF = Difference("what scanf reads and fills", "Joern's rule for scanf, which we follow in part")
_SPREAD = Difference("parts of one expression on several lines", "neither")
_SLICES = Difference("reads inside an index or a slice", "Joern's export drops them")
_SHARED = Difference("operations that are written alike", "Joern goes by text alone")
_CHAINS = Difference("through which use a chain goes", "neither: both follow the convention")
_LONG = 8
_REACH = Difference("what a branch decides", "not explained")


def _is_spread(case: Case) -> bool:
    """Whether one end contains the other: an expression that spans lines."""
    for witness in case.witnesses:
        inner, outer = sorted(map(_packed, (witness.source_text, witness.target_text)), key=len)
        if len(inner) >= _LONG and inner != outer and inner in outer:
            return True
    return False


def _is_scanf(case: Case) -> bool:
    """Edges from and to scanf: Joern knows only the first ``&x``, and keeps the old x alive."""
    calls = re.compile(r"\s*scanf\s*\(")
    return all(calls.match(w.source_text) or calls.match(w.target_text) for w in case.witnesses)


def _is_shared(case: Case) -> bool:
    return any(_packed(w.source_text) == _packed(w.target_text) for w in case.witnesses)


def _packed(text: str) -> str:
    return "".join(text.split())


_RULES: list[tuple[Difference, Callable[[Case], bool]]] = [
    (_IMPORTS, lambda c: any("import(" in w.source_text + w.target_text for w in c.witnesses)),
    (_DECORATORS, lambda c: c.language == "python" and c.ends[0].lstrip().startswith("@")),
    (
        _DECLARATIONS,
        lambda c: (
            c.language in ("c", "cpp")
            and not c.is_ours
            and c.every(r"^\w+\s*<.*>\s*\w+$", "source")
        ),
    ),
    (_SCANF, lambda c: c.kind == "data" and c.language in ("c", "cpp") and _is_scanf(c)),
    (_SPREAD, lambda c: c.kind == "data" and _is_spread(c)),
    (_SHARED, lambda c: c.kind == "data" and _is_shared(c)),
    (_SLICES, lambda c: c.kind == "data" and c.is_ours and "[" in c.ends[1]),
    (_CHAINS, lambda c: c.kind == "data"),
    (_REACH, lambda c: True),
]


def classify(case: Case) -> Difference:
    """The class of a difference that no mistake of :data:`FAULT_CLASSES` explains."""
    return next(difference for difference, fits in _RULES if fits(case))
