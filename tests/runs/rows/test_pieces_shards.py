import hashlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.runs.rows import open_rows
from codekin.runs.rows.pieces import JsonLines, Unreadable, cut_shards


def lines(first, *texts):
    return JsonLines("a.jsonl", first, texts)


def test_shards_are_small_at_first_by_default() -> None:
    rows = open_rows([{"id": i} for i in range(9000)])
    sizes = [len(shard) for shard in rows.shards()]
    assert sizes == [125] * 8 + [250] * 8 + [500] * 8 + [1000, 1000]
    assert [shard.first_row for shard in rows.shards()][8:10] == [1000, 1250]


def test_a_shard_ends_with_its_rows():
    runs = [(lines(1, b"1", b"2", b"3"), 0.5), (lines(4, b"4"), 1.0)]
    shards = list(cut_shards(runs, 2))
    assert [shard.pieces for shard in shards] == [
        (lines(1, b"1", b"2"),),
        (lines(3, b"3"), lines(4, b"4")),
    ]
    assert [(shard.index, shard.first_row, len(shard)) for shard in shards] == [
        (0, 0, 2),
        (1, 2, 2),
    ]


def test_shares_grow_within_a_run():
    shards = cut_shards([(lines(1, b"1", b"2", b"3", b"4"), 0.8), (lines(5, b"5"), 1.0)], 2)
    assert [shard.share for shard in shards] == pytest.approx([0.4, 0.8, 1.0])


def test_a_shard_ends_with_the_row_that_reaches_the_bytes():
    run = lines(1, b"12345", b"12345", b"1", b"1234567890", b"1")
    assert [len(shard) for shard in cut_shards([(run, None)], 100, 10)] == [2, 2, 1]


def test_no_rows_give_no_shards():
    assert list(cut_shards([], 10)) == []


runs_of_rows = st.lists(
    st.one_of(
        st.lists(st.binary(min_size=1, max_size=9), min_size=1).map(lambda t: lines(1, *t)),
        st.text("xy", min_size=1).map(lambda reason: Unreadable("a.jsonl", 1, reason)),
    )
)


@given(runs_of_rows, st.integers(1, 9), st.integers(1, 30))
def test_shards_hold_all_rows_in_order_and_keep_to_the_limits(runs, rows, most_bytes):
    shards = list(cut_shards([(run, None) for run in runs], rows, most_bytes))
    whole = [row for run in runs for row in _texts(run)]
    assert [row for shard in shards for piece in shard.pieces for row in _texts(piece)] == whole
    assert [shard.index for shard in shards] == list(range(len(shards)))
    position = 0
    for shard in shards:
        assert shard.first_row == position
        position += len(shard)
        sizes = [len(row) for piece in shard.pieces for row in _texts(piece)]
        assert 1 <= len(sizes) == len(shard) <= rows
        assert sum(sizes[:-1]) < most_bytes
        assert shard is shards[-1] or len(sizes) == rows or sum(sizes) >= most_bytes


def _texts(piece):
    return [piece.reason] if isinstance(piece, Unreadable) else list(piece.lines)


def test_the_digest_tells_rows_apart_but_not_how_they_were_read():
    def digest(*runs):
        (shard,) = cut_shards([(run, None) for run in runs], 100)
        return shard.digest()

    whole = digest(lines(1, b"1", b"2", b"3"))
    assert whole == hashlib.sha256(b"1\n2\n3\n").hexdigest()
    assert whole == digest(lines(1, b"1"), lines(7, b"2", b"3"))
    assert whole != digest(lines(1, b"1", b"23"))
    assert whole != digest(lines(1, b"1", b"2"))
    assert digest(lines(1, b"1"), Unreadable("a", 2, "x")) != digest(lines(1, b"1"))


def test_shards_are_pickled_whole():
    (shard,) = cut_shards([(lines(1, b"1"), 1.0), (Unreadable("a", 2, "x"), 1.0)], 100)
    assert pickle.loads(pickle.dumps(shard)) == shard
