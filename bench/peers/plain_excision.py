"""es-token in plain Python: the same definition on lists and counters, with rapidfuzz's LCS.

Two texts can have several longest common subsequences; rapidfuzz takes another one than codekin
now and then, and the score differs with it. Lines are not anchored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

__all__ = ["es_token", "es_token_of_lists", "tokens"]

_STRING = r"""[a-zA-Z]{0,2}"(?:[^"\\\n]|\\.)*"|[a-zA-Z]{0,2}'(?:[^'\\\n]|\\.)*'"""
_LONG = r"\*\*=|//=|>>=|<<=|\.\.\.|->\*|<=>|[-+*/%&|^@:=!<>]="
_OPERATOR = _LONG + r"|->|::|\+\+|--|\*\*|//|<<|>>|&&|\|\||[^\s\w]"
_PYTHON = re.compile(
    r'(?P<skip>\#[^\n]*|\\\n)|(?P<line>\n)|(?P<text>[a-zA-Z]{0,2}"""(?s:.*?)"""|'
    r"[a-zA-Z]{0,2}'''(?s:.*?)'''|"
    + _STRING
    + r")|(?P<other>\.?\d(?:[eE][+-]|[\w.])*|\w+|"
    + _OPERATOR
    + ")"
)
_BRACES = re.compile(
    r"(?P<skip>//[^\n]*|/\*(?s:.*?)\*/)|(?P<line>\n)|(?P<text>" + _STRING + r")|"
    r"(?P<other>\.?\d(?:[eEpP][+-]|[\w.'])*|\w+|" + _OPERATOR + ")"
)

Region = tuple[int, int, int, int, int, int]


def tokens(text: str, language: str) -> list[str]:
    """Tokens without comments; in Python each logical line begins with its indentation."""
    if language != "python":
        return [m[0] for m in _BRACES.finditer(text) if m.lastgroup in ("text", "other")]
    found: list[str] = []
    line: list[str] = []
    depth, indent, strings = 0, 0, True
    for match in _PYTHON.finditer(text):
        if match.lastgroup == "line":
            if depth == 0 and line:
                found += _logical(line, indent, strings)
                line, strings = [], True
        elif match.lastgroup != "skip":
            token = match[0]
            if not line:
                start = text.rfind("\n", 0, match.start()) + 1
                indent = len(text[start : match.start()].expandtabs(8))
            depth = max(0, depth + (token in "([{") - (token in ")]}"))
            strings = strings and match.lastgroup == "text"
            line.append(token)
    return found + (_logical(line, indent, strings) if line else [])


def _logical(line: list[str], indent: int, strings: bool) -> list[str]:
    return [] if strings else [f"\n{indent}", *line]


def es_token(origin: str, candidate: str, reference: str, language: str) -> float:
    """The score of texts."""
    lists = (tokens(text, language) for text in (origin, candidate, reference))
    return es_token_of_lists(*lists)


def es_token_of_lists(
    origin: Sequence[str], candidate: Sequence[str], reference: Sequence[str]
) -> float:
    """The score of lists of tokens."""
    if reference == candidate:
        return 1.0
    regions = _merge(_hunks(origin, reference), _hunks(origin, candidate))
    parts: dict[str, list[float]] = {"add": [], "delete": [], "keep": []}
    for n in range(1, 5):
        counts = {name: [Counter(), Counter()] for name in ("add", "delete")}
        kept = [0, 0, 0]
        for o1, o2, a1, a2, b1, b2 in regions:
            before = _grams(origin[o1:o2], n)
            after = [_grams(reference[a1:a2], n), _grams(candidate[b1:b2], n)]
            for k, one in enumerate(after):
                counts["add"][k].update(one - before)
                counts["delete"][k].update(before - one)
            both = [before & one for one in after]
            kept[0] += sum((both[0] & both[1]).values())
            kept[1] += sum(both[0].values())
            kept[2] += sum(both[1].values())
        for name, (first, second) in counts.items():
            total = sum(first.values()) + sum(second.values())
            if total:
                parts[name].append(2 * sum((first & second).values()) / total)
        if kept[1] + kept[2]:
            parts["keep"].append(2 * kept[0] / (kept[1] + kept[2]))
    means = [sum(values) / len(values) for values in parts.values() if values]
    return min(0.9999, sum(means) / len(means)) if means else 0.0


def _grams(part: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(part[k:] for k in range(n)), strict=False))


def _hunks(origin: Sequence[str], revision: Sequence[str]) -> list[list[int]]:
    """Where they differ, between the ends that they share."""
    most = min(len(origin), len(revision))
    head = 0
    while head < most and origin[head] == revision[head]:
        head += 1
    tail = 0
    while tail < most - head and origin[-1 - tail] == revision[-1 - tail]:
        tail += 1
    before, after = origin[head : len(origin) - tail], revision[head : len(revision) - tail]
    hunks: list[list[int]] = []
    for tag, i1, i2, j1, j2 in LCSseq.opcodes(before, after):
        if tag == "equal":
            continue
        if hunks and hunks[-1][1] == i1 + head and hunks[-1][3] == j1 + head:
            hunks[-1][1], hunks[-1][3] = i2 + head, j2 + head
        else:
            hunks.append([i1 + head, i2 + head, j1 + head, j2 + head])
    return hunks


def _merge(first: list[list[int]], second: list[list[int]]) -> list[Region]:
    """Regions of the origin that either touched, with their counterparts."""
    regions: list[Region] = []
    i = j = ahead_a = ahead_b = 0
    while i < len(first) or j < len(second):
        start = min([h[i][0] for h, i in ((first, i), (second, j)) if i < len(h)])
        a1, b1, end = start + ahead_a, start + ahead_b, start
        while True:
            if i < len(first) and first[i][0] <= end:
                end, ahead_a, i = max(end, first[i][1]), first[i][3] - first[i][1], i + 1
            elif j < len(second) and second[j][0] <= end:
                end, ahead_b, j = max(end, second[j][1]), second[j][3] - second[j][1], j + 1
            else:
                break
        regions.append((start, end, a1, end + ahead_a, b1, end + ahead_b))
    return regions
