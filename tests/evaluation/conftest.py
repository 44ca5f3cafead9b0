import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def planted_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests import the measures that stand beside them."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    sys.modules.pop("planted", None)
