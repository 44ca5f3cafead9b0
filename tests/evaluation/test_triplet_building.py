import gzip
import json
import lzma
import random
import time
from collections import Counter
from itertools import combinations

import pytest

from codekin.errors import CodekinError
from codekin.evaluation.triplet_building import build_triplets, write_triplets
from codekin.groups.near_duplicates import near_duplicate
from codekin.source import Source

SHAPES = {
    "python": (
        "n = int(input())\nprint(sum(range(n + {k})))\n",
        "import sys\ntotal = 0\nfor word in sys.stdin.read().split():\n"
        "    total += int(word) * {k}\nprint(total)\n",
        "def f(n):\n    return n if n < {k} else f(n - 1) + f(n - 2)\n\nprint(f(int(input())))\n",
        "a = [int(x) for x in input().split()]\na.sort()\nwhile a and a[-1] > {k}:\n    a.pop()\n"
        "print(*a)\n",
        "s = input()\nseen = set()\nfor i, c in enumerate(s):\n    if c in seen:\n"
        "        print(i + {k})\n        break\n    seen.add(c)\n",
        "from collections import Counter\nc = Counter(input())\n"
        "print(max(c, key=c.get) if c else {k})\n",
    ),
    "java": (
        "class A {{ public static void main(String[] a) {{ int n = {k}; "
        "while (n > 0) n -= 2; System.out.println(n); }} }}",
        "import java.util.*; class B {{ public static void main(String[] a) {{ "
        "List<Integer> all = new ArrayList<>(); all.add({k}); "
        "for (int x : all) System.out.print(x); }} }}",
        "class C {{ static int f(int x) {{ return x < {k} ? x : f(x - 1) * 3; }} "
        'public static void main(String[] a) {{ System.out.printf("%d", f(a.length)); }} }}',
    ),
}


def submission(problem, author, shape, k, passed, language="python", **more):
    code = SHAPES[language][shape].format(k=k)
    given = {"problem": problem, "language": language, "code": code, "passed": passed}
    return given | ({} if author is None else {"author": author}) | more


def course(problems=3, authors=6, language="python"):
    """Every author hands in a faulty program and its mended form, in a shape of their own."""
    return [
        submission(
            f"p{p}", f"ann{p}-{a}", a % len(SHAPES[language]), 10 * a + passed, passed, language
        )
        for p in range(problems)
        for a in range(authors)
        for passed in (False, True)
    ]


def reasons(built, what):
    return {one.reason: one.count for one in built.left_out if one.what == what}


def leaks(triplets):
    """The same questions as the builder's rules ask, put to its result."""
    found = []
    roles = {}
    uses = Counter()
    for one in triplets:
        texts = {role: getattr(one, role) for role in ("anchor", "positive", "negative")}
        sources = {role: Source(s.code, s.language) for role, s in texts.items()}
        for other in ("positive", "negative"):
            if near_duplicate(sources["anchor"], sources[other]):
                found.append((one.id, "near-duplicate", other))
            if texts["anchor"].author and texts["anchor"].author == texts[other].author:
                found.append((one.id, "author", other))
        for role, source in sources.items():
            pair = (texts["anchor"].language, texts["positive"].language)
            key = (one.problem, pair, source.tokens.ids.tobytes())
            if roles.setdefault(key, role) != role:
                found.append((one.id, "two roles", role))
        for role in ("positive", "negative"):
            uses[one.problem, texts["anchor"].language, texts[role]] += 1
        if not (texts["anchor"].passed and texts["positive"].passed):
            found.append((one.id, "verdict", ""))
        if texts["negative"].passed:
            found.append((one.id, "verdict", "negative"))
    return found + [key for key, count in uses.items() if count > 1]


def test_matched_triplets_pair_an_authors_faulty_and_mended_program():
    built = build_triplets(course())
    assert built.triplets
    assert leaks(built.triplets) == []
    for one in built.triplets:
        assert one.positive.author == one.negative.author != one.anchor.author
        assert {one.anchor.problem, one.positive.problem, one.negative.problem} == {one.problem}


def test_of_an_authors_texts_the_two_most_alike_are_taken():
    rows = [
        submission("p", "ann", 0, 1, False),
        submission("p", "ann", 1, 1, True),
        submission("p", "ann", 1, 2, False),
        submission("p", "ann", 2, 1, True),
        submission("p", "bob", 3, 1, True),
    ]
    [one] = build_triplets(rows).triplets
    assert (one.positive.code, one.negative.code) == (rows[1]["code"], rows[2]["code"])
    assert one.anchor.author == "bob"


