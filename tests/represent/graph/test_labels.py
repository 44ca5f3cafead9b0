from __future__ import annotations

import numpy as np
import pytest
from tests.measures.real_programs import PROGRAMS
from tests.represent.hand_made import K, flow_ir

from codekin import semantic_graph
from codekin.represent.graph.labels import (
    NODE_CLASSES,
    SAME_CALLS,
    constant_word,
    label_class,
    label_operations,
)
from codekin.represent.graph.parts import LABELS

STEPS = [
    (K.ENTRY, "main", "", -1),
    (K.PARAMETER, "n", "", 0),
    (K.CONSTANT, "'a'", "", 0),
    (K.ASSIGN, "+=", "", 0),
    (K.OPERATOR, "<", "", 0),
    (K.CALL, "push_back", "", 0),
    (K.CALL, "add", "", 0),
    (K.INDEX, "index", "", 0),
    (K.MEMBER, "next", "", 0),
    (K.MEMBER, "length", "", 0),
    (K.RETURN, "return", "", 0),
    (K.JUMP, "break", "", 0),
    (K.PREDICATE, "each", "", 0),
    (K.FUNCTION, "f", "", 0),
    (K.OPAQUE, "", "", 0),
    (K.CALL, "", "", 0),
    (K.CALL, "log", "", 0),
]


def _labels(scheme: str, language: str = "") -> list[str]:
    ir = flow_ir([STEPS], "")
    places, labels = label_operations(ir, np.arange(len(ir)), scheme, language)
    assert labels[0] == "root"
    assert len(set(labels)) == len(labels)
    return [labels[place] for place in places]


def test_operator_labels():
    assert _labels("operator") == [
        *("entry:main", "param", "constant", "+=", "<", "call:append", "call:append", "index"),
        *("member:next", "call:len", "return", "break", "each", "lambda", "opaque", "call"),
        "call:log",
    ]


def test_literal_labels_differ_in_constants_alone():
    plain, with_values = _labels("operator"), _labels("operator+literal")
    assert [(a, b) for a, b in zip(plain, with_values, strict=True) if a != b] == [
        ("constant", '"a"')
    ]


def test_categories_and_types():
    assert _labels("category")[1:9] == [
        *("param", "constant", "assign", "compare", "call", "call", "index", "member"),
    ]
    assert _labels("type")[1:6] == ["parameter", "constant", "assign", "operator", "call"]


def test_log_prints_where_the_language_says_so():
    assert _labels("operator", "javascript")[-1] == "call:print"
    assert _labels("operator", "python")[-1] == "call:log"


@pytest.mark.parametrize("scheme", LABELS)
def test_entries_keep_their_names(scheme):
    assert _labels(scheme)[0] == "entry:main"


def test_no_call_has_two_words():
    names = [name for names in SAME_CALLS.values() for name in names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "flags", "word"),
    [
        ("1_000", 32, "1000"),
        ("0xFFL", 32, "0xffl"),
        ("3.5f", 32, "3.5"),
        ("1" * 30, 32, "number"),
        ("nullptr", 48, "null"),
        ("True", 48, "true"),
        ("`x`", 16, '"x"'),
        ("'", 16, '"\'"'),
        ("", 16, '""'),
    ],
)
def test_constants(text, flags, word):
    assert constant_word(text, flags) == word


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_classes_of_real_labels_are_their_categories(language):
    """Members that are like calls, and a few words that are constants, aside."""
    other = {"call:len", "not in", "sizeof", "iota"}
    for text in PROGRAMS[language]:
        graphs = [
            semantic_graph(text, language, labels=scheme, literals=True)
            for scheme in ("operator+literal", "category")
        ]
        rows = zip(
            *([graph.labels[at] for at in graph.label.tolist()] for graph in graphs), strict=True
        )
        for label, category in rows:
            assert label_class(label) in NODE_CLASSES
            assert label in other or label_class(label) == label_class(category), label
