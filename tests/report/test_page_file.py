from __future__ import annotations

import os
import threading

import pytest

from codekin.report.page_file import replacing


def test_a_file_is_replaced_when_all_is_written(tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(b"old")
    with replacing(page) as stream:
        stream.write(b"new")
        assert page.read_bytes() == b"old"
    assert page.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    """As a device does: nobody who names /dev/null wants a file in its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with replacing(pipe) as stream:
        stream.write(b"page")
    reader.join()
    assert read == [b"page"]
    assert pipe.is_fifo()