def test_random_triplets_are_by_three_authors():
    built = build_triplets(course(), mode="random")
    assert built.triplets
    assert leaks(built.triplets) == []
    for one in built.triplets:
        assert len({one.anchor.author, one.positive.author, one.negative.author}) == 3


def test_unknown_authors_count_as_different_ones():
    rows = [{k: v for k, v in row.items() if k != "author"} for row in course()]
    built = build_triplets(rows, mode="random")
    assert len({one.problem for one in built.triplets}) == 3
    assert leaks(built.triplets) == []


def test_matched_triplets_need_authors():
    rows = [{k: v for k, v in row.items() if k != "author"} for row in course()]
    with pytest.raises(CodekinError, match=r"no row has an 'author'.*random"):
        build_triplets(rows)


def test_in_matched_mode_submissions_without_an_author_are_counted():
    rows = course(problems=1)
    nobody = submission("p0", None, 0, 77, True)
    built = build_triplets([*rows, nobody])
    assert reasons(built, "submission") == {"no author, which matched triplets need": 1}
    assert built.triplets
    texts = {s.code for one in built.triplets for s in (one.anchor, one.positive, one.negative)}
    assert nobody["code"] not in texts


def test_a_pair_that_another_author_has_copied_comes_once():
    rows = [submission("p", who, 1, k, k == 1) for who in ("ann", "eve") for k in (1, 2)]
    rows.append(submission("p", "bob", 3, 1, True))
    built = build_triplets(rows)
    assert len(built.triplets) == 1
    assert reasons(built, "pair") == {
        "one of its texts is already in another triplet of the problem": 1
    }


def test_cross_lingual_triplets_have_their_anchor_in_the_other_language():
    rows = course(authors=3, language="java") + course(authors=6)
    built = build_triplets(rows, languages=["java:python", "python"])
    assert built.pairs[("java", "python")] > 0 < built.pairs[("python", "python")]
    assert leaks(built.triplets) == []
    assert {one.positive.language for one in built.triplets} == {"python"}
    assert {one.negative.language for one in built.triplets} == {"python"}
    by_pair = Counter(one.anchor.language for one in built.triplets)
    assert by_pair == {
        "java": built.pairs["java", "python"],
        "python": built.pairs["python", "python"],
    }
    assert len({one.id for one in built.triplets}) == len(built.triplets)


def test_an_author_of_two_languages_is_never_beside_themselves():
    rows = [submission("p", "ann", 0, 1, True, "java")]
    rows += [submission("p", "ann", 0, k, bool(k)) for k in (0, 1)]
    for mode in ("matched", "random"):
        assert build_triplets(rows, languages="java:python", mode=mode).triplets == ()
    rows.append(submission("p", "bob", 0, 1, True, "java"))
    [one] = build_triplets(rows, languages="java:python").triplets
    assert one.anchor.author == "bob"


def test_by_default_each_language_stands_alone():
    built = build_triplets(course(authors=3, language="java") + course())
    assert set(built.pairs) == {("java", "java"), ("python", "python")}
    assert all(one.anchor.language == one.positive.language for one in built.triplets)


def test_at_most_so_many_of_a_problem():
    rows = course(problems=2, authors=6) + course(problems=4, authors=2)[8:]
    most = Counter(one.problem for one in build_triplets(rows, per_problem=2).triplets)
    assert most == {"p0": 2, "p1": 2, "p2": 1, "p3": 1}


@pytest.mark.parametrize(("mode", "count"), [("matched", 5), ("random", 4)])
def test_as_many_triplets_as_the_roles_allow(mode, count):
    # Of n texts that passed, n - 1 are positives beside the one that is the anchor of all; among
    # random ones the anchor's author may have written one of the negatives.
    built = build_triplets(course(problems=1), mode=mode, per_problem=50)
    assert len(built.triplets) == count
    assert len({one.anchor.code for one in built.triplets}) == 1


def test_anchors_are_taken_in_turn_where_there_are_enough():
    rows = course(problems=1, authors=2)
    rows += [submission("p0", f"zoe{i}", 2 + i, 5, True) for i in range(4)]
    built = build_triplets(rows)
    assert len(built.triplets) == 2
    assert len({one.anchor.code for one in built.triplets}) == 2


