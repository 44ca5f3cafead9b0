from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.builders import (
    balance_plot,
    build_contest,
    build_corpus,
    build_yu,
    describe_build,
)
from codekin.corpora.clone_types import clone_type
from codekin.corpora.corpus import Corpus
from codekin.corpora.description import corpus_balance, natural_rate
from codekin.corpora.reading import read_corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.snippets import EXAMPLE, TAGGED_FALSE, TAGGED_TRUE, Role, Snippet
from codekin.report.plots.figures import drawn_rows
from codekin.source import Source

SUM = """int {0}(int[] {1}) {{
    int total = 0;
    for (int each : {1}) {{
        total += each;
    }}
    return total;
}}
"""
OTHER = """void {0}() throws IOException {{
    open({1});
    print("a", 1);
    print("b", 2);
    print("c", 3);
    flush().then();
    close();
}}
"""


def role_of(snippet: Snippet, functionality: str) -> str | None:
    """The kind of a snippet's role for a functionality; None also where it has none."""
    roles = (role for role in snippet.roles if role.functionality == functionality)
    return next((role.kind for role in roles), None)


def snippet(number: int, code: str, *roles: Role, file: str | None = None) -> Snippet:
    return Snippet(f"s{number:03}", "java", code, roles, file=file)


def tagged(alike: int = 6, unlike: int = 4, false: int = 5) -> Corpus:
    """A functionality with one example, and snippets that are similar to it or not."""
    made = [snippet(0, SUM.format("sum", "numbers"), Role("1", EXAMPLE, 3, 3))]
    for i in range(1, alike + 1):
        made.append(snippet(i, SUM.format(f"f{i}", f"x{i}"), Role("1", TAGGED_TRUE, 2, 3)))
    for i in range(50, 50 + unlike):
        made.append(snippet(i, OTHER.format(f"g{i}", i), Role("1", TAGGED_TRUE, 3, 2)))
    for i in range(100, 100 + false):
        made.append(snippet(i, OTHER.format(f"h{i}", i), Role("1", TAGGED_FALSE, 2, 2)))
    return Corpus("tagged", tuple(made))


def with_snippets(corpus: Corpus, *more: Snippet) -> Corpus:
    return replace(corpus, snippets=(*corpus.snippets, *more))


def step(corpus: Corpus, name: str):
    return next(one for one in corpus.steps if one.name == name)


def roles(corpus: Corpus, functionality: str = "1") -> Counter:
    return Counter(role_of(one, functionality) for one in corpus.snippets)


def test_all_steps_are_recorded_in_order_with_their_parent():
    start = tagged()
    made = build_corpus(start)
    names = [one.name for one in made.steps]
    assert names == ["judge", "contradict", "expand", "extend", "cap", "pairs"]
    assert {one.parents for one in made.steps[:-1]} == {((start.name, start.fingerprint),)}
    assert step(made, "judge").notes == ()
    assert all(one.before["snippets"] == 16 for one in made.steps)


def test_step_1_keeps_what_enough_people_judged_with_enough_confidence():
    start = with_snippets(
        tagged(),
        snippet(200, "int a() { }", Role("1", TAGGED_TRUE, 1, 3)),
        snippet(201, "int b() { }", Role("1", TAGGED_FALSE, 3, 1)),
        snippet(202, "int c() { }", Role("1", EXAMPLE, 1, 1)),
        snippet(203, "int d() { }", Role("1", TAGGED_TRUE, 1, 1), Role("2", TAGGED_FALSE, 2, 2)),
    )
    made = build_corpus(start)
    ids = {one.id for one in made.snippets}
    assert {"s202", "s203"} <= ids
    assert not ids & {"s200", "s201"}
    kept = next(one for one in made.snippets if one.id == "s203")
    assert kept.roles == (Role("2", TAGGED_FALSE, 2, 2),)
    done = step(made, "judge")
    assert (done.before["snippets"], done.after["snippets"]) == (20, 18)
    assert done.after["tags dropped"] == 3
    lenient = build_corpus(start, min_judges=1, min_confidence=1)
    assert len(lenient) == 20


