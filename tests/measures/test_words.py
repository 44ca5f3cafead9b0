from __future__ import annotations

import re

import pytest

from codekin import CodekinError, measure
from codekin.measures import measure_label, parse_measure


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bleu", measure("bleu")),
        ("bleu:order=2,smoothing=floor", measure("bleu", order=2, smoothing="floor")),
        ("bleu:smoothing_value=none", measure("bleu")),
        ("bleu:effective_order=no", measure("bleu", effective_order=False)),
        ("bleu:compat=sacrebleu", measure("bleu", compat="sacrebleu")),
        ("bleu:compat=nltk,weights=0.5,0.5", measure("bleu", compat="nltk", weights=(0.5, 0.5))),
        ("tsed:delete=0.5", measure("tsed", delete=0.5)),
    ],
)
def test_parameters_on_the_command_line(word, expected) -> None:
    assert parse_measure(word) == expected
    assert parse_measure(measure_label(expected)) == expected


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("bleu:order=two", "bleu: order must be a whole number, not 'two'"),
        ("bleu:effective_order=maybe", "must be true or false"),
        ("tsed:delete=much", "must be a number"),
        ("bleu:2", "bleu: cannot read '2'"),
        ("bleu:compat=acme", "unknown compat 'acme'"),
        ("crystalbleu:trivial=x", "cannot be given on the command line"),
    ],
)
def test_wrong_parameters_are_named(word, message) -> None:
    with pytest.raises(CodekinError, match=re.escape(message)):
        parse_measure(word)
