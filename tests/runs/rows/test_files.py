import gzip
import io
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.runs.rows.conftest import COMPRESS

from codekin.errors import CodekinError
from codekin.runs.rows import Unreadable, open_rows

ROWS = [{"id": n, "candidate": f"x = {n}\n\té\0"} for n in range(23)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def fields(records):
    return [record.fields for record in records]


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".json", ".JSONL"])
def test_json_lines(here, read, compression, suffix):
    end, compress = compression
    (here / f"a{suffix}{end}").write_bytes(compress(LINES))
    found = read(f"a{suffix}{end}", 10)
    assert fields(found) == ROWS
    assert found[-1].where == f"a{suffix}{end}, line 23"


def test_arrays(here, read, compression):
    end, compress = compression
    (here / f"a.json{end}").write_bytes(compress(json.dumps(ROWS).encode()))
    assert fields(read(f"a.json{end}", 10)) == ROWS


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv(here, read, compression, suffix, delimiter, encoding):
    end, compress = compression
    text = f'id{delimiter}c\n1{delimiter}"é,\n\t"\n2{delimiter}x'
    (here / f"a{suffix}{end}").write_bytes(compress(text.encode(encoding)))
    assert fields(read(f"a{suffix}{end}")) == [{"id": "1", "c": "é,\n\t"}, {"id": "2", "c": "x"}]


def test_compressed_files_of_several_parts(here, read, real_compression):
    end, compress = real_compression
    (here / f"a.jsonl{end}").write_bytes(compress(LINES[:100]) + compress(LINES[100:]))
    assert fields(read(f"a.jsonl{end}")) == ROWS


def test_compression_is_told_by_content(here, read, real_compression):
    _, compress = real_compression
    (here / "a.jsonl").write_bytes(compress(LINES))
    assert fields(read("a.jsonl")) == ROWS


def test_a_name_that_promises_compression(here, read, real_compression):
    end, _ = real_compression
    (here / f"a.jsonl{end}").write_bytes(LINES)
    (record,) = read(f"a.jsonl{end}")
    assert record.where == f"a.jsonl{end}, line 1"
    assert record.problem.endswith("data, though the name says so")


def long_lines():
    """Lines that do not compress away."""
    return b"".join(b'{"a":"%s"}\n' % os.urandom(500).hex().encode() for _ in range(1000))


