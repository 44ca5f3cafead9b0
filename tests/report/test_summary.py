from __future__ import annotations

import math

import pytest

from codekin.report.run_scores import gather
from codekin.report.summary import summarise


def row(candidate: str, group: str | None = None, **more: object) -> dict[str, object]:
    reference = {"language": "python", "reference": "x = 1"}
    return {"candidate": candidate, "group": group, **reference, **more}


ROWS = [
    row("x = 1", "equal"),
    row("x  =  1", "spaced"),
    row("x = 2", "other"),
    row("x = 1", "other"),
]


def test_blind_spots(scored) -> None:
    summary = summarise(gather(scored(ROWS)))
    assert summary.systems == {"equal": 1, "spaced": 1, "other": 2}
    assert summary.blind_spots("bleu") == [("spaced", 1, 1), ("other", 1, 2)]
    assert summary.blind_spots("ed") == [("other", 1, 2)]
    cell = summary.cells["other", "nes"]
    assert cell.mean is not None
    assert (cell.mean.value, cell.scored, cell.as_equal) == (pytest.approx(0.9), 2, 1)


def test_without_equal_pairs_nothing_is_called_blind(scored) -> None:
    summary = summarise(gather(scored(ROWS[1:])))
    assert summary.blind_spots("bleu") == []
    assert summary.cells["spaced", "bleu"].top  # it scores so, and may have every right to


def test_changes_that_keep_the_meaning_are_not_called_blind_spots(scored) -> None:
    rows = [
        row("x = 1", "equal"),
        row("x  =  1", "reformatted"),
        row("x  =   1", "spaced"),
        row("x =  1", "passing", outcome=1),
        row("x =   1", "failing", outcome=0),
    ]
    summary = summarise(gather(scored(rows)))
    assert summary.blind_spots("bleu") == [("spaced", 1, 1), ("failing", 1, 1)]
    assert summary.invariances("bleu") == [("reformatted", 1, 1), ("passing", 1, 1)]
    assert [name for name, _, _ in summary.ties("bleu")] == [
        *("reformatted", "spaced", "passing", "failing")
    ]


def test_means_have_intervals_and_corpora_values(scored) -> None:
    rows = [row(f"x = {i % 3}" + " + y" * (i % 4)) for i in range(24)]
    summary = summarise(gather(scored(rows, ["nes", "bleu"])))
    nes, bleu = summary.cells["all", "nes"], summary.cells["all", "bleu"]
    assert nes.corpus is None
    assert bleu.corpus is not None
    for one in (nes.mean, bleu.mean, bleu.corpus):
        assert one is not None
        assert one.known.low < one.value < one.known.high
    alone = summarise(gather(scored(rows, ["nes"], "b")), intervals=False)
    mean = alone.cells["all", "nes"].mean
    assert mean is not None and nes.mean is not None
    assert mean.value == nes.mean.value and math.isnan(mean.known.low)


def test_weights_weigh(scored) -> None:
    rows = [row("x = 1", weight=3), row("", weight=1)]
    cell = summarise(gather(scored(rows, ["exact"]))).cells["all", "exact"]
    assert cell.mean is not None
    assert cell.mean.value == 0.75


def test_failures_are_counted_by_system(scored) -> None:
    rows = [row("a", "g"), row("b\0", "g"), row("c", "h")]
    summary = summarise(gather(scored(rows)))
    assert summary.failed == {"g": 1, "h": 0}
    assert (summary.cells["g", "nes"].scored, summary.cells["g", "nes"].rows) == (1, 2)


def test_a_system_that_was_not_asked_has_no_cell(scored) -> None:
    first, second = scored([row("a")], ["nes"], "one"), scored([row("a")], ["ed"], "two")
    summary = summarise(gather([first, second]))
    assert set(summary.cells) == {("one", "nes"), ("two", "ed")}


def test_many_systems_have_fewer_resamples_and_very_many_means_only(scored) -> None:
    rows = [row("x = 2" if i % 2 else "x", f"g{i // 4}") for i in range(101 * 4)]
    some = summarise(gather(scored(rows[: 61 * 4], ["nes"], "some")))
    means = [cell.mean for cell in some.cells.values()]
    assert (len(means), some.resamples) == (61, 1000)
    assert all(mean and math.isfinite(mean.known.low) for mean in means)
    all_of_them = summarise(gather(scored(rows, ["nes"])))
    means = [cell.mean for cell in all_of_them.cells.values()]
    assert (len(means), all_of_them.resamples) == (101, 0)
    assert all(mean and math.isnan(mean.known.low) and math.isfinite(mean.value) for mean in means)
    assert summarise(gather(scored(rows[:8], ["nes"], "few"))).resamples == 2000


def test_counts_of_many_systems_take_one_pass(scored, monkeypatch) -> None:
    rows = [row(f"x = {i % 2}", f"g{i % 500}") for i in range(1000)]
    rows[3]["candidate"] = 7
    scores = gather(scored([*rows, row("x = 1", "g0")], ["nes", "ed"]))
    monkeypatch.setattr(type(scores), "of", None)  # it looks at every row for one system
    cells = summarise(scores).cells
    assert len(cells) == 1000
    for label in ("nes", "ed"):
        found = [cells[f"g{i}", label] for i in range(4)]
        counts = [(cell.rows, cell.scored, cell.as_equal) for cell in found]
        assert counts == [(3, 3, 1), (2, 2, 2), (2, 2, 0), (2, 1, 1)]


def test_a_mean_reads_one_only_where_every_row_scores_one(scored) -> None:
    rows = [row("x = 1", "most")] * 3000 + [row("x = 2", "most")]
    cell = summarise(gather(scored(rows, ["exact"])), intervals=False).cells["most", "exact"]
    assert cell.text(distance=False) == "0.999"
