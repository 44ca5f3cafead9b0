import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import tree_sitter

from codekin import _native
from codekin.languages import bounded_parse, get_language
from codekin.languages.bounded_parse import parse_in_pieces

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
        found = read(0, None)
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
        assert all(len(buffer) == length <= 256 for length, buffer in buffers.items())


def test_a_tree_that_is_kept_writes_into_no_other_parse(monkeypatch):
    monkeypatch.setattr(bounded_parse, "_idle", [])
    grammar = get_language("python").grammars[0]
    first, second = text_of("python", 2000, 1), text_of("python", 2000, 2)
    kept = grammar.parse(first)
    grammar.parse(second)
    before = [dict(map(bytes_of, buffers.items())) for buffers in bounded_parse._idle]
    # The binding reads a node's text by the same callback.
    assert first.startswith(kept.root_node.children[0].text or b"")
    assert [dict(map(bytes_of, buffers.items())) for buffers in bounded_parse._idle] == before


def bytes_of(item):
    return item[0], bytes(item[1])


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


def test_an_error_while_reading_leaves_the_parser_usable(monkeypatch):
    grammar = get_language("python").grammars[0]
    data = text_of("python", 3000)
    expected = parsed(grammar, data)

    class Odd(bytes):
        def __getitem__(self, at):
            raise KeyboardInterrupt

    parser = tree_sitter.Parser(grammar.language)
    with pytest.raises(KeyboardInterrupt):
        parse_in_pieces(parser, Odd(data), 256, b"")
    assert parsed(grammar, data) == expected
