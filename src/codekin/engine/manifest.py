"""The manifest of a run: what was asked of it, by which versions, and which shards it has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import rapidfuzz

from codekin._version import __version__
from codekin.engine.settings import Settings, parameter_fingerprint
from codekin.errors import CodekinError
from codekin.languages import languages
from codekin.measures import CorpusMeasure

__all__ = [
    "FORMAT",
    "ShardEntry",
    "asked",
    "differences",
    "input_differences",
    "read_manifest",
    "versions",
]

FORMAT = 1
"""Of the run folder; raised when an older codekin could no longer read it."""


@dataclass(frozen=True)
class ShardEntry:
    """A shard that is done.

    Attributes
    ----------
    rows, failed : int
        Its rows, and how many of them have no score by some measure.
    sha256 : str
        Of the file.
    """

    rows: int
    failed: int
    sha256: str


def asked(settings: Settings) -> dict[str, Any]:
    """The settings as they stand in a manifest."""
    return {
        "measures": [
            {
                "label": label,
                "signature": one.signature(),
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
    }


def versions() -> dict[str, str]:
    """The versions of everything that has a say in the bytes of a run."""
    grammars = {
        grammar.distribution: grammar.version
        for language in languages()
        for grammar in language.grammars
    }
    return {
        "codekin": __version__,
        "pyarrow": pa.__version__,  # of the bytes, if not of the scores
        "rapidfuzz": rapidfuzz.__version__,
        **dict(sorted(grammars.items())),
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest in a run folder."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        what = "is no run (it has no manifest.json)" if folder.is_dir() else "no such folder"
        raise CodekinError(f"{folder}: {what}; runs are made by codekin score") from None
    except NotADirectoryError:
        raise CodekinError(f"{folder}: is a file; a run is a folder") from None
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise CodekinError(f"{path}: is no manifest of a run ({error})") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise CodekinError(f"{path}: is no manifest of a run")
    if manifest["format"] != FORMAT:
        raise CodekinError(
            f"{folder}: is a run of format {manifest['format']}, and this codekin reads format "
            f"{FORMAT}; use the version that wrote it ({manifest.get('versions', {})})"
        )
    return manifest


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is no longer as it was, in words; empty if two descriptions say the same.

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
    """How the input has changed; files may have moved, so long as they hold the same."""
    if was["kind"] != now["kind"]:
        return [f"the rows came from {was['kind']} and come now from {now['kind']}"]
    if "rows" in was and "rows" in now and was["rows"] != now["rows"]:
        return [f"there were {was['rows']:,} rows and are now {now['rows']:,}"]
    before, after = was.get("files", []), now.get("files", [])
    if len(before) != len(after):
        names = ([Path(one["path"]).name for one in some] for some in (before, after))
        return differences({"files": list(next(names))}, {"files": list(next(names))})
    return [
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
