"""Digests in the files of a run, to detect damage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = [
    "MANIFEST_SEAL",
    "SHARD_SEAL",
    "UNSEALED",
    "manifest_is_whole",
    "seal_manifest",
    "seal_shard",
    "sha256_of",
    "shard_is_whole",
]

MANIFEST_SEAL = "sha256"
"""The key of a manifest that holds the digest of all others."""

SHARD_SEAL = b"codekin.sha256"
"""The key in the footer of a Parquet file that holds the digest of the file."""

UNSEALED = b"0" * 64
"""The placeholder while the digest is computed."""

_PLACE = SHARD_SEAL + b"\x18\x40"
"""The key as Thrift writes it, with the header of the text of 64 bytes that follows."""


def sha256_of(data: bytes) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def seal_shard(data: bytes) -> bytes:
    """Write the digest of a Parquet file into its footer, in place of :data:`UNSEALED`.

    The digest covers every byte of the file, with the placeholder in its own place, so that a
    changed bit anywhere is found, even in the footer or in the digest itself.
    """
    start, end = _place(data) or (0, 0)
    if data[start:end] != UNSEALED:
        raise ValueError("the file has no place for a digest")
    return data[:start] + _unsealed_digest(data, start, end) + data[end:]


def shard_is_whole(data: bytes) -> bool:
    """Whether a Parquet file is as it was sealed; one without a seal is not."""
    place = _place(data)
    if place is None:
        return False
    start, end = place
    return data[start:end] == _unsealed_digest(data, start, end)


def _place(data: bytes) -> tuple[int, int] | None:
    """Where the digest is: the last place that looks like it, since the footer is at the end."""
    found = data.rfind(_PLACE)
    start = found + len(_PLACE)
    return None if found < 0 or start + len(UNSEALED) > len(data) else (start, start + 64)


def _unsealed_digest(data: bytes, start: int, end: int) -> bytes:
    view = memoryview(data)
    hasher = hashlib.sha256(view[:start])
    hasher.update(UNSEALED)
    hasher.update(view[end:])
    return hasher.hexdigest().encode()


def seal_manifest(content: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest with the digest of its content, whatever its layout."""
    rest = {name: value for name, value in content.items() if name != MANIFEST_SEAL}
    return {**rest, MANIFEST_SEAL: _content_digest(rest)}


def manifest_is_whole(content: Mapping[str, Any]) -> bool:
    """Whether a manifest has the content that it was sealed with."""
    return bool(content.get(MANIFEST_SEAL) == seal_manifest(content)[MANIFEST_SEAL])


def _content_digest(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256_of(text.encode("ascii"))
