from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq
from tests.corpora.small import contest

from codekin import _native
from codekin.corpora.clone_types import (
    check_types,
    clone_type,
    normalize,
    type_pairs,
    type_table,
)
from codekin.corpora.corpus import Corpus, load_corpus
from codekin.corpora.labelled_pairs import TYPES, Pairs
from codekin.corpora.snippets import Role, Snippet
from codekin.errors import CodekinError
from codekin.source import Source

JAVA = """
static void copy(File in, File out) throws IOException {
    InputStream a = new FileInputStream(in);
    OutputStream b = new FileOutputStream(out);
    byte[] data = new byte[1024];
    int n;
    while ((n = a.read(data)) > 0) {
        b.write(data, 0, n);
    }
    a.close();
    b.close();
}
"""
C = """
int mean(int *x, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
    }
    return s / n;
}
"""
PYTHON = """
def mean(xs):
    total = 0
    for x in xs:
        total += x
    return total / len(xs)
"""
TEXTS = {"java": JAVA, "c": C, "cpp": C, "python": PYTHON}
RENAMED = {"java": ("data", "buffer"), "c": ("s", "sum"), "cpp": ("s", "sum")}


def type_of(one, other, language):
    return clone_type(Source(one, language), Source(other, language))


@pytest.mark.parametrize("language", TEXTS)
def test_layout_and_comments_are_no_difference(language):
    text = TEXTS[language]
    comment = "# why" if language == "python" else "// why"
    other = text.replace("\n", f"  {comment}\n\n", 3).replace(" = ", "   =  ")
    assert other != text
    assert type_of(text, other, language) == ("T1", 1.0, 1.0, None)


@pytest.mark.parametrize("language", ["java", "c", "cpp"])
def test_line_ends_are_no_difference_where_they_mean_nothing(language):
    assert type_of(TEXTS[language], TEXTS[language].replace("\n", " "), language).type == "T1"


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("java", "data", "buffer"),
        ("java", "1024", "4096"),
        ("c", "mean", "average"),
        ("cpp", "0", "1.5"),
        ("python", "total", "s"),
    ],
)
def test_names_and_literals_make_type_2(language, old, new):
    found = type_of(TEXTS[language], TEXTS[language].replace(old, new), language)
    assert found == ("T2", 1.0, 1.0, "consistent")


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [("java", "a.close", "b.close"), ("c", "s / n", "n / s"), ("python", "total += x", "x += x")],
)
def test_names_that_do_not_correspond_are_renamed_blindly(language, old, new):
    assert old in TEXTS[language]
    found = type_of(TEXTS[language], TEXTS[language].replace(old, new), language)
    assert found == ("T2", 1.0, 1.0, "blind")


def test_two_names_for_one_are_renamed_blindly_both_ways():
    one, two = "int f(int a, int b) { return a + b; }", "int f(int a, int a) { return a + a; }"
    assert type_of(one, two, "c").renaming == "blind"
    assert type_of(two, one, "c").renaming == "blind"


def test_primitive_types_and_operators_are_no_names():
    assert type_of("int f() { return 1; }", "long f() { return 1; }", "java").type == "MT3"
    assert type_of("List f() { g(); }", "Set f() { g(); }", "java").type == "T2"
    assert type_of("x = a + b;", "x = a - b;", "java").type != "T2"


def body(lines):
    return "void f() {\n" + "".join(f"    {one}\n" for one in lines) + "}\n"


@pytest.mark.parametrize(
    ("changed", "type_"),
    [(1, "VST3"), (2, "ST3"), (5, "ST3"), (6, "MT3"), (9, "MT3"), (10, "WT3/T4")],
)
@pytest.mark.parametrize("language", ["java", "c", "cpp"])
def test_bands_by_the_smaller_similarity(language, changed, type_):
    lines = ["g(x);"] * 16  # 18 lines with those of the function
    other = lines[changed:] + ["y = h;"] * changed
    found = type_of(body(lines), body(other), language)
    assert found.line == (18 - changed) / 18
    assert found.type == type_


def test_the_limits_of_bands_belong_to_the_upper_one():
    lines = ["g(x);"] * 8  # 10 lines
    for changed, type_ in ((1, "VST3"), (3, "ST3"), (5, "MT3")):
        other = ["y = h;"] * changed + lines[changed:]
        found = type_of(body(lines), body(other), "java")
        assert (found.line, found.type) == (1 - changed / 10, type_)


def test_one_pair_may_be_limited_by_its_tokens():
    one = body(["g(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);", "x = 1;", "y = 2;"])
    two = body(["x = 1;", "y = 2;", "z = 3;"])
    found = type_of(one, two, "java")
    assert found.token < 0.5 < found.line
    assert found.type == "WT3/T4"


