from __future__ import annotations

import itertools
import json
import pickle
import random
import re
from collections import Counter
from importlib import resources
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source, language_names, measure
from codekin.measures.kin import FAMILY_WEIGHTS, features_of, program_parts
from codekin.measures.pairwise import directed_scores
from codekin.represent.graph.features import (
    MAX_OCCURRENCES,
    SAME_TOKENS,
    Family,
    graph_names,
    token_names,
)
from codekin.represent.graph.labels import SAME_CALLS
from codekin.rewrite import rewrite

SAMPLES = Path(__file__).parents[1] / "languages" / "samples"
PROGRAMS = [
    json.loads(line)
    for line in (resources.files("codekin") / "data" / "programs.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
TYPESCRIPT = (SAMPLES / "typescript.ts").read_text(encoding="utf-8")
GO = """\
package main

import "fmt"

func gcd(left, right int) int {
	for right != 0 {
		left, right = right, left%right
	}
	return left
}

func main() {
	values := []int{12, 18, 30}
	result := values[0]
	for _, value := range values[1:] {
		result = gcd(result, value)
	}
	fmt.Println("gcd", result)
}
"""
RUST = """\
fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

fn main() {
    let values = vec![12, 18, 30];
    let mut result = values[0];
    for value in values.iter().skip(1) {
        result = gcd(result, *value);
    }
    println!("gcd {}", result);
}
"""
LOCALS = ("left", "right", "values", "value", "result")
"""The local names of the two programs above."""

kin = measure("kin")


def program(language: str, index: int = 0) -> Source:
    found = [row["code"] for row in PROGRAMS if row["language"] == language]
    found = found or [{"typescript": TYPESCRIPT, "go": GO, "rust": RUST}[language]]
    return Source(found[index % len(found)], language)


GRAPHED = ("python", "java", "c", "cpp", "javascript", "typescript", "go", "rust")


def renamed(source: Source, seed: int) -> str | None:
    if source.language.name not in {"go", "rust"}:
        return rewrite(source, "locals", seed)
    names = [f"v{i}" for i in range(len(LOCALS))]
    random.Random(seed).shuffle(names)
    new = dict(zip(LOCALS, names, strict=True))
    return re.sub(r"\b\w+\b", lambda m: new.get(m[0], m[0]), source.text)


def reformatted(source: Source, seed: int) -> str | None:
    if source.language.name not in {"go", "rust"}:
        return rewrite(source, "layout", seed)
    blanks = "  " * (seed % 3 + 1)
    return source.text.replace("\t", "    ").replace("    ", blanks).replace("\n", "\n\n")


def moved(source: Source, seed: int) -> str | None:
    if source.language.name not in {"go", "rust"}:
        return rewrite(source, "functions", seed)
    head, *functions = re.split(r"(?m)^(?=(?:func|fn) )", source.text)
    random.Random(seed).shuffle(functions)
    return head + "".join(functions)


@pytest.mark.parametrize("change", [renamed, reformatted, moved])
@pytest.mark.parametrize("language", GRAPHED)
@settings(max_examples=8)
@given(st.integers(0, 11), st.integers(0, 2**16))
def test_names_layout_and_order_change_nothing(language, change, index, seed):
    source = program(language, index)
    text = change(source, seed)
    if text is not None:
        assert kin.score(Source(text, language), source).value == 1.0


def test_the_changes_change_the_texts():
    for language in GRAPHED:
        texts = [program(language, i) for i in range(3)]
        for change in (renamed, reformatted, moved):
            if language == "typescript" and change is moved:
                continue
            assert any(change(t, 3) not in (None, t.text) for t in texts), (language, change)


def oracle(source: Source) -> set[tuple[Family, str, int]]:
    """The features of a program by name, the k-th occurrence as one of its own."""
    parts = program_parts(source)
    names = graph_names(parts.graph) | {Family.TOKEN: token_names(parts)}
    seen: Counter[object] = Counter()
    found = set()
    for family, told in names.items():
        for name, _ in told:
            same = SAME.get(name, name)
            seen[family, same] += 1
            if seen[family, same] <= MAX_OCCURRENCES:
                found.add((family, same, seen[family, same]))
    return found


SAME = {
    f"`{token}`": f"`{word}`"
    for token, word in [
        *SAME_TOKENS.items(),
        *((name, word) for word, names in SAME_CALLS.items() for name in names),
    ]
}


def test_the_score_is_its_formula_over_a_corpus_of_ones_own():
    """By hand: sets of named features, shares of documents, weights and one division."""
    corpus = [program("python", i) for i in range(8)]
    fitted = kin.fit(corpus)
    documents = [oracle(source) for source in corpus]
    share = Counter(feature for document in documents for feature in document)

    def weight(feature):
        family, _, k = feature
        rarity = -log((share[feature] + 1 / 8) / (len(corpus) + 1 / 2))
        return FAMILY_WEIGHTS[family] * rarity / k**2

    for one, other in itertools.product(range(8), range(8, 12)):
        a, b = corpus[one], program("python", other)
        mine, theirs = oracle(a), oracle(b)
        mass = [sum(map(weight, features)) for features in (mine, theirs, mine & theirs)]
        expected = mass[2] / (2 * max(mass[:2]) - mass[2])
        assert fitted.score(a, b).value == pytest.approx(expected, abs=1e-5)
        by_reference = measure("kin", normalise="reference", background=fitted.background)
        assert by_reference.score(a, b).value == pytest.approx(mass[2] / mass[1], abs=1e-5)
        contained = measure("kin", normalise="containment", background=fitted.background)
        expected = mass[2] / min(mass[:2])
        assert contained.score(a, b).value == pytest.approx(expected, abs=1e-4)


@settings(max_examples=30)
@given(st.sampled_from(PROGRAMS), st.sampled_from(PROGRAMS))
def test_scores_are_symmetric_and_equal_however_computed(first, second):
    a, b = (Source(row["code"], row["language"]) for row in (first, second))
    there = kin.score(a, b)
    assert there.value == kin.score(b, a).value
    assert 0 <= there.value <= 1
    assert there.exact
    assert sum(there.parts.values()) == pytest.approx(there.value)
    assert kin.score_pairs([a, b], [(0, 1), (1, 0), (0, 0)]).tolist() == (
        [there.value, there.value, 1.0]
    )
    assert kin._pairwise([a, b], None).tolist() == [[1.0, there.value], [there.value, 1.0]]
    assert (there.value == 1.0) == (features_of(a)[0].tolist() == features_of(b)[0].tolist())


@pytest.mark.parametrize("normalise", ["symmetric", "reference", "containment"])
def test_products_of_rows_give_the_scores(normalise):
    one = measure("kin", normalise=normalise)
    sources = [Source(row["code"], row["language"]) for row in PROGRAMS[::6]]
    rows = one.vectorise(sources)
    assert rows.shape[0] == len(sources)
    shared = (rows @ rows.T).toarray()
    mass = np.diagonal(shared)
    mine, theirs = mass[:, None], mass[None, :]
    whole = {
        "symmetric": 2 * np.maximum(mine, theirs) - shared,
        "reference": theirs,
        "containment": np.minimum(mine, theirs),
    }[normalise]
    scores = np.array([[one.score(a, b).value for b in sources] for a in sources])
    assert shared / whole == pytest.approx(scores, abs=1e-12)
    both = directed_scores(one, sources).both_ways().values
    assert both == pytest.approx((scores + scores.T) / 2, abs=1e-15)
    assert len(np.unique(scores)) > len(sources)


def test_by_reference_only_what_the_reference_has_counts():
    short, long = "def f(x):\n    return x + 1\n", "def f(x):\n    print(x)\n    return x + 1\n"
    one = measure("kin", normalise="reference")
    assert (
        one.score(long, short, language="python").value
        > kin.score(long, short, language="python").value
    )
    assert (
        one.score(long, short, language="python").value
        > one.score(short, long, language="python").value
    )


def test_a_program_is_contained_in_a_longer_one_in_either_direction():
    short, long = "def f(x):\n    return x + 1\n", "def f(x):\n    return x + 1\n\nprint(f(5))\n"
    one = measure("kin", normalise="containment")
    there = one.score(short, long, language="python").value
    assert there == one.score(long, short, language="python").value
    assert kin.score(short, long, language="python").value < there
    assert there > 0.9
    sources = [Source(text, "python") for text in (short, long)]
    assert one.score_pairs(sources, [(0, 1), (1, 0), (0, 0)]).tolist() == [there, there, 1.0]
    assert one._pairwise(sources, None).tolist() == [[1.0, there], [there, 1.0]]


def test_rare_features_weigh_more():
    common, rare = "y = a + 1\nz = f(y)\n", "y = a + 1\nz = f(y)\nimport unheard_of_module\n"
    corpus = [common] * 20 + [rare]
    fitted = kin.fit(corpus, language="python")
    assert (
        fitted.score(common, rare, language="python").value
        < kin.score(common, rare, language="python").value
    )


def test_languages_meet():
    python = "def gcd(a, b):\n    while b != 0:\n        a, b = b, a % b\n    return a\n"
    java = (
        "class M { static int gcd(int x, int y) { while (y != 0) { int t = x % y; x = y; y = t; }"
        " return x; } }"
    )
    other = "class M { static void hi(String name) { System.out.println(name.trim()); } }"
    alike = kin.score(Source(python, "python"), Source(java, "java")).value
    assert alike > kin.score(Source(python, "python"), Source(other, "java")).value
    assert alike > 0.2


def test_languages_without_graphs_are_compared_by_tokens():
    score = kin.score("puts gets.to_i + 1", "puts gets.to_i - 1", language="ruby")
    assert 0 < score.value < 1
    assert list(score.parts) == ["token"]


@pytest.mark.parametrize("language", language_names())
def test_garbage_scores(language):
    chance = random.Random(7)
    for _ in range(20):
        text = "".join(chance.choice("(){}[];:'\"\\=+-*/ \n\tabif é\0#@") for _ in range(200))
        value = kin.score(Source(text, language), Source("x = 1", language)).value
        assert 0 <= value <= 1
        assert kin.score(Source(text, language), Source(text, language)).value == 1.0


def test_nothing_is_like_nothing_alone():
    for normalise in ("symmetric", "reference", "containment"):
        one = measure("kin", normalise=normalise)
        assert one.score("", "# a comment\n", language="python").value == 1.0
        assert one.score("", "x", language="python").value == 0.0
        assert one.score("x", "", language="python").value == 0.0


def test_long_programs_are_no_trouble():
    long = "".join(f"x{i % 7} = f{i % 5}(x{i % 3} + {i})\n" for i in range(5000))
    source = Source(long, "python")
    assert kin.score(source, Source(long, "python")).value == 1.0
    assert 0 < kin.score(source, Source(long[: len(long) // 2], "python")).value < 1


def test_signatures_name_the_background():
    source = Source("x = 1", "python")
    shipped = kin.score(source, source).signature
    fitted = kin.fit([source]).score(source, source).signature
    assert re.match(r"kin\|background:[0-9a-f]{8}\|tree-sitter-python", shipped)
    assert shipped != fitted
    assert kin.fit([source]).score(source, source).signature == fitted
    others = [
        measure("kin", normalise=name).signature(source, source)
        for name in ("reference", "containment")
    ]
    assert len({shipped, *others}) == 3


def test_a_fitted_measure_can_be_pickled():
    fitted = kin.fit([program("python")])
    again = pickle.loads(pickle.dumps(fitted))
    a, b = program("python", 1), program("python", 2)
    assert again.score(a, b).value == fitted.score(a, b).value
    assert again.background.fingerprint == fitted.background.fingerprint


def test_wrong_parameters_are_refused():
    with pytest.raises(CodekinError, match="unknown normalise 'cosine'"):
        measure("kin", normalise="cosine")
    with pytest.raises(CodekinError, match="background must be"):
        measure("kin", background=[1, 2])
    with pytest.raises(CodekinError, match="at least one program"):
        kin.fit([])
    sources = [Source("x", "python")]
    with pytest.raises(CodekinError, match="outside the 1 sources"):
        kin.score_pairs(sources, [(0, 1)])
    with pytest.raises(CodekinError, match="rows of two indices"):
        kin.score_pairs(sources, [0.5])
    assert kin.score_pairs(sources, []).tolist() == []
    assert kin.vectorise([]).shape == (0, 0)


def test_the_explanation_names_what_counts():
    a = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n"
    b = a.replace("total += x", "total *= x")
    explanation = kin.score(a, b, language="python").explain()
    details = dict(explanation.details)
    assert list(details) == [
        "shared",
        "only in the candidate",
        "only in the reference",
        "to read them",
    ]
    assert "each" in details["shared"]
    assert "+=" in details["only in the candidate"]
    assert "*=" in details["only in the reference"]
    shaded = {a[s.start : s.end]: s.level for s in explanation.candidate}
    assert all(0 < level <= 1 for level in shaded.values())
    assert not any("+=" in text and level == 1 for text, level in shaded.items())
    assert max(shaded.values()) == 1
    same = kin.score(a, a, language="python").explain()
    assert list(dict(same.details)) == ["shared", "to read them"]
    assert {span.level for span in same.candidate} == {1.0}


def test_one_program_is_no_corpus():
    for verb in (kin.fit, kin.vectorise):
        with pytest.raises(CodekinError, match="takes a list of programs"):
            verb("x = 1", language="python")


@pytest.mark.parametrize("text", ['"""Add one."""', "'Increment.'", 'r"""A\\b."""'])
def test_docstrings_do_not_count(text):
    reference = "def f(a):\n    return a + 1\n"
    documented = f"{text}\ndef f(a):\n    {text}\n    return a + 1\n"
    score = measure("kin").score(documented, reference, language="python")
    assert score.value == 1
    wrong = f"def f(a):\n    {text}\n    pass\n"
    assert measure("kin").score(wrong, documented, language="python").value < 0.1
