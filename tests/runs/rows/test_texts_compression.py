import io

import pytest

from codekin.runs.rows.texts import BrokenInputError, ByteStream, look_ahead


def broken_after(*blocks):
    yield from blocks
    raise BrokenInputError("too bad")


def test_looking_ahead_takes_nothing_away():
    start, blocks = look_ahead(iter([b" \n", b"\t[", b"1", b",2]"]), 2)
    assert start == b"[1"
    assert b"".join(blocks) == b" \n\t[1,2]"


def test_looking_ahead_of_nothing():
    start, blocks = look_ahead(iter([]), 2)
    assert (start, b"".join(blocks)) == (b"", b"")


def test_what_is_broken_is_said_in_its_place():
    start, blocks = look_ahead(broken_after(b"a"), 2)
    assert start == b"a"
    assert next(blocks) == b"a"
    with pytest.raises(BrokenInputError, match="too bad"):
        next(blocks)


def test_the_position_is_of_the_file_and_not_of_its_content(real_compression):
    _, compress = real_compression
    packed = compress(b"x" * 10_000)
    stream = ByteStream(io.BytesIO(packed))
    assert stream.position == 0
    assert b"".join(stream.blocks()) == b"x" * 10_000
    assert 0 < stream.position <= len(packed) < 10_000


def test_a_disk_that_fails_is_told_from_data_that_are_wrong():
    class Failing(io.BytesIO):
        def read(self, size=-1):
            if self.tell() > 5:
                raise OSError(5, "Input/output error")
            return super().read(size)

    stream = ByteStream(Failing(b'{"a":1}\n'))
    with pytest.raises(BrokenInputError, match=r"the file cannot be read any further: .*Input"):
        list(stream.blocks())