@pytest.mark.parametrize(
    "text", ["", "   \n", "// nothing", "%&/()=?`", "\x00", "((((", "\u017f\u202e"]
)
@pytest.mark.parametrize("language", ["java", "c", "python"])
def test_what_is_no_code_has_a_type_too(text, language):
    assert type_of(text, text, language).type == "T1"
    other = type_of(text, TEXTS[language], language)
    assert other.type == "WT3/T4"
    assert 0 <= min(other.line, other.token) <= max(other.line, other.token) <= 1


def test_similarity_is_symmetric():
    texts = [JAVA, C, body(["g();"]), ""]
    for one, other in itertools.combinations(texts, 2):
        assert type_of(one, other, "java") == type_of(other, one, "java")


def test_empty_statements_and_shifts_count_as_in_bigclonebench():
    assert type_of("void f() { g();; }", "void f() { h(); }", "java").type == "T2"
    assert len(normalize(Source("x = y >>> 2;", "java")).tokens) == 8
    assert len(normalize(Source("x = y >> 2;", "cpp")).tokens) == 6


def arrays(parts):
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.int64)
    flat = np.array([one for part in parts for one in part], np.int32)
    return offsets, flat, int(flat.max(initial=-1)) + 1


@given(st.integers(0, 10**9))
@settings(max_examples=80, deadline=None)
def test_common_lengths_are_those_of_rapidfuzz(seed):
    chance = random.Random(seed)
    alphabet = chance.choice((1, 2, 5, 40))
    parts = [
        [chance.randrange(alphabet) for _ in range(chance.choice((0, 1, 7, 63, 64, 65, 200)))]
        for _ in range(4)
    ]
    pairs = [(chance.randrange(4), chance.randrange(4)) for _ in range(20)]
    first, second = (np.array(one, np.int32) for one in zip(*pairs, strict=True))
    below = chance.randrange(1, 11)
    above = chance.randrange(below + 1)
    found = _native.common_lengths(*arrays(parts), first, second, above, below)
    for (i, j), length in zip(pairs, found.tolist(), strict=True):
        expected = LCSseq.similarity(parts[i], parts[j])
        enough = below * expected >= above * max(len(parts[i]), len(parts[j]))
        assert length == (expected if enough else -1)


def test_common_lengths_of_long_sequences():
    chance = random.Random(5)
    one = chance.sample(range(30_000), 20_000)  # their masks would take 50 MB
    two = [x for x in one if chance.random() < 0.9]
    pair = np.zeros(1, np.int32), np.ones(1, np.int32)
    found = _native.common_lengths(*arrays([one, two]), *pair, 1, 2)
    assert found.tolist() == [len(two)]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"first": np.array([2], np.int32)}, "first"),
        ({"second": np.array([-1], np.int32)}, "second"),
        ({"alphabet": 1}, "ids"),
        ({"alphabet": 1 << 40}, "alphabet"),
        ({"above": 11}, "above"),
        ({"offsets": np.array([0, 9], np.int64)}, "offsets"),
        ({"offsets": np.zeros(0, np.int64)}, "offsets"),
    ],
)
def test_common_lengths_refuses_what_does_not_fit(change, problem):
    offsets, ids, alphabet = arrays([[0, 1], [1]])
    given_ = {
        **{"offsets": offsets, "ids": ids, "alphabet": alphabet, "above": 1, "below": 2},
        **{"first": np.zeros(1, np.int32), "second": np.ones(1, np.int32)},
    }
    with pytest.raises(ValueError, match=problem):
        _native.common_lengths(**{**given_, **change})


def pairs_of(rows):
    first, second, label = (list(one) for one in zip(*rows, strict=True))
    return Pairs(np.array(first, np.int32), np.array(second, np.int32), np.array(label, np.int8))


SMALL = Corpus(
    "small",
    (
        Snippet("a", "java", JAVA, (Role("copy"),)),
        Snippet("b", "java", JAVA.replace("\n", "\n\n"), (Role("copy"),)),
        Snippet("c", "java", JAVA.replace("data", "buffer"), (Role("copy"), Role("read"))),
        Snippet("d", "java", JAVA.replace("a.close", "b.close"), (Role("copy"),)),
        Snippet(
            "e", "java", "void read() { x = 1; }", (Role("read"), Role("copy", "tagged_false"))
        ),
        Snippet("f", "java", "void g() { }"),
    ),
)


def test_type_pairs_gives_clones_a_type():
    pairs = pairs_of([(0, 1, 1), (0, 2, 1), (3, 0, -1), (0, 4, 1), (0, 5, 0)])
    typed = type_pairs(SMALL, pairs)
    codes, names = typed.pairs.type
    assert [names[code] if code >= 0 else None for code in codes.tolist()] == [
        *("T1", "T2", "T2", "WT3/T4", None)
    ]
    counts = typed.steps[-1].after
    assert (counts["T1"], counts["T2 consistent"], counts["T2 blind"]) == (1, 1, 1)
    assert sum(counts[one] for one in ("VST3", "ST3", "MT3")) == 0
    assert counts["WT3/T4"] == 1


