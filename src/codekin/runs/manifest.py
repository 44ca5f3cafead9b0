"""The manifest of a run: its settings, the versions that scored it, and its shards."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import rapidfuzz

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import languages
from codekin.measures import CorpusMeasure
from codekin.opening import MOST_DOCUMENT_BYTES, UnreadableFileError, read_file
from codekin.represent.text.chat_answers import CHOICES
from codekin.runs.seals import MANIFEST_SEAL, manifest_is_whole
from codekin.runs.settings import RESERVED, Settings, parameter_fingerprint

__all__ = [
    "FORMAT",
    "ShardEntry",
    "describe_settings",
    "differences",
    "input_differences",
    "read_manifest",
    "resume_command",
    "versions",
]

FORMAT = 4
"""Of the run folder."""


@dataclass(frozen=True)
class ShardEntry:
    """A finished shard.

    Attributes
    ----------
    rows, failed : int
        Its rows, and those that lack a score by any measure.
    sha256 : str
        Of the file.
    """

    rows: int
    failed: int
    sha256: str


def describe_settings(settings: Settings) -> dict[str, Any]:
    """The settings as a manifest records them."""
    return {
        "measures": [
            {
                "label": label,
                "signature": settings.signature(one),
                "fingerprint": parameter_fingerprint(one),
                "distance": one.distance,
                "corpus": isinstance(one, CorpusMeasure),
                "summary": one.summary,
            }
            for label, one in zip(settings.labels, settings.measures, strict=True)
        ],
        "columns": dict(sorted(settings.columns.items())),
        "language": settings.language,
        "max_bytes": settings.max_bytes,
        "max_seconds": settings.max_seconds,
        "texts": settings.texts,
        "shard_rows": settings.shard_rows,
        "view": None if settings.view is None else settings.view.describe(),
        "extract_code": settings.extract,
        "missing": settings.missing,
        "prompt": settings.prompt,
    }


def versions() -> dict[str, str]:
    """The versions of everything that affects the bytes of a run."""
    grammars = {
        grammar.distribution: grammar.version
        for language in languages()
        for grammar in language.grammars
    }
    return {
        "codekin": __version__,
        "pyarrow": pa.__version__,  # for the bytes, if not for the scores
        "rapidfuzz": rapidfuzz.__version__,
        **dict(sorted(grammars.items())),
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest in a run folder, checked to have every key and value that codekin relies on."""
    path = folder / "manifest.json"
    try:
        text = read_file(path, within=folder, limit=MOST_DOCUMENT_BYTES)
    except UnreadableFileError as error:
        if error.reason == "no such file":
            what = "is not a run (it has no manifest.json)" if folder.is_dir() else "no such folder"
            raise CodekinError(f"{folder}: {what}; runs are made by codekin score") from None
        if folder.exists() and not folder.is_dir():
            raise CodekinError(f"{folder}: is a file; a run is a folder") from None
        raise
    try:
        manifest = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise CodekinError(f"{path}: is not the manifest of a run ({error})") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise CodekinError(f"{path}: is not the manifest of a run")
    if type(manifest["format"]) is not int or manifest["format"] != FORMAT:
        raise CodekinError(
            f"{folder}: is a run of format {_shown(manifest['format'])}, and this codekin reads "
            f"format {FORMAT}; use the version that wrote it"
        )
    try:
        _check(manifest)
    except _WrongError as error:
        raise CodekinError(
            f"{path}: is damaged or was edited ({error}); put back the file that codekin wrote, or "
            "score into a new folder"
        ) from None
    return manifest


def resume_command(manifest: Mapping[str, Any], folder: Path, rows: str = "") -> str:
    """The command that resumes a run; `rows` names the input, if needed.

    Examples
    --------
    >>> resume_command({"asked": {"view": {"kind": "card"}}}, Path("my run"))
    "codekin evaluate card --resume 'my run'"
    """
    view = manifest["asked"]["view"]
    words = ["codekin", *(["score"] if view is None else ["evaluate", view["kind"]])]
    words += [rows] if rows else []
    return shlex.join([*words, "--resume", str(folder)])


