import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.groups.near_duplicates import fingerprint, near_duplicate, token_similarity
from codekin.source import Source

PYTHON = """\
import sys

def read():
    count = int(sys.stdin.readline())
    return [int(word) for word in sys.stdin.readline().split()][:count]

def solve(values):
    best = current = values[0]
    for value in values[1:]:
        current = max(value, current + value)
        if current > best:
            best = current
    return best

numbers = read()
if not numbers:
    print("nothing")
else:
    print(solve(numbers))
"""

JAVA = """\
import java.util.Scanner;

public class Main {
    static class Counter {
        int seen;
        void add(int step) { seen += step; }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        Counter odd = new Counter();
        for (int i = 0; i < n; i++) {
            if (in.nextInt() % 2 == 1) {
                odd.add(1);
            }
        }
        System.out.println(odd.seen);
    }
}
"""

OTHER_PYTHON = """\
n = int(input())
xs = list(map(int, input().split()))
lowest = total = 0
answer = -10**18
for x in xs:
    total += x
    answer = max(answer, total - lowest)
    lowest = min(lowest, total)
print(answer)
"""


def judged(first, second, language="python"):
    one, two = Source(first, language), Source(second, language)
    found = near_duplicate(one, two)
    assert near_duplicate(two, one) == found
    return found


def renamed(text, names):
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


@pytest.mark.parametrize(
    "second",
    [
        PYTHON,
        PYTHON.replace("    ", "\t"),
        PYTHON.replace("\n\n", "\n\n\n# a remark\n"),
        PYTHON.replace("def solve(values):\n", 'def solve(values):\n    """Add up."""\n'),
        PYTHON.replace(" = ", "="),
    ],
)
def test_layout_and_comments_do_not_hide_a_copy(second):
    assert judged(PYTHON, second) == ("copy", 1.0)


def test_a_changed_statement_is_a_near_copy():
    kind, similarity = judged(PYTHON, PYTHON.replace("current > best", "best < current"))
    assert kind == "near copy"
    assert 0.9 <= similarity < 1
    second = Source(PYTHON.replace("current > best", "best < current"), "python")
    assert similarity == token_similarity(
        fingerprint(Source(PYTHON, "python")), fingerprint(second)
    )


def test_an_added_statement_is_a_near_copy():
    assert judged(JAVA, JAVA.replace("int n =", "int unused = 7;\n        int n ="), "java")[0] == (
        "near copy"
    )


RENAMING = {"values": "xs", "value": "x", "current": "run", "best": "top", "numbers": "data"}


def test_renamed_names_do_not_hide_a_copy():
    assert judged(PYTHON, renamed(PYTHON, RENAMING)) == ("renamed copy", 1.0)


def test_a_renamed_class_is_a_renamed_copy():
    names = {"Counter": "Box", "odd": "b", "seen": "k", "step": "d", "add": "put", "n": "size"}
    second = renamed(JAVA, names)
    assert judged(JAVA, second, "java") == ("renamed copy", 1.0)


def test_a_renamed_copy_may_have_a_new_variable_at_its_start():
    # Names by their order of first appearance would all be others from there on.
    second = renamed(PYTHON, RENAMING).replace("import sys\n", "import sys\nlimit = 100\n")
    kind, similarity = judged(PYTHON, second)
    assert kind == "renamed copy"
    assert 0.9 <= similarity < 1


def test_names_that_are_not_replaced_one_for_one_are_no_renaming():
    # The same shape, but other names stand for one name from place to place.
    shuffled = random.Random(3)
    names = ["a", "b", "c", "d"]
    lines = [tuple(shuffled.choices(names, k=3)) for _ in range(30)]
    other = [tuple(shuffled.choices(names, k=3)) for _ in range(30)]
    text = "".join(f"{x} = {y} + {z}\n" for x, y, z in lines)
    second = "".join(f"{x} = {y} + {z}\n" for x, y, z in other)
    assert judged(text, second) is None


def test_another_solution_is_none():
    assert judged(PYTHON, OTHER_PYTHON) is None


def test_another_language_is_none():
    assert near_duplicate(Source(PYTHON, "python"), Source(JAVA, "java")) is None


def test_a_copy_of_c_is_one_in_cpp_too():
    text = '#include <stdio.h>\nint main() { int n; scanf("%d", &n); printf("%d", n / 2); }\n'
    assert near_duplicate(Source(text, "c"), Source(text, "cpp")) == ("copy", 1.0)


def test_short_programs_count_only_when_equal():
    assert judged("print(int(input()) + 1)", "print(int(input()) + 2)") is None
    assert judged("print(int(input()) + 1)", "print( int(input()) + 1 )") == ("copy", 1.0)
    assert judged("", "# nothing\n") == ("copy", 1.0)
    assert judged("", PYTHON) is None


@given(st.integers(0, 40), st.randoms(use_true_random=False))
def test_near_copies_are_exactly_those_above_the_limit(changes, chance):
    words = [f"'{i}'" for i in range(40)]
    for place in chance.sample(range(40), changes):
        words[place] = f"'{place + 100}'"
    first = Source("x = [" + ", ".join(f"'{i}'" for i in range(40)) + "]", "python")
    second = Source("x = [" + ", ".join(words) + "]", "python")
    similarity = token_similarity(fingerprint(first), fingerprint(second))
    found = near_duplicate(first, second)
    if changes == 0:
        assert found == ("copy", 1.0)
    else:
        assert found == (("near copy", similarity) if similarity >= 0.9 else None)


def test_a_pair_of_parsed_programs_takes_far_less_than_a_millisecond():
    sources = [Source(renamed(JAVA * 2, {"seen": f"seen{i}"}), "java") for i in range(20)]
    for source in sources:
        near_duplicate(source, source)
    start = time.process_time()
    for one in sources:
        for two in sources:
            near_duplicate(one, two)
    assert (time.process_time() - start) / len(sources) ** 2 < 1e-3