def test_step_1_warns_where_the_numbers_are_missing():
    start = with_snippets(
        tagged(), snippet(200, "int a() { }", Role("1", TAGGED_TRUE)), snippet(201, "int b() { }")
    )
    made = build_corpus(start)
    notes = step(made, "judge").notes
    assert "warning: the number of judges is missing for 1 of 16 tags" in notes[0]
    assert "warning: the confidence is missing for 1 of 16 tags" in notes[1]
    assert notes[2] == "1 snippet without any functionality left out"
    built = describe_build(start, made)
    assert len(built.warnings()) == 2
    assert "s200" in {one.id for one in made.snippets}


def test_contradicting_snippets_are_reported_and_dropped():
    both = snippet(200, "int a() { }", Role("1", TAGGED_TRUE), Role("1", TAGGED_FALSE))
    made = build_corpus(with_snippets(tagged(), both))
    assert "s200" not in {one.id for one in made.snippets}
    done = step(made, "contradict")
    assert done.after["snippets"] == done.before["snippets"] - 1
    assert "1 snippet tagged both" in done.notes[0]
    assert "s200 (1)" in done.notes[0]


def files() -> Corpus:
    entry = SUM.format("total", "x").replace("total += each", "total += twice(each)")
    twice = "int twice(int y) { return 2 * y; }"
    text = f"class A {{\n{entry}\n{twice}\n}}\n"
    role = Role("1", TAGGED_TRUE, 2, 2)
    start = with_snippets(
        tagged(),
        snippet(200, entry, role, file="A.java"),
        snippet(201, "int lost() { return 1; }", role, file="A.java"),
        snippet(202, twice, role, file="B.java"),
        snippet(203, twice, role, file="gone.java"),
        Snippet("s204", "ruby", "def f; end", (role,), file="A.java"),
    )
    return replace(start, files={"A.java": text, "B.java": f"class B {{ {twice} {twice} }}"})


def test_step_2_expands_snippets_and_counts_those_that_it_cannot():
    made = build_corpus(files())
    codes = {one.id: one.code for one in made.snippets}
    assert codes["s200"].endswith("int twice(int y) { return 2 * y; }\n")
    assert codes["s201"] == "int lost() { return 1; }"
    done = step(made, "expand")
    counts = {key: value for key, value in done.after.items() if key != "snippets"}
    assert counts == {
        "in a file": 3,
        "expanded": 1,
        "functions added": 1,
        "without a file": 16,
        "without the text of the file": 1,
        "without resolved calls": 1,
        "not found in the file": 1,
        "found several times": 1,
    }
    assert "16 snippets have no file: each is its own project" in done.notes[0]
    assert made.files == {}


def test_without_expansion_the_code_stays():
    made = build_corpus(files(), expand=False)
    assert [one.code for one in made.snippets] == [one.code for one in files().snippets]
    assert step(made, "expand").notes == ("left out: snippets stay single functions",)


def test_step_3_compares_the_function_alone():
    """With a callee of many lines the similarity would fall below theta."""
    call = SUM.format("total", "x").replace("each;", "slow(each);")
    callee = "int slow(int y) {\n" + "".join(f"  while (y < {i}) y--;\n" for i in range(50)) + "}"
    start = with_snippets(tagged(), snippet(200, call, Role("1", TAGGED_TRUE, 2, 2), file="A.java"))
    made = build_corpus(replace(start, files={"A.java": f"class A {{ {call}\n{callee} }}"}))
    found = next(one for one in made.snippets if one.id == "s200")
    assert "while" in found.code
    assert role_of(found, "1") == EXAMPLE


def test_step_3_extends_the_examples():
    made = build_corpus(tagged())
    assert roles(made) == {EXAMPLE: 7, TAGGED_TRUE: 4, TAGGED_FALSE: 5}
    done = step(made, "extend")
    assert (done.before["examples"], done.after["examples"]) == (1, 7)
    assert done.after["joined the examples"] == 6


def test_theta_is_exceeded_strictly():
    example = "void f() {\na();\nb();\nc();\nreturn;\n}"
    other = "int f(int x) {\nx++;\nx--;\nx += 1;\nreturn x;\n}"
    assert clone_type(Source(example, "java"), Source(other, "java")).line == 1 / 6
    start = Corpus(
        "two",
        (
            snippet(0, example, Role("1", EXAMPLE)),
            snippet(1, other, Role("1", TAGGED_TRUE)),
            snippet(2, "", Role("1", TAGGED_FALSE)),
        ),
    )
    assert roles(build_corpus(start, theta=1 / 6))[EXAMPLE] == 1
    assert roles(build_corpus(start, theta=0.16))[EXAMPLE] == 2


