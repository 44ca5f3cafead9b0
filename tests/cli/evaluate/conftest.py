from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from tests.report.judging.example_judgements import full_outcomes, one_language, two_cards


class Judging(ModuleType):
    """Stands for the engine: keeps what it is called with, and gives what it is told to."""

    def __init__(self) -> None:
        super().__init__("codekin.engine.judging")
        self.given: dict[str, Any] = {}
        self.answers = {
            "evaluate_triplets": one_language(),
            "evaluate_outcomes": full_outcomes(),
            "evaluate_card": two_cards(),
        }

    def __getattr__(self, name: str) -> Any:
        if name not in self.answers:
            raise AttributeError(name)

        def evaluate(**given: Any) -> Any:
            self.given = given
            answer = self.answers[name]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return evaluate


@pytest.fixture
def judging(monkeypatch) -> Judging:
    """What a command asks of the engine is looked at here; the engine has its own tests."""
    module = Judging()
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module