def test_types_survive_saving(tmp_path):
    typed = type_pairs(SMALL, pairs_of([(0, 1, 1), (0, 4, 0)]))
    typed.save(tmp_path / "typed")
    codes, names = load_corpus(tmp_path / "typed").pairs.type
    assert names[codes[0]] == "T1"
    assert codes[1] == -1


@pytest.mark.parametrize("pairs", [None, pairs_of([(0, 1, 1)]).take(np.zeros(1, bool))])
def test_without_pairs_there_is_nothing_to_type(pairs):
    with pytest.raises(CodekinError, match="small: has no pairs to give types to"):
        type_pairs(SMALL, pairs)


def test_the_table_counts_each_pair_with_a_functionality_in_common_once():
    table = type_table(SMALL)
    counts = {(one.type, one.renaming): one.pairs for one in table.types}
    # a, b, c, d pairwise, and c with e; e lacks "copy".
    assert (table.snippets, table.pairs) == (5, 7)
    assert counts["T1", None] == 1
    assert counts["T2", "consistent"] == 2
    assert counts["T2", "blind"] == 3
    assert counts["WT3/T4", None] == 1
    assert sum(one.share for one in table.types) == pytest.approx(1)


def test_the_table_is_the_same_in_pieces(monkeypatch):
    whole = type_table(contest())
    monkeypatch.setattr("codekin.corpora.clone_types._CHUNK", 10)
    assert type_table(contest()) == whole
    assert whole.pairs == 6 * 12 * 11 // 2


def test_the_table_agrees_with_single_pairs():
    corpus = contest(authors=4)
    counts = {}
    for one, other in itertools.combinations(corpus.snippets, 2):
        if one.functionality == other.functionality:
            found = type_of(one.code, other.code, "c")
            counts[found.type, found.renaming] = counts.get((found.type, found.renaming), 0) + 1
    table = type_table(corpus)
    assert {(one.type, one.renaming): one.pairs for one in table.types if one.pairs} == counts


def test_without_a_functionality_in_common_there_is_no_table():
    with pytest.raises(CodekinError, match="no two snippets have a functionality in common"):
        type_table(Corpus("none", SMALL.snippets[-2:]))
    with pytest.raises(CodekinError, match="every pair is labelled 0"):
        type_table(SMALL, pairs_of([(0, 1, 0)]))


CHECKED = """id1,id2,type,sim_line,sim_token
a,b,T1,1.0,1.0
a,c,T2,1.0,1.0
a,d,ST3,1.0,1.0
a,e,MT3,0.5,
"""


def test_a_file_of_types_is_compared(tmp_path):
    place = tmp_path / "types.csv"
    place.write_text(CHECKED)
    check = check_types(SMALL, place)
    assert check.pairs == 4
    assert check.merged
    assert check.equal_types == 1.0
    assert check.bands == 0.0  # the third is T2 here, and the fourth WT3/T4
    assert check.confusion["ST3"]["T2 blind"] == 1
    assert check.confusion["MT3"]["WT3/T4"] == 1
    line, token = check.similarities
    assert (line.pairs, line.equal, token.pairs, token.equal) == (2, 0.5, 1, 1.0)
    assert "BigCloneBench calls only consistent renaming T2" in "".join(check.notes())


def test_vst3_counts_as_st3_only_where_the_file_lacks_it(tmp_path):
    lines = ["g(x);"] * 9
    texts = [body(lines), body([*lines[1:], "y = h;"])]
    corpus = Corpus("two", tuple(Snippet(str(i), "java", one) for i, one in enumerate(texts)))
    place = tmp_path / "types.csv"
    place.write_text("id1,id2,type\n0,1,ST3\n")
    assert check_types(corpus, place).bands == 1.0
    place.write_text("id1,id2,type\n0,1,ST3\n1,0,VST3\n")
    assert check_types(corpus, place).bands == 0.5
    assert check_types(corpus, place).similarities == ()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("a,b,T1", "a,b,T5", r"a type that is none of T1, .* \(row 1: 'T5'\)"),
        ("a,b,", "a,z,", r"a pair names a snippet that is not there \(z\)"),
        ("0.5", "half", r"sim_line is not a number \(row 4: 'half'\)"),
        ("type", "kind", "has no column type"),
        ("id1", "one", "has no column id1"),
    ],
)
def test_a_wrong_file_of_types_is_an_error(tmp_path, old, new, problem):
    place = tmp_path / "types.csv"
    place.write_text(CHECKED.replace(old, new, 1))
    with pytest.raises(CodekinError, match=problem):
        check_types(SMALL, place)


def test_types_are_in_order():
    table = type_table(SMALL)
    assert list(dict.fromkeys(one.type for one in table.types)) == list(TYPES)