def test_the_best_example_counts():
    start = with_snippets(tagged(), snippet(200, OTHER.format("e", "1"), Role("1", EXAMPLE)))
    made = build_corpus(start)
    assert roles(made) == {EXAMPLE: 12, TAGGED_FALSE: 5}


def test_a_functionality_without_an_example_stays_tagged_true():
    more = [snippet(200 + i, SUM.format(f"z{i}", "q"), Role("2", TAGGED_TRUE)) for i in range(3)]
    made = build_corpus(with_snippets(tagged(), *more))
    assert roles(made, "2")[TAGGED_TRUE] == 3
    assert any("no example of functionality 2 (3)" in one for one in step(made, "extend").notes)
    used = {*made.pairs.first.tolist(), *made.pairs.second.tolist()}
    assert not {made.snippets[i].id for i in used} & {one.id for one in more}


def test_step_4_keeps_curated_examples_first_then_extended_ones():
    start = tagged(alike=30, unlike=20, false=25)
    made = build_corpus(start, cap=10, seed=4)
    assert roles(made) == {EXAMPLE: 10, TAGGED_FALSE: 10}
    assert made.snippets[0].id == "s000"
    wide = build_corpus(start, cap=40)
    assert roles(wide) == {EXAMPLE: 31, TAGGED_TRUE: 9, TAGGED_FALSE: 25}
    other = build_corpus(start, cap=10, seed=5)
    assert {one.id for one in made.snippets} != {one.id for one in other.snippets}
    assert roles(build_corpus(start, cap=None)) == {EXAMPLE: 31, TAGGED_TRUE: 20, TAGGED_FALSE: 25}


def test_step_4_does_not_depend_on_other_functionalities():
    start = tagged(alike=30)
    other = [snippet(300 + i, f"int o{i}() {{ }}", Role("0", EXAMPLE)) for i in range(4)]
    both = replace(start, snippets=(*other, *start.snippets))
    alone, together = (build_corpus(one, cap=10, seed=1) for one in (start, both))
    chosen = {one.id for one in together.snippets} - {one.id for one in other}
    assert chosen == {one.id for one in alone.snippets}


def test_step_5_pairs_examples_only():
    made = build_corpus(tagged())
    found = Counter()
    kinds = [role_of(one, "1") for one in made.snippets]
    for i, j, label in zip(made.pairs.first, made.pairs.second, made.pairs.label, strict=True):
        found[frozenset((kinds[i], kinds[j])), int(label)] += 1
    assert found == {
        (frozenset([EXAMPLE]), 1): 21,
        (frozenset([EXAMPLE, TAGGED_TRUE]), 1): 28,
        (frozenset([EXAMPLE, TAGGED_FALSE]), 0): 35,
    }
    few = build_corpus(tagged(), size=20)
    assert len(few.pairs) == 20
    assert build_corpus(tagged(), size=0).pairs is None


def test_negatives_across_functionalities_are_optional():
    more = [snippet(200 + i, OTHER.format(f"z{i}", i), Role("2", EXAMPLE)) for i in range(2)]
    start = with_snippets(tagged(), *more)
    bases = build_corpus(start).pairs.basis[1]
    assert "other functionality" not in bases
    assert "other functionality" in build_corpus(start, negatives="across").pairs.basis[1]


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        build_corpus(files(), cap=12, seed=7).save(tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_pairs_of_the_corpus_are_replaced_and_that_is_noted():
    start = sample_pairs(tagged(), rule="roles")
    made = build_corpus(start)
    note = f"{len(start.pairs)} pairs of the corpus replaced by new ones"
    assert note in next(one for one in made.steps if one.name == "judge").notes


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (Corpus("none", ()), "none: has no snippets"),
        (contest(), "none of 72 snippets is an example or tagged"),
        (
            replace(tagged(), snippets=tagged().snippets[1:]),
            "has no example, but 15 tagged snippets; give the best",
        ),
        (
            replace(tagged(), snippets=tuple(replace(o, side="test") for o in tagged().snippets)),
            "is split into sides; build first",
        ),
    ],
)
def test_corpora_that_cannot_be_built(start, words):
    with pytest.raises(CodekinError, match=words):
        build_corpus(start)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"theta": 1.5}, "theta is a number from 0 to 1, not 1.5"),
        ({"cap": 0}, "a cap is a whole number from 1, not 0"),
        ({"negatives": "everywhere"}, "unknown negatives 'everywhere'"),
    ],
)
def test_options_out_of_range(options, words):
    with pytest.raises(CodekinError, match=words):
        build_corpus(tagged(), **options)


