"""inspect_ai: a log as one JSON document, or as ``.eval``, a zip file of samples."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from copy import copy
from typing import IO, Any, cast

import pyarrow as pa

from codekin.errors import CodekinError
from codekin.runs.rows.formats.row_format import (
    HarnessRow,
    RowFormat,
    objects_in,
    reference_in,
    task_fields,
)

__all__ = ["INSPECT", "read_eval"]

_VALUES = {"C": 1, "I": 0, "P": 0.5, "N": 0}
"""Correct, incorrect, partially correct, no answer."""
_ATTACHMENT = "attachment://"
_ZSTANDARD = 93
"""How zip files name this compression, which Python's module reads from 3.14 on."""
_LONGEST_DIRECTORY = 20 * 2**20
"""Of the list of samples in a zip file, which is read in one piece."""
_MOST_BYTES = 256 * 2**20
"""Of one sample, with all its events, unpacked."""
_PIECE = 2**16


def _recognizes(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("eval"), dict) and {"version", "status"} <= document.keys()


def _rows(document: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    samples = document.get("samples")
    if not isinstance(samples, list) or not samples:
        raise CodekinError(f"{where}: a log of inspect_ai without samples; name one that has them")
    for sample in samples:
        if isinstance(sample, dict):
            yield sample_row(sample, document["eval"], where)


def sample_row(sample: Mapping[str, Any], spec: Mapping[str, Any], where: str) -> HarnessRow:
    """The row of a sample in a log whose specification has the model and the task."""
    metadata = sample.get("metadata")
    task = metadata if isinstance(metadata, dict) else {}
    output = sample.get("output")
    scorer, score = _score(sample)
    answer = score.get("answer")
    if not isinstance(answer, str) or not answer.strip():
        answer = _completion(output if isinstance(output, dict) else {})
    attachments = sample.get("attachments")
    if isinstance(answer, str) and answer.startswith(_ATTACHMENT) and isinstance(attachments, dict):
        answer = attachments.get(answer.removeprefix(_ATTACHMENT), answer)
    error = sample.get("error")
    if isinstance(error, dict) and not answer:
        answer = None  # it was never answered
    value = score.get("value")
    outcome = _VALUES.get(value, value) if isinstance(value, str) else value
    number, epoch = sample.get("id"), sample.get("epoch")
    fields = {
        **task_fields(task),
        **reference_in(task, sample.get("target")),
        "id": number,
        "candidate": answer,
        "outcome": outcome,
        "model": spec.get("model"),
        "task": spec.get("task"),
        "epoch": epoch,
        "scorer": scorer,
        "error": error.get("message") if isinstance(error, dict) else None,
    }
    return f"{where}, sample {number}, epoch {epoch}", fields


def _score(sample: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """The first score that is one value, and its scorer."""
    scores = sample.get("scores")
    for scorer, score in (scores if isinstance(scores, dict) else {}).items():
        if isinstance(score, dict) and isinstance(score.get("value"), str | int | float):
            return scorer, score
    return None, {}


def _completion(output: Mapping[str, Any]) -> object:
    """The text of an answer; older logs have it in their first choice alone."""
    if isinstance(output.get("completion"), str):
        return output["completion"]
    for choice in objects_in(output.get("choices")):
        message = choice.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        parts = [part.get("text") for part in objects_in(content)]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if isinstance(content, list) else content
    return None


def read_eval(stream: IO[bytes], where: str) -> Iterator[HarnessRow | str]:
    """The rows of a log in a zip file; a text where a sample cannot be read, with the reason.

    Raises
    ------
    CodekinError
        If it is not such a file.
    """
    try:
        archive = zipfile.ZipFile(cast(IO[bytes], _ShortDirectory(stream)))
        entries = archive.infolist()
    except Exception as error:  # zipfile raises ten kinds for broken archives
        raise CodekinError(f"{where}: is not a log of inspect_ai ({error})") from None
    named = {entry.filename: entry for entry in entries}
    head = next(
        (named[name] for name in ("header.json", "_journal/start.json") if name in named), None
    )
    samples = [entry for name, entry in named.items() if name.startswith("samples/")]
    if head is None or not samples:
        raise CodekinError(f"{where}: is not a log of inspect_ai with samples")
    spec = _json(archive, head)
    if not isinstance(spec, dict):
        yield f"{head.filename} {spec if isinstance(spec, str) else 'is not a header'}"
    spec = spec.get("eval") if isinstance(spec, dict) else None
    for entry in samples:
        sample = _json(archive, entry)
        if isinstance(sample, dict):
            yield sample_row(sample, spec if isinstance(spec, dict) else {}, where)
        else:
            yield f"{entry.filename} {sample if isinstance(sample, str) else 'is not a sample'}"


class _ShortDirectory:
    """The stream of a zip file, of which no list of files is read that would fill the memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Some bytes."""
        if size > _LONGEST_DIRECTORY:
            raise zipfile.BadZipFile("its list of files is too long")
        return self._stream.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _json(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> object:
    """The document in an archive, or what is wrong with it."""
    data = bytearray()
    try:
        for piece in _unpacked(archive, entry):
            data += piece
            if len(data) > _MOST_BYTES:
                return f"has more than {_MOST_BYTES:,} bytes"
        return json.loads(data)
    except Exception as error:  # zipfile and its decompressors raise ten kinds
        return f"cannot be read ({error})"


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """What an entry has, in pieces of a bounded size."""
    if entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with archive.open(entry) as stream:
            yield from iter(lambda: stream.read(_PIECE), b"")
        return
    if entry.compress_type != _ZSTANDARD:
        raise zipfile.BadZipFile("it is compressed in another way than inspect_ai does")
    packed = copy(entry)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, entry.compress_size
    del packed.CRC
    checksum = 0
    with archive.open(packed) as stored:
        stream = pa.CompressedInputStream(pa.PythonFile(stored, mode="r"), "zstd")
        while piece := stream.read(_PIECE):
            checksum = zlib.crc32(piece, checksum)
            yield piece
    if checksum != entry.CRC:
        raise zipfile.BadZipFile("it is damaged")


INSPECT = RowFormat(
    "inspect_ai",
    _recognizes,
    _rows,
    "candidate = the answer that was scored, or else the completion; reference = the solution in "
    "the metadata or else the target; outcome = the first score",
)
