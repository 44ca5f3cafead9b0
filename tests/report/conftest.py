from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.browser import CHROMIUM, Browser, Page, browser

from codekin import Run, score
from codekin.report.demo import read_demo

Scored = Callable[..., Run]

MEASURES = ("exact", "ed", "nes", "bleu")


@pytest.fixture
def scored(tmp_path: Path) -> Scored:
    """Score rows in this process, into a folder of the given name."""

    def run(rows: list[dict[str, Any]], measures: Any = MEASURES, name: str = "run") -> Run:
        return score(rows, measures, output=tmp_path / name, workers=0)

    return run


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The first of the demonstration pairs."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    return score(read_demo()[:11], MEASURES, output=folder, workers=0)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests that want one."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium, and there is none on the PATH (apt-get install chromium)")
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A window, in which nothing may go wrong and nothing may be asked of a network."""
    opened = chromium.page()
    yield opened
    assert opened.complaints() == []
    opened.close()