def test_the_seed_decides_and_the_order_of_rows_does_not():
    rows = [row | {"id": i} for i, row in enumerate(course(problems=4))]
    for mode in ("matched", "random"):
        built = build_triplets(rows, mode=mode, per_problem=2)
        mixed = rows[:]
        random.Random(5).shuffle(mixed)
        assert build_triplets(mixed, mode=mode, per_problem=2).triplets == built.triplets
        others = [
            build_triplets(rows, mode=mode, per_problem=2, seed=s).triplets for s in (1, 2, 3)
        ]
        assert any(other != built.triplets for other in others)


@pytest.mark.parametrize(
    "leak",
    [
        lambda code: code,
        lambda code: "# solved\n" + code.replace(" = ", "="),
        lambda code: code.replace("total", "s").replace("word", "w"),
        lambda code: code.replace("print(total)", "print(total + 1)"),
    ],
    ids=["copy", "reformatted", "renamed", "one statement"],
)
@pytest.mark.parametrize("mode", ["matched", "random"])
def test_planted_leaks_stay_out(leak, mode):
    rows = [
        submission("p", "ann", 1, 1, True),
        submission("p", "ann", 1, 2, False),
        submission("p", "bob", 1, 1, True),
        submission("p", "eve", 1, 1, True),
    ]
    for copied in rows[2:]:
        copied["code"] = leak(copied["code"])
    built = build_triplets(rows, mode=mode)
    assert built.triplets == ()
    assert sum(built.near_duplicates.values()) > 0
    [reason] = reasons(built, "problem")
    assert reason == "no anchor by another author that is not a near-duplicate"


@pytest.mark.parametrize("change", [str, lambda code: "# the same\n" + code.replace("    ", "\t")])
def test_a_text_that_passed_and_failed_is_left_out(change):
    rows = course(problems=1)
    contradiction = submission("p0", "eve", 0, 1, False)
    contradiction["code"] = change(contradiction["code"])
    built = build_triplets([*rows, contradiction], per_problem=50)
    assert reasons(built, "submission") == {"the same text passed and failed": 2}
    texts = {
        Source(getattr(one, role).code, "python").tokens.ids.tobytes()
        for one in built.triplets
        for role in ("anchor", "positive", "negative")
    }
    assert Source(contradiction["code"], "python").tokens.ids.tobytes() not in texts


def test_repeated_and_empty_texts_are_left_out():
    rows = course(problems=1)
    again = rows[1] | {"code": rows[1]["code"] + "\n# again\n"}
    blank = rows[1] | {"code": "# to do\n"}
    built = build_triplets([*rows, again, blank])
    assert reasons(built, "submission") == {
        "the same author, or an unknown one, already submitted this text": 1,
        "nothing but comments and white space": 1,
    }


def test_bad_rows_are_counted_with_their_reason_and_place():
    rows = course(problems=1)
    clean = build_triplets([row | {"id": i} for i, row in enumerate(rows)])
    bad = [rows[0] | {"passed": "AC"}, rows[0] | {"passed": "AC"}, rows[0] | {"language": "x"}]
    built = build_triplets([*(row | {"id": i} for i, row in enumerate(rows)), *bad])
    assert built.triplets == clean.triplets
    assert (built.rows, built.submissions) == (len(rows) + 3, len(rows))
    first, second = [one for one in built.left_out if one.what == "row"]
    assert (first.count, first.first) == (2, f"row {len(rows) + 1}")
    assert "'AC'" in first.reason
    assert second.count == 1


@pytest.mark.parametrize(
    ("rows", "mode", "reason"),
    [
        (
            [("ann", 0, True), ("bob", 1, True)],
            "matched",
            "no submission that failed and has an author",
        ),
        ([("ann", 0, False), ("bob", 1, False)], "random", "no submission that passed"),
        (
            [("ann", 0, False), ("bob", 1, True), ("eve", 2, True)],
            "matched",
            "no author has both one that passed and one that failed",
        ),
        (
            [("ann", 0, False), ("bob", 1, True)],
            "random",
            "no two that passed and one that failed, by three different authors",
        ),
        (
            [("ann", 0, False), ("bob", 1, True), ("bob", 2, True)],
            "random",
            "no anchor by another author that is not a near-duplicate",
        ),
    ],
)
def test_why_a_problem_has_no_triplets(rows, mode, reason):
    built = build_triplets([submission("p", a, s, 1, p) for a, s, p in rows], mode=mode)
    assert built.triplets == ()
    assert reasons(built, "problem") == {reason: 1}