def test_truncated_files_are_read_as_far_as_they_go(here, read, real_compression):
    end, compress = real_compression
    data = long_lines()
    packed = compress(data)
    (here / f"a.jsonl{end}").write_bytes(packed[: len(packed) * 9 // 10])
    *good, last = read(f"a.jsonl{end}")
    assert fields(good) == [json.loads(line) for line in data.splitlines()[: len(good)]]
    assert last.fields is None
    assert last.where == f"a.jsonl{end}, line {len(good) + 1}"
    assert "data" in last.problem
    if end != ".bz2":  # of which one block holds all
        assert len(good) > 500


def test_corrupt_files_are_read_as_far_as_they_go(here, read, real_compression):
    end, compress = real_compression
    data = long_lines()
    packed = bytearray(compress(data))
    for place in range(len(packed) // 2, len(packed) // 2 + 1000):
        packed[place] ^= 0x55
    (here / f"a.jsonl{end}").write_bytes(packed)
    found = read(f"a.jsonl{end}")
    assert any(record.problem for record in found)
    if end != ".zst":  # whose checksum is optional, so reading may go on past the place
        assert found[-1].problem
        assert len(found) <= 1000


def test_a_compressed_file_of_nothing_but_its_first_bytes(here, read, real_compression):
    end, compress = real_compression
    (here / f"a.jsonl{end}").write_bytes(compress(LINES)[:8])
    (record,) = read(f"a.jsonl{end}")
    assert record.problem
    (here / f"a.csv{end}").write_bytes(compress(b"id,c\n1,2\n")[:8])
    (record,) = read(f"a.csv{end}")
    assert record.problem


def test_garbage_is_rows_with_problems(here, read):
    (here / "a.jsonl").write_bytes(bytes(range(256)) * 100)
    found = read("a.jsonl")
    assert found
    assert all(record.problem and record.fields is None for record in found)


def test_files_that_say_nothing_have_no_rows(here, read):
    (here / "a.jsonl").write_bytes(b"")
    (here / "b.csv").write_bytes(b"id,candidate\n")
    (here / "c.json").write_bytes(b"[]")
    (here / "d.jsonl").write_bytes(b"\n\r\n  \n")
    for end, compress in COMPRESS.items():
        (here / f"e.jsonl{end}").write_bytes(compress(b""))
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), "f.parquet")
    assert read(".") == []
    assert list(open_rows(here).shards(10)) == []


@pytest.mark.parametrize("end", [".gz", ".xz", ".zst", ".bz2"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_an_empty_file_is_no_compressed_file(here, read, name, end):
    (here / f"{name}{end}").write_bytes(b"")
    (record,) = read(f"{name}{end}")
    assert record.where == f"{name}{end}, line 1"
    assert "the file is empty, so it is not " in record.problem


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.csv", "the file is empty; its first line must name the columns"),
        ("a.tsv", "the file is empty; its first line must name the columns"),
        ("a.json", "the file is empty, so it is not JSON"),
        ("a.parquet", "no readable Parquet file"),
    ],
)
def test_an_empty_file_of_a_format_that_needs_content(here, read, name, reason):
    (here / name).write_bytes(b"")
    (record,) = read(name)
    assert reason in record.problem
    if name != "a.parquet":
        (here / name).write_bytes(b" \n\n"[name != "a.json" :])
        (record,) = read(name)
        assert reason in record.problem


def test_every_truncated_file_says_so(here, read, real_compression):
    end, compress = real_compression
    packed = compress(LINES)
    for length in range(len(packed)):
        (here / f"a.jsonl{end}").write_bytes(packed[:length])
        assert read(f"a.jsonl{end}")[-1].problem, length


def test_what_follows_a_compressed_stream_is_read_or_said(here, read, real_compression):
    end, compress = real_compression
    packed, path = compress(LINES), here / f"a.jsonl{end}"
    path.write_bytes(packed + compress(b"") + packed)
    assert fields(read(path.name)) == ROWS * 2
    for rest in (b"garbage", packed[:-10], b"\0\0\0\0garbage", packed[1:]):
        path.write_bytes(packed + rest)
        *good, last = read(path.name)
        if end != ".zst":  # of which less than a block is lost where data are broken
            assert fields(good[: len(ROWS)]) == ROWS
        assert last.problem, rest
    if end != ".zst":  # which has frames to skip in place of padding
        path.write_bytes(packed + bytes(8) + packed + bytes(4))
        assert fields(read(path.name)) == ROWS * 2


@pytest.mark.parametrize("rows", [1, 5, 10, 20, 23, 46, 100])
def test_shards_span_files(here, rows):
    (here / "a.jsonl").write_bytes(LINES)
    (here / "b.jsonl.gz").write_bytes(gzip.compress(LINES.replace(b"\n", b"\r\n")))
    shards = list(open_rows(["b.jsonl.gz", "a.jsonl"]).shards(rows))
    assert [len(shard) for shard in shards[:-1]] == [rows] * (len(shards) - 1)
    assert [shard.first_row for shard in shards] == list(range(0, 46, rows))
    found = [record for shard in shards for record in shard.records()]
    assert fields(found) == ROWS + ROWS
    assert found[22].where == "b.jsonl.gz, line 23"
    assert found[23].where == "a.jsonl, line 1"
    shares = [shard.share for shard in shards]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_reading_twice_gives_the_same(here):
    (here / "a.jsonl").write_bytes(LINES)
    rows = open_rows("a.jsonl")
    assert list(rows.shards(7)) == list(rows.shards(7))


def test_a_folder_is_read_in_the_order_of_paths_without_hidden_files(here, read):
    for name in ("b.jsonl", "a/z.jsonl", "a/b.csv", ".hidden.jsonl", ".git/a.jsonl", "notes.txt"):
        (here / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (here / "in" / name).write_bytes(b'"id"\n1' if name.endswith("csv") else b'{"id":1}')
    assert [record.where for record in read("in")] == [
        f"{os.path.join('in', 'a', 'b.csv')}, line 2",  # noqa: PTH118
        f"{os.path.join('in', 'a', 'z.jsonl')}, line 1",  # noqa: PTH118
        f"{os.path.join('in', 'b.jsonl')}, line 1",  # noqa: PTH118
    ]


def test_files_are_described_with_their_sums(here):
    (here / "a.jsonl").write_bytes(b"{}\n")
    assert open_rows(["a.jsonl"]).describe() == {
        "kind": "files",
        "files": [
            {
                "path": "a.jsonl",
                "bytes": 3,
                "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
            }
        ],
    }


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.jsonl", "nowhere.jsonl: no such file"),
        ("a.txt", r"a.txt: unknown suffix; known are \.jsonl"),
        ("a.gz", r"a.gz: unknown suffix"),
        ("a.parquet.gz", "unknown suffix"),
        ("empty", r"empty: no file of rows in this folder; looked for \.jsonl, .*\.parquet"),
        ("pipe.jsonl", "pipe.jsonl: is a pipe; pipe it into stdin and name it -"),
        ("a\0.jsonl", "null|no such file"),
        ("x" * 300 + ".jsonl", "too long|no such file"),
        ("", "a path is empty"),
        (["a.txt", {"id": 1}], "paths cannot be mixed with other rows; found dict"),
        (["-", "a.txt"], "stdin"),
    ],
)
def test_what_cannot_be_opened(here, path, message):
    (here / "empty").mkdir()
    for name in ("a.txt", "a.gz", "a.parquet.gz"):
        (here / name).touch()
    os.mkfifo("pipe.jsonl")
    with pytest.raises(CodekinError, match=message):
        open_rows(path)


