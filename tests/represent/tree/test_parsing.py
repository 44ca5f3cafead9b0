import os
import random
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
import tree_sitter

from codekin import _native
from codekin.languages import get_language
from codekin.represent.tree import parsing
from codekin.represent.tree.parsing import parse, parse_bounded, parse_in_pieces

START = tree_sitter.Point(0, 0)
UNITS = {
    "python": "def f{i}(x):\n    return [x, 'é→𝄞', {i}]\n",
    "typescript": "function f{i}(x: number) { return [x, 'é→𝄞', {i}]; }\n",
    "c": "int f{i}(int x) { return x * {i}; /* é→𝄞 */ }\n",
}


def text_of(name, length, seed=0):
    chance = random.Random(f"{name} {seed}")
    text = ""
    while len(text.encode()) < length:
        text += UNITS[name].replace("{i}", str(chance.randrange(10**6)))
    return text.encode()[:length]


def parsed(grammar, data):
    return [part.tobytes() for part in _native.flatten(parse(grammar, data))]


def whole(grammar, data):
    tree = tree_sitter.Parser(grammar.language).parse(data)
    return [part.tobytes() for part in _native.flatten(tree)]


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("length", [0, 1, 2, 255, 256, 257, 511, 512, 5000])
def test_pieces_give_the_tree_of_the_whole(name, length):
    grammar = get_language(name).grammars[0]
    data = text_of(name, length)
    assert parsed(grammar, data) == whole(grammar, data)


@pytest.mark.parametrize("name", UNITS)
def test_a_binding_that_takes_only_bytes_gets_them(monkeypatch, name):
    grammar = get_language(name).grammars[0]
    data = text_of(name, 3000)
    expected = parsed(grammar, data)
    monkeypatch.setattr(parsing, "_idle", [])
    monkeypatch.setattr(parsing, "_takes_buffers", lambda _parser: False)
    assert parsed(grammar, data) == expected
    assert parsing._idle == []


class OnlyBytes:
    """A parser as it was before 0.26."""

    def parse(self, read):
        found = read(0, START)
        if not isinstance(found, bytes):
            raise TypeError("read callable must return a bytestring")
        return found


def test_what_a_binding_takes_is_tried():
    assert not parsing._takes_buffers(OnlyBytes())


def test_buffers_are_used_again(monkeypatch):
    monkeypatch.setattr(parsing, "_idle", [])
    grammar = get_language("python").grammars[0]
    for i in range(50):
        parse(grammar, text_of("python", 3000, i))
    assert len(parsing._idle) <= 1  # none where the binding takes only bytes
    for buffers in parsing._idle:
        assert all(buffer is None or len(buffer) == at for at, buffer in enumerate(buffers))
        assert buffers[256] is not None


def test_a_tree_that_is_kept_writes_into_no_other_parse(monkeypatch):
    monkeypatch.setattr(parsing, "_idle", [])
    grammar = get_language("python").grammars[0]
    first, second = text_of("python", 2000, 1), text_of("python", 2000, 2)
    kept = parse(grammar, first)
    parse(grammar, second)
    before = [list(map(bytes_of, buffers)) for buffers in parsing._idle]
    # The binding reads a node's text by the same callback.
    assert first.startswith(kept.root_node.children[0].text or b"")
    assert [list(map(bytes_of, buffers)) for buffers in parsing._idle] == before


def bytes_of(buffer):
    return buffer and bytes(buffer)


def test_threads_do_not_share_buffers():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        work = [(name, text_of(name, 2000, seed)) for seed in range(30) for name in UNITS]
        grammars = {name: get_language(name).grammars[0] for name in UNITS}
        expected = [whole(grammars[name], data) for name, data in work]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda one: parsed(grammars[one[0]], one[1]), work)) == expected
    finally:
        sys.setswitchinterval(interval)


def test_pieces_of_any_length_are_read():
    grammar = get_language("c").grammars[0]
    data = text_of("c", 2000)
    for piece in (1, 2, 7, 256, 100_000):
        tree, read = parse_in_pieces(grammar.language, data, piece, b"")
        assert read == len(data)
        assert [part.tobytes() for part in _native.flatten(tree)] == whole(grammar, data)


ENOUGH = {"allocations": 2**31 - 1, "allocations_per_byte": 0, "stack_nodes": 2**31 - 1}


def reader_of(data, piece, reads, tail=b"", buffers=None, **limits):
    return _native.PieceReader(
        data, piece, tail, buffers, reads, **(ENOUGH | {"node_bytes": 232} | limits)
    )


def test_a_reader_gives_some_pieces_and_then_the_tail():
    reader = reader_of("aé→𝄞".encode(), 1, 4, b"\n")
    assert [reader(at, START) for at in (0, 1, 3)] == [b"a", "é→".encode()[:4], "→𝄞".encode()[:4]]
    assert reader(99, START) == b""
    assert reader.cut == -1
    assert [reader(at, START) for at in (3, 2, 4, 3)] == [b"\n", b"\n", b"", b"\n"]
    assert reader.cut == 3


@pytest.mark.parametrize("buffers", [[], [None] * 8, (None,) * 9, "buffers"])
def test_a_reader_needs_a_place_for_each_length(buffers):
    with pytest.raises(ValueError, match="a place for each length"):
        reader_of(b"text", 8, 10, buffers=buffers)


@pytest.mark.parametrize("limit", ["reads", *ENOUGH])
@pytest.mark.parametrize("value", [-1, 2**31])
def test_limits_that_would_overflow_are_refused(limit, value):
    with pytest.raises(ValueError, match=f"{limit} must be from 0 to 2147483647"):
        reader_of(b"text", 8, **({"reads": 10} | {limit: value}))


