from __future__ import annotations

import pytest

from codekin import measure
from codekin.runs.manifest import (
    describe_settings,
    differences,
    input_differences,
    versions,
)
from codekin.runs.settings import Settings, parameter_fingerprint


def test_versions_name_what_decides_a_score() -> None:
    found = versions()
    assert {"codekin", "rapidfuzz", "tree-sitter-python", "tree-sitter-kotlin"} <= set(found)
    assert all(found.values())


def test_the_same_is_no_difference() -> None:
    settings = Settings((measure("bleu"), measure("tsed")), {"id": "key"}, "go")
    assert differences(describe_settings(settings), describe_settings(settings)) == []


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        ({"a": 1}, {"a": 2}, ["a was 1 and is now 2"]),
        ({"a": {"b": None}}, {"a": {}}, []),
        ({"a": {"b": "x"}}, {"a": {}}, ["a: b was 'x' and is now null"]),
        (
            {"m": [{"label": "x"}, {"label": "y"}]},
            {"m": [{"label": "y"}, {"label": "z"}]},
            ["m: x is gone", "m: z is new"],
        ),
        (
            {"m": [{"label": "x"}, {"label": "y"}]},
            {"m": [{"label": "y"}, {"label": "x"}]},
            ["m: the order was ['x', 'y'] and is now ['y', 'x']"],
        ),
        (
            {"m": [{"label": "x", "n": 1}]},
            {"m": [{"label": "x", "n": 2}]},
            ["x: n was 1 and is now 2"],
        ),
        ({"a": "y" * 200}, {"a": 1}, [f"a was '{'y' * 78}… and is now 1"]),
    ],
)
def test_differences_in_words(was, now, found) -> None:
    assert differences(was, now) == found


def test_inputs() -> None:
    file = {"path": "a/x.jsonl", "bytes": 5, "sha256": "0" * 64}
    was = {"kind": "files", "files": [file]}
    assert input_differences(was, {"kind": "files", "files": [file | {"path": "b/x.jsonl"}]}) == []
    (changed,) = input_differences(
        was, {"kind": "files", "files": [file | {"bytes": 6, "sha256": "1" * 64}]}
    )
    assert changed.startswith("a/x.jsonl has changed (it had 5 bytes and sha256 000000000000…")
    (more,) = input_differences(was, {"kind": "files", "files": [file, file]})
    assert more == "files was ['x.jsonl'] and is now ['x.jsonl', 'x.jsonl']"
    (kind,) = input_differences(was, {"kind": "stdin"})
    assert kind == "the rows came from files and now come from stdin"


def test_fingerprints_see_every_parameter() -> None:
    forms = [
        measure("bleu"),
        measure("bleu", order=2),
        measure("bleu", compat="sacrebleu"),
        measure("crystalbleu"),
        measure("crystalbleu", trivial=[("a",)]),
        measure("crystalbleu", trivial=[("b",)]),
    ]
    assert len({parameter_fingerprint(one) for one in forms}) == len(forms)
    assert parameter_fingerprint(measure("bleu", order=4)) == parameter_fingerprint(measure("bleu"))
