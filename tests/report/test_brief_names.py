from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.report.brief_names import brief_names

LORA = [
    f"qwen2.5-coder-{size}-{kind}-lora-{data}"
    for size in ("3b", "7b", "14b")
    for kind in ("base", "instruct")
    for data in ("clean", "dirty", "unclean", "unclean74k")
]


@given(st.lists(st.text("ab-…~2 ", max_size=30), unique=True, max_size=12), st.integers(6, 20))
def test_names_are_short_and_differ_as_before(names, longest) -> None:
    brief = brief_names(names, longest)
    assert len(set(brief)) == len(names)
    assert all(len(one) <= longest for one in brief)
    assert all(b == name for b, name in zip(brief, names, strict=True) if len(name) <= longest)


@pytest.mark.parametrize("longest", [14, 22, 30])
def test_what_differs_is_what_stays(longest) -> None:
    brief = brief_names(LORA, longest)
    assert len(set(brief)) == len(LORA)
    if longest >= 22:
        for name, short in zip(LORA, brief, strict=True):
            size, data = name.split("-")[2], name.split("-")[-1]
            assert size in short
            assert short.endswith(data)


def test_the_same_names_give_the_same_labels() -> None:
    assert brief_names(LORA, 18) == brief_names(LORA, 18)
    assert brief_names([], 5) == []
