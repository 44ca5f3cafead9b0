"""What keeps the tests of detectors fast: each snippet is read once, whatever trains on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from codekin.detectors import preparing

_READ_ONCE = cache(preparing.read_snippet)


@pytest.fixture(autouse=True, scope="module")
def read_once() -> Iterator[None]:
    """Keep what was read of a snippet; modules that test reading have their own `read_once`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparing, "read_snippet", _READ_ONCE)
        yield
