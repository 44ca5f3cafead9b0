"""Prepared snippets: what a file of them holds, and what damage does to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.detectors.tasks import assert_same

from codekin import Snippet
from codekin.detectors.prepared import Prepared, load_prepared
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError

CODES = {"java": "int f(int é) { return 2 * é; }", "c": "", "python": "def f(a): return a\n"}


@pytest.fixture(scope="module")
def made() -> Prepared:
    return prepare_snippets([Snippet(k, k, code) for k, code in CODES.items()], workers=1)


def test_a_file_holds_everything(made: Prepared, tmp_path: Path) -> None:
    made.save(tmp_path / "made.npz")
    assert_same(load_prepared(tmp_path / "made.npz"), made)


@pytest.mark.parametrize("seed", range(12))
def test_damage_is_an_error_or_nothing(made: Prepared, seed: int, tmp_path: Path) -> None:
    """Where one bit is flipped, the checksums see it, unless it is in a field that nobody reads."""
    place = tmp_path / "made.npz"
    made.save(place)
    whole = bytearray(place.read_bytes())
    whole[int(np.random.default_rng(seed).integers(len(whole)))] ^= 0x40
    place.write_bytes(whole)
    try:
        found = load_prepared(place)
    except CodekinError as error:
        assert str(place) in str(error)
    else:
        assert_same(found, made)


def test_other_files_are_errors(made: Prepared, tmp_path: Path) -> None:
    place = tmp_path / "other.npz"
    with pytest.raises(CodekinError, match="no such file"):
        load_prepared(place)
    place.write_text("id,code\n")
    with pytest.raises(CodekinError, match="is not a file of arrays"):
        load_prepared(place)
    np.savez(place, words=np.zeros(3))
    with pytest.raises(CodekinError, match="not a file of prepared snippets in format 1"):
        load_prepared(place)
    made.save(place)
    with np.load(place) as file:
        arrays = dict(file)
    np.savez(place, **arrays | {"words": np.frombuffer(b"[1", np.uint8)})
    with pytest.raises(CodekinError, match="is damaged"):
        load_prepared(place)
    np.savez(place, **arrays | {"format": np.array([9])})
    with pytest.raises(CodekinError, match="in format 1; prepare them again"):
        load_prepared(place)
    for name, value in (("parent", 10**6), ("word", -1), ("statement", -2), ("flow_to", 10**6)):
        numbers = arrays[name].copy()
        numbers[-1] = value
        np.savez(place, **arrays | {name: numbers})
        with pytest.raises(CodekinError, match=r"is damaged \(a number is out of range\)"):
            load_prepared(place)
    for name in ("nodes", "texts", "term"):
        np.savez(place, **arrays | {name: arrays[name][:-1]})
        with pytest.raises(CodekinError, match="is damaged"):
            load_prepared(place)