class _WrongError(Exception):
    """A manifest is wrong; the message says how."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


_Check = tuple[Callable[[Any], bool], str]


def _is_text(value: Any) -> bool:
    """Whether a value is a text without lone surrogates, which no file can contain."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_size(value: Any) -> bool:
    return _is_count(value) and value > 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_map(value: Any) -> bool:
    return isinstance(value, dict) and _is_texts([*value, *value.values()])


def _is_view(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("kind"))


def _or_null(check: _Check) -> _Check:
    return lambda value: value is None or check[0](value), f"{check[1]} or null"


_TEXT: _Check = (_is_text, "a text")
_COUNT: _Check = (_is_count, "a whole number from 0")
_SIZE: _Check = (_is_size, "a whole number from 1")
_NUMBER: _Check = (_is_number, "a number")
_FLAG: _Check = (lambda value: isinstance(value, bool), "true or false")
_DIGEST: _Check = (_is_digest, "64 hex digits")
_LIST: _Check = (lambda value: isinstance(value, list), "a list")
_OBJECT: _Check = (lambda value: isinstance(value, dict), "an object")

_RUN: Mapping[str, _Check] = {
    "state": (lambda value: value in ("running", "complete"), "'running' or 'complete'"),
    "rows": _COUNT,
    "failed": _COUNT,
    "input": _OBJECT,
    "asked": _OBJECT,
    "skipped": (_is_texts, "a list of texts"),
    "versions": (_is_map, "an object of texts"),
    "shards": _LIST,
    "records": _COUNT,
    "notes": (_is_texts, "a list of texts"),
    "recognized": (_is_map, "an object of texts"),
}
_ASKED: Mapping[str, _Check] = {
    "measures": (lambda value: isinstance(value, list) and bool(value), "a list with measures"),
    "columns": (_is_map, "an object of texts"),
    "language": _or_null(_TEXT),
    "max_bytes": _SIZE,
    "max_seconds": _NUMBER,
    "texts": _FLAG,
    "shard_rows": _or_null(_SIZE),
    "view": _or_null((_is_view, "an object with a kind")),
    "extract_code": _or_null((lambda value: value in CHOICES, "first, last or all")),
    "missing": (lambda value: value in ("zero", "skip"), "'zero' or 'skip'"),
    "prompt": _FLAG,
    "on": _or_null(_TEXT),
}
_MEASURE: Mapping[str, _Check] = {
    "label": _TEXT,
    "signature": _TEXT,
    "fingerprint": _TEXT,
    "distance": _FLAG,
    "corpus": _FLAG,
    "summary": _TEXT,
}
_FILE: Mapping[str, _Check] = {
    "path": (lambda value: isinstance(value, str), "a text"),  # as the system has it
    "bytes": _COUNT,
    "sha256": _DIGEST,
}
_SHARD: Mapping[str, _Check] = {
    "file": (
        lambda value: (
            isinstance(value, str)
            and re.fullmatch(r"shards/[0-9]{6,9}\.parquet", value) is not None
        ),
        "the name of a shard, such as shards/000000.parquet",
    ),
    "rows": _COUNT,
    "failed": _COUNT,
    "sha256": _DIGEST,
}


def _check(manifest: Mapping[str, Any]) -> None:
    """Raise an error for a manifest that codekin cannot have written."""
    try:
        if not manifest_is_whole(manifest):
            raise _WrongError(f"its {MANIFEST_SEAL} is of other content")
    except RecursionError:
        raise _WrongError("it is nested too deeply") from None
    _check_object("", manifest, _RUN)
    _check_input("input: ", manifest["input"])
    asked = manifest["asked"]
    _check_object("asked: ", asked, _ASKED)
    for number, one in enumerate(asked["measures"], 1):
        _check_object(f"asked: measure {number}: ", one, _MEASURE)
    labels = [one["label"] for one in asked["measures"]]
    if len(set(labels)) < len(labels) or RESERVED.intersection(labels) or "" in labels:
        raise _WrongError("asked: measures must have distinct names")
    for number, one in enumerate(manifest["shards"], 1):
        _check_object(f"shard {number}: ", one, _SHARD)
    files = [one["file"] for one in manifest["shards"]]
    if len(set(files)) < len(files):
        raise _WrongError("shards: a file occurs twice")


