from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.background_frequencies import main

import codekin
from codekin import CodekinError
from codekin.measures.background import (
    Background,
    BackgroundCounts,
    read_background,
    shipped_background,
)

COMMAND = Path(__file__).parents[2] / "tools" / "background_frequencies.py"
SHIPPED = Path(codekin.__file__).parent / "data" / "background.npz"
FUNCTION = """\
def f(x):
    y = x + 1
    z = g(y)
    if z:
        return y
    z -= 1
    return z
"""

documents = st.lists(
    st.tuples(st.sampled_from(["python", "c"]), st.sets(st.integers(0, 9))), min_size=1, max_size=20
)


@given(documents, st.integers(1, 3), st.sampled_from([1, 10_000]))
def test_counts_are_those_of_a_dictionary(given_documents, least, limit):
    counts = BackgroundCounts(limit)
    expected: dict[str, Counter[int]] = {}
    for language, features in given_documents:
        counts.add(language, np.array(sorted(features), dtype=np.uint64))
        expected.setdefault(language, Counter()).update(features)
    background = counts.background({"made": "up"}, least)
    total = sum(expected.values(), Counter())
    assert background.features.tolist() == sorted(f for f, n in total.items() if n >= least)
    assert dict(background.documents) == Counter(language for language, _ in given_documents)
    for row, feature in zip(background.counts.tolist(), background.features.tolist(), strict=True):
        assert row == [expected[language][feature] for language in sorted(expected)]


def test_a_feature_is_as_common_as_in_the_language_that_has_it_most():
    background = Background(
        np.array([5, 9], dtype=np.uint64),
        np.array([[10, 0], [1, 2]], dtype=np.uint32),
        {"c": 10, "python": 4},
        {},
    )
    shares = background.shares(np.array([9, 5, 7, 10], dtype=np.uint64))
    unseen = 0.125 / 10.5
    assert shares == pytest.approx([2 / 4.5 + unseen, 10 / 10.5 + unseen, unseen, unseen])


def test_what_is_written_is_read_again():
    counts = BackgroundCounts()
    counts.add("c", np.array([1, 2**64 - 1], dtype=np.uint64))
    background = counts.background({"here": {"c": 1}})
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        background.write(file)
    assert files[0].getvalue() == files[1].getvalue()
    again = read_background(io.BytesIO(files[0].getvalue()))
    assert again.fingerprint == background.fingerprint
    assert again.made_of == {"here": {"c": 1}}
    assert repr(again) == f"<Background 1 documents {background.fingerprint}>"


def test_frequencies_that_are_none_are_refused():
    none = np.empty(0, dtype=np.uint64)
    with pytest.raises(CodekinError, match="at least one document"):
        Background(none, np.empty((0, 0), dtype=np.uint32), {}, {})
    with pytest.raises(CodekinError, match="count per feature"):
        Background(none, np.empty((1, 1), dtype=np.uint32), {"c": 1}, {})


def test_what_ships_says_what_it_is_made_of():
    background = shipped_background()
    assert SHIPPED.stat().st_size < 2_000_000
    assert (np.diff(background.features.astype(object)) > 0).all()
    made = Counter()
    for source in background.made_of.values():
        made.update(source)
    assert made == Counter(background.documents)
    assert min(background.documents.values()) >= 1000
    assert not {"humanevalpack", "condefects", "codeflaws"} & set(background.made_of)
    assert (background.counts <= list(background.documents.values())).all()
    assert background.counts.max(axis=1).min() >= 1


def test_the_command_makes_the_same_bytes_of_the_same_documents(tmp_path):
    """Wherever the files lie and whatever the hash seed is."""
    for name, files in (("one", ["a.py", "b.py"]), ("two", ["y.py", "z/b.py"])):
        for i, file in enumerate(files if name == "one" else reversed(files)):
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(FUNCTION.replace("1", str(i)), encoding="utf-8")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"language": "java", "code": "int f() { return 1; }"}) + "\n")
    arguments = {
        name: ["--least", "1", "-o", f"{tmp_path / name}.npz", f"lib={tmp_path / name}"]
        for name in ("one", "two")
    }
    main([*arguments["one"], f"rows={rows}"])
    subprocess.run(
        [sys.executable, str(COMMAND), *arguments["two"], f"rows={rows}"],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    made = [(tmp_path / f"{name}.npz").read_bytes() for name in ("one", "two")]
    assert made[0] == made[1]
    background = read_background(io.BytesIO(made[0]))
    assert background.documents == {"java": 1, "python": 2}
    assert background.made_of == {"lib": {"python": 2}, "rows": {"java": 1}}


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["-o", str(tmp_path / "x"), "nowhere=/no/such/path"])
    assert "is not NAME=PATH" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="no documents"):
        main(["-o", str(tmp_path / "x"), f"empty={tmp_path}"])