def test_languages_that_nobody_asked_for_are_counted():
    built = build_triplets(course() + course(authors=3, language="java"), languages="py")
    assert reasons(built, "submission") == {
        "in java, which is in no requested pair of languages": 18
    }
    built = build_triplets(course(), languages=["python", "java:python"])
    assert reasons(built, "problem") == {"no submission in java": 3}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"mode": "both"}, "unknown mode 'both'"),
        ({"per_problem": 0}, "at least 1"),
        ({"languages": "java:python:c"}, "cannot read the languages"),
        ({"languages": [":python"]}, "cannot read the languages"),
        ({"languages": ["klingon"]}, "klingon"),
    ],
)
def test_wrong_arguments_are_said(arguments, said):
    with pytest.raises(CodekinError, match=said):
        build_triplets(course(), **arguments)


def test_nothing_gives_nothing():
    built = build_triplets([])
    assert (built.triplets, built.rows, built.left_out) == ((), 0, ())


def test_a_problem_of_thousands_is_sampled():
    rows = [submission("p", f"u{i // 2}", i // 2 % 6, f"{i}", i % 2 == 0) for i in range(6000)] + [
        submission("p", "busy", 1, f"{i}", i % 2 == 0) for i in range(400)
    ]
    start = time.process_time()
    built = build_triplets(rows, per_problem=10)
    assert time.process_time() - start < 20
    assert len(built.triplets) == 10
    assert leaks(built.triplets) == []
    [(reason, count)] = reasons(built, "submission").items()
    assert reason.startswith("not read")
    assert count >= 6400 - 1040


def test_rows_have_the_form_that_judging_reads():
    row = build_triplets(course()).triplets[0].row()
    assert list(row) == ["id", "problem", "anchor", "positive", "negative"]
    for role in ("anchor", "positive", "negative"):
        assert list(row[role]) == ["language", "code", "id", "author"]
    bare = [{k: v for k, v in row.items() if k != "author"} for row in course()]
    row = build_triplets(bare, mode="random").triplets[0].row()
    assert "author" not in row["anchor"]


def test_files_are_the_same_for_the_same_triplets(tmp_path):
    built = build_triplets(course())
    expected = [one.row() for one in built.triplets]
    opened = {".jsonl": open, ".jsonl.gz": gzip.open, ".jsonl.xz": lzma.open}
    for suffix, opener in opened.items():
        paths = [write_triplets(built, tmp_path / f"{name}{suffix}") for name in ("a", "b")]
        with opener(paths[0], "rt", encoding="utf-8") as file:
            assert [json.loads(line) for line in file] == expected
        one, two = (path.read_bytes() for path in paths)
        assert one == two
    assert len(list(tmp_path.iterdir())) == 6


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    built = build_triplets(course())
    with pytest.raises(CodekinError, match=r"\.jsonl, \.jsonl\.gz or \.jsonl\.xz"):
        write_triplets(built, tmp_path / "a.csv")
    with pytest.raises(CodekinError, match="there is no folder"):
        write_triplets(built, tmp_path / "nowhere" / "a.jsonl")
    (tmp_path / "taken.jsonl").mkdir()
    with pytest.raises(CodekinError, match="cannot be written"):
        write_triplets(built, tmp_path / "taken.jsonl")


def test_shapes_are_not_alike():
    # Else the tests above would prove nothing.
    for language, shapes in SHAPES.items():
        for one, two in combinations(shapes, 2):
            pair = [Source(text.format(k=1), language) for text in (one, two)]
            assert near_duplicate(*pair) is None


@pytest.mark.parametrize("mode", ["matched", "random"])
def test_a_contradiction_with_a_comment_is_still_one(mode) -> None:
    told = "a, b = input().split()\nprint(int(a) + int(b) * 1)"
    rows = [
        ("ann", "print(sum(map(int, input().split())))", True),
        ("bob", told, True),
        ("bob", told, False),
        ("bob", f"{told}  # at last", True),
        ("bob", "a, b = input().split()\nprint(a + b)", False),
        ("cyn", "x = input().split()\nprint(x[0] + x[1])", False),
    ]
    built = build_triplets(
        [
            {"problem": "sum", "language": "python", "author": who, "code": code, "passed": passed}
            for who, code, passed in rows
        ],
        mode=mode,
    )
    assert built.triplets == ()
    assert ("the same text passed and failed", 3) in [
        (one.reason, one.count) for one in built.left_out
    ]
