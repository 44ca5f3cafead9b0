"""Groups of operations by what they do, found from their labels alone."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from codekin import Source, _native
from codekin.measures.kin import features_of, program_parts
from codekin.represent.graph.features import Family, feature_bags, operation_words

__all__ = ["LabelGroup", "groups_of", "label_group"]


class LabelGroup(IntEnum):
    """What an operation does; the constants are split by kind."""

    TOKEN = 0
    """Not an operation but a token."""
    SMALL = 1
    """The constants 0, 1, 2 and -1, which nearly every program has."""
    INTEGER = 2
    FLOAT = 3
    STRING = 4
    WORD = 5
    """``true``, ``false`` and ``null``."""
    ARITHMETIC = 6
    UPDATE = 7
    """An assignment that computes, such as ``+=``."""
    COMPARE = 8
    LOGIC = 9
    BIT = 10
    DATA = 11
    """Assignments, elements, and making and converting values."""
    TRAFFIC = 12
    """Calls that read, convert and print, as at the start and end of most programs."""
    OWN = 13
    """A call of a function of the program."""
    CALL = 14
    """Any other call, and members."""
    FRAME = 15
    """What functions and classes are made of."""
    CONTROL = 16
    """Loops, jumps and all else."""

    @property
    def label(self) -> str:
        """The group as named in data and tables."""
        return self.name.lower()


_G = LabelGroup
_NUMBER = re.compile(r"-?\.?\d")
_RADIX = ("0x", "0b", "0o")
_WORDS = {
    **dict.fromkeys(("0", "1", "2", "-1"), _G.SMALL),
    **dict.fromkeys(("string", "format"), _G.STRING),
    **{"number": _G.INTEGER, "call:own": _G.OWN, "=": _G.DATA, "index": _G.DATA},
    **dict.fromkeys(("true", "false", "null"), _G.WORD),
    **dict.fromkeys(
        (f"call:{name}" for name in ["print", "read", "int", "str", "split", "map"]), _G.TRAFFIC
    ),
    **dict.fromkeys(
        ["entry", "param", "return", "function", "lambda", "exit", "class", "import"], _G.FRAME
    ),
    **{"++": _G.UPDATE, "--": _G.UPDATE},
}
_OPERATORS = {
    _G.ARITHMETIC: "+ - * / % // ** neg pos @ ^^",
    _G.COMPARE: "== != < > <= >= === !== <=> in not-in is is-not instanceof isinstance",
    _G.LOGIC: "&& || ! ?: ?? and or not",
    _G.BIT: "& | ^ ~ << >> >>> &^",
    _G.DATA: (
        "list tuple set map dict array slice range comprehension struct object range= deref "
        "address addressof cast as await yield spread format typeof sizeof"
    ),
}
_GROUP_OF_OPERATOR = {name: group for group, names in _OPERATORS.items() for name in names.split()}


@lru_cache(maxsize=1 << 14)
def label_group(label: str) -> LabelGroup:
    """The group of an operation with this label.

    Examples
    --------
    >>> [label_group(label).label for label in ("7", '"no"', "+", "+=", "call:len", "each")]
    ['integer', 'string', 'arithmetic', 'update', 'call', 'control']
    """
    known = _WORDS.get(label)
    if known is not None:
        return known
    if label.startswith('"'):
        return _G.STRING
    if _NUMBER.match(label):
        plain = label.lstrip("-")
        whole = plain.startswith(_RADIX) or not ("." in plain or "e" in plain)
        return _G.INTEGER if whole else _G.FLOAT
    if label.startswith(("call", "member")):
        return _G.CALL
    if label in _GROUP_OF_OPERATOR:
        return _GROUP_OF_OPERATOR[label]
    return _G.UPDATE if label.endswith("=") and label[:-1] in _GROUP_OF_OPERATOR else _G.CONTROL


def groups_of(source: Source) -> npt.NDArray[np.uint8]:
    """The group of each feature of a program: that of the operation it is about."""
    return source.remember("kin groups", lambda: _groups(source))


def _groups(source: Source) -> npt.NDArray[np.uint8]:
    features, _ = features_of(source)
    program = program_parts(source)
    groups = np.zeros(len(features), dtype=np.uint8)
    if program.graph is None or not len(features):
        return groups
    nodes = np.array([label_group(word) for word in operation_words(program.graph)[1:]], np.uint8)
    for bag in feature_bags(program):
        if bag.family is not Family.TOKEN:
            numbered = _native.numbered_features(int(bag.family), bag.features)
            at = np.minimum(np.searchsorted(features, numbered), len(features) - 1)
            known = features[at] == numbered
            groups[at[known]] = nodes[known]
    return groups
