from __future__ import annotations

import json

import pytest

from codekin.detectors import detector as detectors
from codekin.detectors.detector import detector
from codekin.detectors.linear import Linear
from codekin.errors import CodekinError
from codekin.report import listings


@pytest.fixture
def three(monkeypatch) -> None:
    """Two built-in detectors, and one that lacks a package."""

    def found(name: str) -> type:
        if name == "lacking":
            raise CodekinError("lacking: needs sklearn, which is not installed")
        return detectors.detector_class(name)

    monkeypatch.setattr(listings, "detector_names", lambda: ["linear", "tbccd", "lacking"])
    monkeypatch.setattr(listings, "detector_class", found)


def test_detectors_have_settings_that_work(cli, three) -> None:
    listed = json.loads(cli("detect", "models", "--format", "json").stdout)
    assert [one["name"] for one in listed] == ["linear", "tbccd", "lacking"]
    for one in listed[:2]:
        made = detector(one["name"], **one["settings"])
        assert made.word == one["name"] and made.summary == one["summary"]
    assert listed[0]["summary"] == Linear.summary
    assert "sklearn" in listed[2]["problem"]


def test_the_list_for_people_has_one_of_each(cli, three) -> None:
    lines = cli("detect", "models").stdout.splitlines()
    assert lines[0].startswith("linear  ") and "epochs=" in lines[1]
    assert any(line.startswith("lacking  lacking: needs sklearn") for line in lines)
