from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest
from tools.limited_children import LimitedChild, Outcome, outcomes


def work(item: str) -> int:
    """Do what the item says; the process that did it."""
    if item == "raise":
        raise ValueError("two\nlines \ud800")
    if item == "exit":
        raise SystemExit(3)
    if item == "fill":
        return len(bytearray(2**28))
    if item == "loop":
        while True:
            pass
    if item == "sleep":
        time.sleep(60)
    if item == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if item == "leave":
        os._exit(7)
    return os.getpid()


def prepared() -> Callable[[str], int]:
    return work


def unprepared() -> Callable[[str], int]:
    os._exit(9)


def limited(most: int | None = None) -> LimitedChild[str, int]:
    return LimitedChild(prepared, seconds=0.2, megabytes=128, method="spawn", most=most)


def test_a_child_serves_until_an_item_ends_it():
    with limited() as child:
        first = child.outcome("a")
        assert first.kind == "done"
        assert child.outcome("b") == first
        raised = child.outcome("raise")
        assert raised.kind == "exception"
        assert raised.reason.startswith(r"ValueError: two lines \ud800 (test_limited_children.py:")
        assert child.outcome("exit").kind == "exception"
        assert child.outcome("c") == first
        assert child.outcome("die") == Outcome("crash", reason="killed by SIGSEGV")
        second = child.outcome("d")
        assert second.kind == "done"
        assert second != first


@pytest.mark.parametrize(
    ("item", "kind", "reason"),
    [
        ("fill", "out of memory", "MemoryError: "),
        ("loop", "hang", "more than 0.2 s of processor time"),
        ("leave", "crash", "exit code 7"),
    ],
)
def test_the_next_item_gets_another_child(item, kind, reason):
    with limited() as child:
        before = child.outcome("a").value
        found = child.outcome(item)
        assert found.kind == kind
        assert found.reason.startswith(reason)
        after = child.outcome("b")
        assert after.kind == "done"
        assert after.value != before


def test_a_child_that_waits_for_ever_is_given_up(monkeypatch):
    with limited() as child:
        assert child.outcome("a").kind == "done"
        monkeypatch.setattr("tools.limited_children._LEAST_PATIENCE_S", 0.5)
        monkeypatch.setattr("tools.limited_children._PATIENCE", 1.0)
        assert child.outcome("sleep").kind == "hang"


def test_a_child_that_does_not_start_ends_everything():
    with (
        LimitedChild(unprepared, seconds=1, megabytes=0, method="spawn") as child,
        pytest.raises(SystemExit, match="did not start: exit code 9"),
    ):
        child.outcome("a")


def test_a_child_is_replaced_after_its_most():
    with limited(most=2) as child:
        pids = [child.outcome(str(number)).value for number in range(5)]
    assert pids[0] == pids[1] != pids[2] == pids[3] != pids[4]


def test_children_share_the_items():
    items = ["a", "die", "b", "raise", "c", "loop", "d"]
    with limited() as first, limited() as second:
        found = dict(outcomes([first, second], items))
    assert {item: found[item].kind for item in items} == {
        **dict.fromkeys("abcd", "done"),
        "die": "crash",
        "raise": "exception",
        "loop": "hang",
    }
    assert list(outcomes([], [])) == []
