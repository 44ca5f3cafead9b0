import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import tree_sitter

from codekin import _native
from codekin.languages import bounded_parse, get_language
from codekin.languages.bounded_parse import parse_in_pieces

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
    return [part.tobytes() for part in _native.flatten(grammar.parse(data))]


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
    monkeypatch.setattr(bounded_parse, "_idle", [])
    monkeypatch.setattr(bounded_parse, "_taken", False)
    assert parsed(grammar, data) == expected
    assert bounded_parse._idle == []


class OnlyBytes:
    """A parser as it was before 0.26."""

    def parse(self, read):
        found = read(0, START)
        if not isinstance(found, bytes):
            raise TypeError("read callable must return a bytestring")
        return found


def test_what_a_binding_takes_is_tried(monkeypatch):
    monkeypatch.setattr(bounded_parse, "_idle", [])
    monkeypatch.setattr(bounded_parse, "_taken", None)
    assert parse_in_pieces(OnlyBytes(), b"some text", 4, b"") == b"some"
    assert bounded_parse._taken is False


def test_buffers_are_used_again(monkeypatch):
    monkeypatch.setattr(bounded_parse, "_idle", [])
    grammar = get_language("python").grammars[0]
    for i in range(50):
        grammar.parse(text_of("python", 3000, i))
    assert len(bounded_parse._idle) <= 1  # none where the binding takes only bytes
    for buffers in bounded_parse._idle:
        assert all(buffer is None or len(buffer) == at for at, buffer in enumerate(buffers))
        assert buffers[256] is not None


def test_a_tree_that_is_kept_writes_into_no_other_parse(monkeypatch):
    monkeypatch.setattr(bounded_parse, "_idle", [])
    grammar = get_language("python").grammars[0]
    first, second = text_of("python", 2000, 1), text_of("python", 2000, 2)
    kept = grammar.parse(first)
    grammar.parse(second)
    before = [list(map(bytes_of, buffers)) for buffers in bounded_parse._idle]
    # The binding reads a node's text by the same callback.
    assert first.startswith(kept.root_node.children[0].text or b"")
    assert [list(map(bytes_of, buffers)) for buffers in bounded_parse._idle] == before


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
    parser = tree_sitter.Parser(grammar.language)
    for piece in (1, 2, 7, 256, 100_000):
        tree = parse_in_pieces(parser, data, piece, b"")
        assert [part.tobytes() for part in _native.flatten(tree)] == whole(grammar, data)


def test_a_reader_gives_so_many_pieces_and_then_the_tail():
    reader = _native.PieceReader("aé→𝄞".encode(), 1, 4, b"\n", None)
    assert [reader(at, START) for at in (0, 1, 3)] == [b"a", "é→".encode()[:4], "→𝄞".encode()[:4]]
    assert reader(99, START) == b""
    assert [reader(at, START) for at in (3, 2, 4, 3)] == [b"\n", b"\n", b"", b"\n"]


@pytest.mark.parametrize("buffers", [[], [None] * 8, (None,) * 9, "buffers"])
def test_a_reader_needs_a_place_for_each_length(buffers):
    with pytest.raises(ValueError, match="a place for each length"):
        _native.PieceReader(b"text", 8, 10, b"", buffers)


def test_a_reader_fills_a_buffer_again():
    buffers = [None] * 9
    reader = _native.PieceReader(b"eight by" * 2 + b"end", 8, 10, b"", buffers)
    first = reader(0, START)
    assert (first, reader(16, START)) == (b"eight by", b"end")
    assert reader(3, START) is first is buffers[8]
    assert first == b"ht byeig"
    reader.let_go()
    assert reader(0, START) == b"eight by"
    assert first == b"ht byeig"