def test_contests_keep_problems_with_enough_solutions():
    whole = contest(authors=6, problems=3)
    start = replace(whole, snippets=whole.snippets[:14])
    made = build_contest(start, min_solutions=6)
    assert made.sizes() == {"sum": 6, "max": 6}
    done = made.steps[-1]
    assert (done.before["problems"], done.after["problems"]) == (3, 2)
    assert done.notes == ("1 problem with fewer than 6 solutions: count (2)",)
    assert made.pairs is None
    paired = build_contest(start, min_solutions=6, size=None)
    assert (len(paired.pairs), paired.pairs.positives) == (66, 30)
    with pytest.raises(CodekinError, match="none of 3 problems has 7 solutions; the largest has 6"):
        build_contest(start, min_solutions=7)
    with pytest.raises(CodekinError, match="from 1, not 0"):
        build_contest(start, min_solutions=0)


def test_yu_makes_clones_of_confirmed_snippets():
    start = tagged(alike=2, unlike=1, false=2)
    both = snippet(200, "int a() { }", Role("1", TAGGED_TRUE), Role("1", TAGGED_FALSE))
    start = with_snippets(start, both, snippet(201, "int b() { }"))
    made = build_yu(start, size=None)
    assert (len(made.pairs), made.pairs.positives) == (28, 10)
    assert made.pairs.rate == natural_rate(start.snippets)
    assert roles(made)[EXAMPLE] == 0
    assert "count as having it" in made.steps[0].notes[0]
    # Pairs that are drawn later have the same labels.
    assert sample_pairs(build_yu(start)).pairs.rate == made.pairs.rate


EXPORT = {
    "FUNCTIONS.csv": """NAME,TYPE,STARTLINE,ENDLINE,ID,PROJECT
A.java,sample,2,4,1,
A.java,selected,5,7,2,p
A.java,selected,8,10,3,p
A.java,default,11,13,4,q
""",
    "CLONES.csv": """FUNCTION_ID_ONE,FUNCTION_ID_TWO,FUNCTIONALITY_ID,SYNTACTIC_TYPE,\
MIN_JUDGES,MIN_CONFIDENCE
1,2,7,3,2,3
1,3,7,3,1,3
2,3,7,3,1,3
""",
    "FALSE_POSITIVES.csv": """FUNCTION_ID_ONE,FUNCTION_ID_TWO,FUNCTIONALITY_ID,SYNTACTIC_TYPE,\
MIN_JUDGES,MIN_CONFIDENCE
1,4,7,3,2,2
""",
}


def test_step_1_on_an_export_of_the_database(tmp_path):
    for name, text in EXPORT.items():
        (tmp_path / name).write_text(text)
    body = "".join(f"int f{i}(int a) {{\n  return a + {i};\n}}\n" for i in range(4))
    for kind in ("sample", "selected", "default"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "A.java").write_text(f"class A {{\n{body}}}\n")
    start = read_corpus(tmp_path)
    made = build_corpus(start)
    assert {one.id: role_of(one, "7") for one in made.snippets} == {
        "1": EXAMPLE,
        "2": EXAMPLE,  # a function judged by two in one pair was judged by two
        "4": TAGGED_FALSE,
    }
    assert step(made, "judge").after["tags dropped"] == 1
    assert not any("warning" in note for one in made.steps for note in one.notes)


def test_the_balance_before_and_after_is_a_table_and_a_plot():
    start = tagged(alike=30)
    built = describe_build(start, build_corpus(start, cap=12))
    assert built.before.mean == 35
    assert built.after.mean == 12
    assert built.table().records()[0]["snippets before"] == 35
    steps, balance, _ = built.grids()
    assert steps.cells[0][0] == "judge"
    assert balance.cells[1][2] == 12
    bars = [mark.value for mark in balance_plot(built.before, built.after).rows[0].marks]
    assert bars == [35, 12]
    assert drawn_rows(balance_plot(built.before, built.after))[0].text == "35"
    nothing = corpus_balance(Corpus("none", ()))
    assert balance_plot(nothing, nothing).reason == "no snippet has a functionality"
    assert built.section().content[0].rows