def test_links_are_followed_only_if_they_were_named(here, read):
    (here / "in" / "below").mkdir(parents=True)
    (here / "in" / "a.jsonl").write_bytes(b'{"id":1}')
    (here / "in" / "b.jsonl").symlink_to("a.jsonl")
    (here / "in" / "c").symlink_to("below")
    (here / "in" / "d.txt").symlink_to("a.jsonl")  # is not read in any case
    os.mkfifo(here / "in" / "below" / "e.csv")
    (here / "zero.jsonl").symlink_to("/dev/zero")
    rows = open_rows("in")
    assert [file["path"] for file in rows.describe()["files"]] == ["in/a.jsonl"]
    assert [(record.where, record.problem) for record in read("in")] == [
        ("in/a.jsonl, line 1", ""),
        ("in/b.jsonl, line 1", "is a link, which is followed only if it is named itself"),
        ("in/below/e.csv, line 1", "is a pipe; save it to a file"),
        ("in/c, line 1", "is a link, which is followed only if it is named itself"),
    ]
    assert [record.fields for record in read("in/b.jsonl")] == [{"id": 1}]
    with pytest.raises(CodekinError, match=r"zero\.jsonl: is a device, not a file"):
        open_rows("zero.jsonl")
    (here / "in" / "a.jsonl").unlink()
    with pytest.raises(CodekinError, match=r"no file of rows .*; in/b\.jsonl is a link"):
        open_rows("in")


def test_a_file_that_becomes_a_link_is_not_read(here):
    (here / "in").mkdir()
    (here / "in" / "a.jsonl").write_bytes(b'{"id":1}')
    rows = open_rows("in")
    (here / "in" / "a.jsonl").rename("b.jsonl")
    (here / "in" / "a.jsonl").symlink_to("../b.jsonl")
    with pytest.raises(CodekinError, match="is a link"):
        list(rows.shards(9))