def _check_input(where: str, described: Any) -> None:
    _check_object(where, described, {"kind": _TEXT}, {"rows": _COUNT, "references": _OBJECT})
    if described["kind"] == "files":
        _check_object(where, described, {"files": _LIST})
        for number, file in enumerate(described["files"], 1):
            _check_object(f"{where}file {number}: ", file, _FILE)
    if "references" in described:
        _check_object(f"{where}references: ", described["references"], {"kind": _TEXT})
        if "references" in described["references"]:
            raise _WrongError(f"{where}references: have references of their own")
        _check_input(f"{where}references: ", described["references"])


def _check_object(
    where: str,
    value: Any,
    needed: Mapping[str, _Check],
    known: Mapping[str, _Check] | None = None,
) -> None:
    """Raise an error for a missing key (those of `known` may be missing) or one of a wrong type."""
    if not isinstance(value, dict):
        raise _WrongError(f"{where}must be an object, not {_shown(value)}")
    for name, (check, wanted) in {**(known or {}), **needed}.items():
        if name not in value:
            if name in needed:
                raise _WrongError(f"{where}{name} is missing")
        elif not check(value[name]):
            raise _WrongError(f"{where}{name} must be {wanted}, not {_shown(value[name])}")


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The differences between two descriptions, for people; empty if they are equal.

    Examples
    --------
    >>> differences({"language": None, "max_bytes": 10}, {"language": "go", "max_bytes": 10})
    ["language was null and is now 'go'"]
    """
    found = []
    for name in dict.fromkeys([*was, *now]):
        before, after = was.get(name), now.get(name)
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            found += [f"{name}: {line}" for line in differences(before, after)]
        elif before and after and _are_named(before) and _are_named(after):
            found += _list_differences(name, before, after)
        else:
            found.append(f"{name} was {_shown(before)} and is now {_shown(after)}")
    return found


def input_differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """How the input has changed; files with the same content may have moved."""
    if was["kind"] != now["kind"]:
        return [f"the rows came from {was['kind']} and now come from {now['kind']}"]
    if "rows" in was and "rows" in now and was["rows"] != now["rows"]:
        return [f"there were {was['rows']:,} rows, and now there are {now['rows']:,}"]
    if ("references" in was) != ("references" in now):
        return ["the references came with the rows, and now come from elsewhere, or the reverse"]
    of_references = []
    if "references" in was:
        changes = input_differences(was["references"], now["references"])
        of_references = [f"references: {line}" for line in changes]
    before, after = was.get("files", []), now.get("files", [])
    if len(before) != len(after):
        names = ([Path(one["path"]).name for one in some] for some in (before, after))
        return differences({"files": list(next(names))}, {"files": list(next(names))})
    return of_references + [
        f"{new['path']} has changed (it had {old['bytes']:,} bytes and sha256 "
        f"{old['sha256'][:12]}…, and has {new['bytes']:,} and {new['sha256'][:12]}…)"
        for old, new in zip(before, after, strict=True)
        if old["sha256"] != new["sha256"]
    ]


def _are_named(entries: Any) -> bool:
    return isinstance(entries, list) and all(
        isinstance(one, dict) and ("label" in one or "path" in one) for one in entries
    )


def _list_differences(name: str, was: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    """Differences of lists of measures or of files, by their names."""
    before, after = ({one.get("label") or one["path"]: one for one in some} for some in (was, now))
    found = [f"{name}: {gone} is gone" for gone in before if gone not in after]
    found += [f"{name}: {new} is new" for new in after if new not in before]
    for one in before:
        if one in after:
            found += [f"{one}: {line}" for line in differences(before[one], after[one])]
    if not found:
        found.append(f"{name}: the order was {list(before)} and is now {list(after)}")
    return found


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
