"""What a browser would read out of a report: its elements and the data in them."""

from __future__ import annotations

import base64
import json
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest


class Report(HTMLParser):
    """A report as its reader's browser takes it in."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.page = path.read_text(encoding="utf-8")
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._inside = False
        self.feed(self.page)
        self.pieces = {one["id"]: text for one, text in self.scripts if one.get("id")}
        self.about: dict[str, Any] = json.loads(self.pieces["about"], parse_constant=pytest.fail)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)

    def unpacked(self, name: str) -> bytes:
        return zlib.decompress(base64.b64decode(self.pieces[name], validate=True), -15)

    def json(self, name: str) -> Any:
        return json.loads(self.unpacked(name).decode("utf-8"), parse_constant=pytest.fail)

    def column(self, name: str) -> list[float]:
        kind = {"Int32": "<i4", "Uint8": "<u1", "Float32": "<f4"}[self.about["columns"][name]]
        found: list[float] = np.frombuffer(self.unpacked(f"column-{name}"), kind).tolist()
        return found

    def values(self, measure: str) -> list[float]:
        names = [one["name"] for one in self.about["measures"]]
        return self.column(f"measure-{names.index(measure)}")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Every row with its texts, its parts and what was told of it."""
        pages = self.about["pages"]
        tasks = [task for i in range(len(pages["tasks"])) for task in self.json(f"tasks-{i}")]
        ids, numbers = self.json("ids"), self.column("task")
        rows: list[dict[str, Any]] = []
        for i, first in enumerate(pages["rows"]):
            page = self.json(f"rows-{i}")
            assert first == len(rows)
            for j, text in enumerate(page["candidate"]):
                number = int(numbers[len(rows)])
                references, origin = tasks[number] if number >= 0 else (None, None)
                parts: dict[str, dict[str, float]] = {}
                for (label, name), column in zip(self.about["parts"], page["parts"], strict=False):
                    if column[j] is not None:
                        parts.setdefault(label, {})[name] = column[j]
                rows.append(
                    {
                        "id": ids[len(rows)],
                        "candidate": text,
                        "references": references,
                        "origin": origin,
                        "fields": (page["fields"] or {j: None})[j],
                        "told": page["told"].get(str(j), {}),
                        "parts": parts,
                    }
                )
        return rows

    @property
    def explanations(self) -> dict[int, dict[str, Any]]:
        """What is explained, by the number of the row."""
        numbers = np.frombuffer(self.unpacked("explained"), "<u4").tolist()
        pages = self.about["pages"]["why"]
        told = [one for i in range(len(pages)) for one in self.json(f"why-{i}")]
        return dict(zip(numbers, told, strict=True))


def spans(coded: list[float]) -> list[tuple[int, int]]:
    """Starts and ends, out of gaps and lengths."""
    found, at = [], 0
    for gap, length in zip(coded[::3], coded[1::3], strict=True):
        found.append((int(at + gap), int(at + gap + length)))
        at = found[-1][1]
    return found