@pytest.mark.parametrize("link", ["in/a.jsonl", "in"])
def test_a_file_within_a_folder_that_was_named_is_reached_through_no_link(here, link):
    (here / "top" / "in").mkdir(parents=True)
    (here / "top" / "in" / "a.jsonl").write_bytes(b'{"id":1}')
    place, top = here / "top" / "in" / "a.jsonl", here / "top"
    rows = open_rows(place, within=top)
    assert [fields(shard.records()) for shard in rows.shards()] == [[{"id": 1}]]
    (top / link).rename(here / "moved")
    (top / link).symlink_to(here / "moved")
    with pytest.raises(CodekinError, match="is a link"):
        list(rows.shards())
    with pytest.raises(CodekinError, match="is a link"):
        open_rows(place, within=top)


def test_a_file_that_is_gone_when_it_is_read(here):
    (here / "a.jsonl").write_bytes(b"{}")
    rows = open_rows("a.jsonl")
    (here / "a.jsonl").unlink()
    with pytest.raises(CodekinError, match=r"a\.jsonl: no such file"):
        rows.describe()
    with pytest.raises(CodekinError, match=r"a\.jsonl: no such file"):
        list(rows.shards(10))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_without_permission(here):
    (here / "in").mkdir()
    (here / "in" / "a.jsonl").write_bytes(b"{}")
    (here / "in" / "a.jsonl").chmod(0)
    with pytest.raises(CodekinError, match="Permission denied"):
        open_rows("in/a.jsonl")
    (here / "in").chmod(0)
    with pytest.raises(CodekinError, match="Permission denied"):
        open_rows("in")


class Trickle(io.RawIOBase):
    """A pipe that hands over a few bytes at a time."""

    def __init__(self, data):
        self.rest = data

    def readable(self):
        return True

    def readinto(self, buffer):
        some, self.rest = self.rest[:3], self.rest[3:]
        buffer[: len(some)] = some
        return len(some)


@pytest.fixture
def stdin(monkeypatch):
    def put(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Trickle(data), 4)))

    return put


def test_stdin(stdin, compression):
    _, compress = compression
    for text in (LINES, json.dumps(ROWS).encode(), '\ufeff{"id":1}'.encode()):
        stdin(compress(text))
        rows = open_rows("-")
        assert rows.describe() == {"kind": "stdin"}
        shards = list(rows.shards(10))
        assert [shard.share for shard in shards] == [None] * len(shards)
        found = [record for shard in shards for record in shard.records()]
        assert fields(found) == (ROWS if len(text) > 30 else [{"id": 1}])
        assert found[0].where in {"<stdin>, line 1", "<stdin>, item 1"}
        with pytest.raises(CodekinError, match="only once"):
            rows.shards(10)


def test_stdin_without_rows(stdin):
    stdin(b"")
    assert list(open_rows("-").shards(10)) == []


def test_stdin_that_is_broken(stdin):
    stdin(gzip.compress(LINES)[:12])
    (shard,) = open_rows("-").shards(10)
    assert isinstance(shard.pieces[0], Unreadable)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PAR1\0\0\0\0", "stdin has Parquet"),
        (b"id,candidate\n1,x\n", "stdin must hold JSON lines, but begins with 'id,candidate'"),
        (gzip.compress(b"id,candidate\n", mtime=0), "begins with 'id,candidate'"),
        (b"\x7fELF", "stdin must hold JSON lines"),
    ],
)
def test_stdin_of_other_formats_is_refused(stdin, data, message):
    stdin(data)
    with pytest.raises(CodekinError, match=message):
        open_rows("-")


def test_stdin_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(CodekinError, match="stdin is closed"):
        open_rows("-")
