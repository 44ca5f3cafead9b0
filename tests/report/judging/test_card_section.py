from __future__ import annotations

from dataclasses import replace

from tests.report.judging.judgements import BREAKING, NAN, NOTHING, PRESERVING, card, costs, labels

from codekin.report.judging.card_section import card_section


def test_changes_that_keep_the_meaning_come_first() -> None:
    section = card_section(card(measures=2))
    assert section.preserving == list(PRESERVING)
    assert section.breaking == list(BREAKING)
    assert all(len(row["cells"]) == 10 for row in section.table)


def test_the_best_separation_comes_first_everywhere() -> None:
    section = card_section(card(measures=7))
    shown = [float(row["text"]) for row in section.forest.rows]
    assert shown == sorted(shown, reverse=True)
    order = [row["name"] for row in section.forest.rows]
    assert [row["name"] for row in section.table] == order
    assert [row["name"] for row in section.languages[0]["rows"]] == order


def test_a_cell_has_the_mean_and_the_share_that_stayed() -> None:
    [row] = card_section(card(measures=1)).table
    first, last = row["cells"][0], row["cells"][-1]
    assert (first["text"], first["small"], first["heat"]) == ("1.000", "60 %", "1.000")
    assert "60 % score as equal texts do" in first["title"]
    assert float(last["heat"]) < float(first["heat"])
    assert (row["separation"], row["range"]) == ("0.90", "0.86 to 0.94")


def test_a_distance_of_nothing_has_the_strongest_tint() -> None:
    [row] = card_section(card(names=["ed"])).table
    assert row["distance"]
    assert row["cells"][0]["text"].startswith("0.0")
    assert row["cells"][0]["heat"] == "1.000"
    assert float(row["cells"][6]["heat"]) < 1


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
    section = card_section(replace(made, measures=(gone,)))
    cells = section.table[0]["cells"]
    assert (cells[0]["text"], cells[1]["text"]) == ("–", "–")
    assert "none of 7 programs could be scored" in cells[0]["title"]
    assert "no program could be changed so" in cells[1]["title"]
    assert section.forest.rows[0]["reason"] == gone.reason
    assert section.reasons == [("bleu", gone.reason)]
    assert "nan" not in str(section.table)


def test_failures_are_in_the_title() -> None:
    made = card(measures=1)
    [one] = made.measures
    some = replace(one.changes[0], failed=3)
    changed = replace(made, measures=(replace(one, changes=(some, *one.changes[1:])),))
    assert "3 failed" in card_section(changed).table[0]["cells"][0]["title"]


def test_languages_are_on_demand_where_there_are_several() -> None:
    section = card_section(card(measures=2, languages=3))
    assert [one["name"] for one in section.languages] == ["python", "java", "c"]
    assert card_section(card(measures=2, languages=1)).languages == []


def test_a_measure_may_lack_a_language() -> None:
    made = card(measures=1, languages=2)
    [one] = made.measures
    section = card_section(replace(made, measures=(replace(one, by_language=()),)))
    assert {cell["text"] for cell in section.languages[0]["rows"][0]["cells"]} == {"–"}


def test_costs_come_from_the_card_or_as_measured() -> None:
    names = labels(2)
    plain = card_section(card(measures=2))
    assert (plain.timed, plain.cost, plain.sizes) == (False, None, [])
    assert {row["line"] for row in plain.table} == {""}
    measured = card_section(card(measures=2), costs(names))
    assert measured.timed
    assert measured.cost is not None
    assert all(row["line"].count("<circle") == 4 for row in measured.table)
    assert measured.table[0]["cost"] == "12 µs to 514 µs"
    assert [len(row["cells"]) for row in measured.sizes] == [4, 4]
    made = card(measures=2)
    own = tuple(replace(one, costs=costs(names)[one.label]) for one in made.measures)
    assert card_section(replace(made, measures=own)) == replace(
        measured, judgement=replace(made, measures=own)
    )


def test_no_measures_make_a_section() -> None:
    section = card_section(card(measures=0))
    assert section.forest.rows == []
    assert section.preserving == []
