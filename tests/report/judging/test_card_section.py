from __future__ import annotations

from dataclasses import replace

from tests.report.judging.judgements import BREAKING, NAN, NOTHING, PRESERVING, card, costs, labels
from tests.report.judging.parts import content, forest_rows, lines, names, part, titles

from codekin.evaluation.card import Card
from codekin.report.sections import PageCell, page_table
from codekin.results import Grid, Scatter

REACTION = "Reaction to each change"


def reactions(made: Card, *language: str) -> list[dict[str, PageCell]]:
    [grid] = content(part(made.section(), REACTION, *language), Grid)
    return lines(grid)


def test_changes_that_keep_the_meaning_come_first() -> None:
    [grid] = content(part(card(measures=2).section(), REACTION), Grid)
    assert grid.heads == ("measure", *PRESERVING, *BREAKING)
    assert page_table(grid).above == [
        ("", 1),
        ("keeps the meaning: should stay", 5),
        ("breaks it: should fall", 5),
    ]


def test_the_best_separation_comes_first_everywhere() -> None:
    made = card(measures=7)
    rows = forest_rows(part(made.section(), "Separation"))
    shown = [float(row.text) for row in rows]
    assert shown == sorted(shown, reverse=True)
    assert [line["measure"].text for line in reactions(made)] == names(rows)
    assert [line["measure"].text for line in reactions(made, "python, 40 programs")] == names(rows)


def test_a_cell_has_the_mean_and_the_share_that_stayed() -> None:
    [row] = reactions(card(measures=1))
    first, last = row[PRESERVING[0]], row[BREAKING[-1]]
    assert (first.text.replace("\N{NO-BREAK SPACE}", " "), first.heat) == ("0.999 (60 %)", "1.000")
    assert "60 % score like equal texts" in first.title
    assert last.heat is not None and float(last.heat) < 1
    assert row["measure"].title == "what bleu does"
    [drawn] = forest_rows(part(card(measures=1).section(), "Separation"))
    assert (drawn.text, drawn.range) == ("0.900", "[0.860, 0.936]")


def test_a_distance_of_nothing_has_the_strongest_tint() -> None:
    [row] = reactions(card(names=["ed"]))
    assert row["measure"].text == "ed ↓"
    assert row[PRESERVING[0]].text.startswith("0.00 ")
    assert row[PRESERVING[0]].heat == "1.000"
    assert float(row[BREAKING[1]].heat or 1) < 1


def test_what_could_not_be_changed_or_scored_is_said() -> None:
    made = card(measures=1)
    [one] = made.measures
    first, second, *rest = one.changes
    none = replace(first, n=0, failed=7, mean=NAN, low=NAN, high=NAN, stayed=NAN)
    never = replace(second, n=0, failed=0, mean=NAN, low=NAN, high=NAN, stayed=NAN)
    gone = replace(
        one,
        changes=(none, never, *rest),
        separation=NOTHING,
        reason="nothing was scored after a change that breaks",
    )
    made = replace(made, measures=(gone,))
    [row] = reactions(made)
    cells = [row[change] for change in PRESERVING[:2]]
    assert [cell.text for cell in cells] == ["–", "–"]
    assert "none of 7 programs could be scored" in cells[0].title
    assert "no program could be changed this way" in cells[1].title
    [drawn] = forest_rows(part(made.section(), "Separation"))
    assert drawn.row.reason == gone.reason
    assert f"bleu, separation: {gone.reason}" in made.notes()
    assert "nan" not in str(row)


def test_failures_are_in_the_title() -> None:
    made = card(measures=1)
    [one] = made.measures
    some = replace(one.changes[0], failed=3)
    changed = replace(made, measures=(replace(one, changes=(some, *one.changes[1:])),))
    assert "3 failed" in reactions(changed)[0][PRESERVING[0]].title


def test_languages_are_on_demand_where_there_are_several() -> None:
    section = part(card(measures=2, languages=3).section(), REACTION)
    assert titles(section) == [f"{name}, 40 programs" for name in ("python", "java", "c")]
    assert all(one.folded for one in section.parts)
    assert part(card(measures=2, languages=1).section(), REACTION).parts == ()


def test_a_measure_may_lack_a_language() -> None:
    made = card(measures=1, languages=2)
    [one] = made.measures
    without = replace(made, measures=(replace(one, by_language=()),))
    [row] = reactions(without, "python, 60 programs")
    assert {cell.text for cell in list(row.values())[1:]} == {"–"}


def test_costs_come_from_the_card_or_as_measured() -> None:
    known = labels(2)
    made = card(measures=2)
    assert "Cost against quality" not in titles(made.section())
    measured = made.section(costs(known))
    section = part(measured, "Cost against quality")
    assert len(content(section, Scatter)) == 1
    typical, sizes = content(section, Grid)
    assert [row[0] for row in typical.rows] == known
    assert sizes.heads == ("measure", "30 tokens", "90 tokens", "270 tokens", "810 tokens")
    assert sizes.rows[0] == ("bleu", "12.0 µs", "42.0 µs", "147 µs", "514 µs")
    own = tuple(replace(one, costs=costs(known)[one.label]) for one in made.measures)
    assert replace(made, measures=own).section() == measured


def test_no_measures_make_a_section() -> None:
    section = card(measures=0).section()
    assert forest_rows(part(section, "Separation")) == []
    assert part(section, REACTION).content == ()