def test_a_reader_fills_a_buffer_again():
    buffers = [None] * 9
    reader = reader_of(b"eight by" * 2 + b"end", 8, 10, buffers=buffers)
    first = reader(0, START)
    assert (first, reader(16, START)) == (b"eight by", b"end")
    assert reader(3, START) is first is buffers[8]
    assert first == b"ht byeig"
    reader.stop()
    assert reader(0, START) == b"eight by"
    assert first == b"ht byeig"


def metered(text, node_bytes):
    reader = reader_of(text, 256, 10**6, node_bytes=node_bytes)
    parser = tree_sitter.Parser(get_language("python").grammars[0].language)
    reader.start()
    parser.parse(reader)
    reader.stop()
    return reader


def test_the_size_of_a_stack_node_is_found():
    found = parsing._stack_node_bytes()
    assert found > 64
    # Each bracket that opens takes one more of them, whatever else is asked for.
    some, more = (metered(b"(" * count, 0) for count in (500, 1500))
    assert some.commonest_size == more.commonest_size == found
    assert more.allocations - some.allocations >= 1000


def test_the_meter_counts_the_same_again_and_only_while_it_runs():
    text = text_of("python", 5000)
    first = metered(text, 232)
    counted = first.allocations
    assert counted > 500
    _ = [bytearray(100) for _ in range(100)], [list(range(50)) for _ in range(100)]
    assert first.allocations == counted
    assert {metered(text, 232).allocations for _ in range(5)} == {counted}


GREEDY = {
    # By what they did before there were limits: gigabytes where the text ends, or minutes.
    "java": "%q(",
    "rust": "( then )( ^",
    "csharp": "<!--",
    "c": '=> $ typename $" || for',
    "cpp": "impl&funa<b",
}


@pytest.mark.parametrize("name", GREEDY)
def test_greedy_texts_are_cut_at_the_same_place_each_time(name):
    text = (GREEDY[name] * 30_000)[:120_000].encode()
    grammar = get_language(name).grammars[0]
    tree, read = parse_bounded(grammar, text)
    assert read < len(text)
    nodes = [part.tobytes() for part in _native.flatten(tree)]
    again, there = parse_bounded(grammar, text)
    assert there == read
    assert [part.tobytes() for part in _native.flatten(again)] == nodes
    assert read < 40_000  # before the stack is large


@pytest.mark.parametrize("text", ["→", "é𝄞", "x\ud800", "\ufeff*?#1"])
def test_a_text_is_never_cut_within_a_character(text):
    data = (text * 300).encode("utf-8", "surrogatepass")
    language = get_language("java").grammars[0].language
    for reads in range(1, 12):
        for piece in (1, 5, 256):
            limits = parsing.ParseLimits(reads=reads, reads_per_piece=0, reads_per_byte=0)
            tree, read = parse_in_pieces(language, data, piece, b"", limits)
            assert tree.root_node.end_byte <= len(data)
            assert 0 <= read <= len(data)


@pytest.mark.parametrize("name", UNITS)
def test_code_is_far_from_every_limit(name):
    language = get_language(name).grammars[0].language
    strict = parsing.ParseLimits(200_000, 2000, 20, 4, 2_000, 2, 2_000)
    for length in (300, 3_000, 120_000):
        data = text_of(name, length)
        assert parse_in_pieces(language, data, 256, b"", strict)[1] == length


def test_brackets_may_be_nested_ten_thousand_deep():
    grammar = get_language("python").grammars[0]
    for depth, whole_text in ((10_000, True), (20_000, False)):
        text = b"(" * depth + b"1" + b")" * depth
        assert (parse_bounded(grammar, text)[1] == len(text)) is whole_text


def test_threads_meter_their_own_parses():
    grammar = get_language("java").grammars[0]
    texts = [(b"%q(" * count, b"class A {}") for count in range(1000, 1008)]
    expected = [[parse_bounded(grammar, text)[1] for text in pair] for pair in texts]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: [parse_bounded(grammar, text)[1] for text in pair], texts)
    assert list(found) == expected


def test_memory_hooks_are_gone_after_a_parse():
    tracemalloc.start()
    try:
        parse(get_language("python").grammars[0], b"x = 1")
        kept = [0] * 100_000
        assert tracemalloc.get_traced_memory()[0] >= len(kept) * 8
    finally:
        tracemalloc.stop()
    parse(get_language("python").grammars[0], b"x = 1")


PARSE_IN_LITTLE_MEMORY = """
import resource, sys
from codekin import Source, measure
from codekin.represent.text.detection import detect_language
name, unit, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
Source("x", name).tree
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
text = (unit * size)[:size]
source = Source(text, name)
print(source.tree.unparsed > 0, source.problems[-1].message.startswith("stopped parsing"))
with open("/proc/self/status") as file:  # ru_maxrss may be that of the process before exec
    print(next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) < 800_000)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")  # noqa: PTH110
@pytest.mark.parametrize(
    ("name", "size"), [("java", 12_000), ("rust", 12_000), ("csharp", 120_000)]
)
def test_greedy_texts_take_little_memory(name, size):
    unit = "template<class" if name == "csharp" else "%q("
    done = subprocess.run(
        [sys.executable, "-c", PARSE_IN_LITTLE_MEMORY, name, unit, str(size)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout.split()) == (0, ["True"] * 3), done.stderr
