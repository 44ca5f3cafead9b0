"""Each snippet is read once, as in the tests of detectors."""

from tests.detectors.conftest import read_once

__all__ = ["read_once"]
