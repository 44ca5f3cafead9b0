from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from codekin.runs.rows import Record, open_rows


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstd,
}


@pytest.fixture(params=COMPRESS)
def compression(request: pytest.FixtureRequest) -> tuple[str, Callable[[bytes], bytes]]:
    """A suffix and how to compress for it, each in turn."""
    return request.param, COMPRESS[request.param]


@pytest.fixture(params=[suffix for suffix in COMPRESS if suffix])
def real_compression(request: pytest.FixtureRequest) -> tuple[str, Callable[[bytes], bytes]]:
    """The same without that of plain files."""
    return request.param, COMPRESS[request.param]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, so that names are relative."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def read() -> Callable[..., list[Record]]:
    """All records of an input."""

    def records(what: Any, rows: int = 1000, **limits: int) -> list[Record]:
        return [r for shard in open_rows(what).shards(rows, **limits) for r in shard.records()]

    return records
