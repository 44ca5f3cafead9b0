from __future__ import annotations

import pytest
from tests.report.synthetic import synthetic_run

from codekin.report import write_report
from codekin.report.run_page import cards_in_a_row, overview
from codekin.report.run_scores import gather
from codekin.report.summary import summarise


@pytest.mark.parametrize(("cards", "columns"), [(4, 4), (6, 3), (8, 4), (9, 3), (12, 4)])
def test_cards_fill_their_rows(cards, columns) -> None:
    assert cards_in_a_row(cards) == columns


def seen(runs):
    scores = gather(runs)
    return overview(scores, summarise(scores))


def row(candidate: object, **more: object) -> dict[str, object]:
    return {"language": "python", "candidate": candidate, "reference": "x = 1", **more}


def test_correlations_are_pearson_above_and_spearman_below(scored) -> None:
    rows = [row("x = 1" + " + 1" * n, outcome=-(n**3)) for n in range(6)]
    table = seen(scored(rows, ["ed", "nes"])).correlations
    assert table is not None
    assert table["names"] == ["ed", "nes", "outcome"]
    cells = [line["cells"] for line in table["rows"]]
    assert [cell["title"].split()[0] for cell in cells[0][1:]] == ["Pearson", "Pearson"]
    assert cells[1][0]["title"] == "Spearman correlation of nes and ed: −1.0000"
    assert (cells[1][0]["text"], cells[1][0]["sign"]) == ("−1.00", "minus")
    assert cells[2][1]["text"] == "1.00"
    assert cells[0][2]["sign"] == "minus"
    assert abs(float(cells[0][2]["heat"])) < 1  # cubes are no line, though in the same order


def test_measures_that_never_change_have_no_correlation(scored) -> None:
    table = seen(scored([row("x = 1")] * 4, ["exact", "nes"])).correlations
    assert table is not None
    assert table["rows"][0]["cells"][1]["text"] == "–"


def test_one_measure_alone_has_nothing_to_agree_with(scored) -> None:
    assert seen(scored([row("a"), row("b"), row("c")], ["nes"])).correlations is None


def test_one_measure_and_outcomes_are_no_agreement_of_measures(scored) -> None:
    judged = [{**row(text), "outcome": int(text == "a")} for text in "abca"]
    assert seen(scored(judged, ["nes"])).correlations is None


def test_failures_are_counted_by_reason(scored) -> None:
    rows = [row("a"), row(1), row(2), row("b\0")]
    told = seen(scored(rows, ["nes"])).failures
    assert [(run, one.rows, one.label) for run, one in told] == [("", 2, None), ("", 1, None)]
    assert told[0][1].reason == "candidate must be a text, not a number"
    assert told[0][1].first == "2"


def test_of_many_systems_some_are_seen_at_once_and_all_are_there(tmp_path) -> None:
    groups = [f"g{i}" for i in range(70)]
    shown = seen(synthetic_run(tmp_path / "run", 210, ("nes",), groups))
    assert (shown.listed, shown.seen, shown.plotted) == (70, 30, 20)
    assert len(shown.heat) == 70
    assert [len(rows) for kind in shown.rest.values() for rows in kind] == [50, 50]
    assert shown.intervals


def test_of_very_many_systems_the_first_are_listed_without_intervals(tmp_path) -> None:
    groups = [f"g{i}" for i in range(310)]
    run = synthetic_run(tmp_path / "run", 310, ("nes",), groups)
    shown = seen(run)
    assert (shown.listed, len(shown.heat), shown.intervals) == (300, 300, False)
    page = write_report(run, tmp_path / "r.html", explain=0).read_text(encoding="utf-8")
    assert "Only the first 300 of 310 groups, as given, are listed and drawn here" in page
    assert "There are no intervals" in page


def test_a_system_without_a_measure_has_an_empty_cell(scored) -> None:
    runs = [scored([row("a")], ["nes"], "one"), scored([row("a")], ["bleu"], "two")]
    shown = seen(runs)
    assert [[cell["text"] for cell in line["cells"]] for line in shown.heat] == [
        ["0.000", "–"],
        ["–", "0.184"],
    ]
    assert [head["name"] for head in shown.corpus_heads] == ["bleu"]
    assert [[cell["text"] for cell in line["cells"]] for line in shown.corpus] == [["–"], ["0.184"]]


def test_means_that_are_all_nothing_have_an_axis_to_one(scored) -> None:
    rows = [row("y", group="a"), row("z", group="b")]
    (head,) = seen(scored(rows, ["exact"])).heads
    assert head["intervals"].frame.axis.high == 1


def test_groups_that_parse_share_a_sentence(scored) -> None:
    def said(codes: dict[str, str]) -> list[str]:
        rows = [
            {"id": name, "group": name, "language": "python", "candidate": code, "reference": "x"}
            for name, code in codes.items()
        ]
        return seen(scored(rows, ["nes"], "-".join(codes))).parsed

    assert said({"a": "x", "b": "y"}) == ["All candidates and references parse"]
    assert said({"a": "x", "b": "y", "c": "(("}) == [
        "c: 0 % of the candidates and 100 % of the references parse",
        "all candidates and references of the other 2 groups parse",
    ]
    assert said({"b": "y", "d": "(("}) == [
        "b: 100 % of the candidates and 100 % of the references parse",
        "d: 0 % of the candidates and 100 % of the references parse",
    ]
