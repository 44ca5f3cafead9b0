import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.runs.rows import texts
from codekin.runs.rows.texts import ByteStream, cut_lines, json_line_pieces


def joined(blocks, longest=10**9):
    """All lines with their numbers, None for those too long."""
    found = []
    for first, lines in cut_lines(blocks, longest):
        for offset, line in enumerate([None] if lines is None else lines):
            found.append((first + offset, line))
    return found


def slow(data, longest):
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [(n, None if len(line) > longest else line) for n, line in enumerate(lines, 1)]


blocks_of_text = st.lists(st.lists(st.sampled_from([b"a", b"bc", b"\n"])).map(b"".join))


@given(blocks_of_text)
def test_lines_do_not_depend_on_blocks(blocks):
    assert joined(blocks) == slow(b"".join(blocks), 10**9)


@given(st.lists(st.sampled_from([b"a", b"\n"])), st.integers(1, 4))
def test_long_lines_are_left_out_and_counted(blocks, longest):
    assert joined(blocks, longest) == slow(b"".join(blocks), longest)


@pytest.mark.parametrize("end", [b"", b"\nlast\n"])
def test_a_line_too_long_is_not_held(end):
    def blocks():
        for _ in range(200):
            yield bytes(2**20)
        if end:
            yield end

    tracemalloc.start()
    try:
        found = joined(blocks(), 4 * 2**20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == [(1, None), (2, b"last")][: 1 + bool(end)]
    assert peak < 12 * 2**20


def test_nothing_is_read_after_a_line_that_only_a_bomb_has(monkeypatch, compression):
    _, compress = compression
    monkeypatch.setattr(texts, "_HOPELESS", 3 * 2**20)
    data = b'{"id":1}\n' + bytes(8 * 2**20) + b'\n{"id":2}\n'
    stream = ByteStream(io.BytesIO(compress(data)))
    pieces = list(json_line_pieces("a.jsonl", stream.blocks(), 2**20))
    found = [(record.where, record.problem) for piece in pieces for record in piece.records()]
    reason = "a line of more than 3,145,728 bytes; nothing after it is read"
    assert found == [("a.jsonl, line 1", ""), ("a.jsonl, line 2", reason)]
