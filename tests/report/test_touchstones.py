from __future__ import annotations

from codekin.report.run_scores import gather
from codekin.report.summary import Touchstones, summarise

ORIGIN = "a = 1\nb = 2\n"
REFERENCE = "a = 1\nb = 3\n"
SPACED = "a = 1\n\n\nb  =  3\n"


def edit(candidate: object, group: str, origin: str = ORIGIN) -> dict[str, object]:
    row = {"candidate": candidate, "reference": REFERENCE, "origin": origin}
    return {"language": "python", "group": group, **row}


def pair(candidate: str, group: str) -> dict[str, object]:
    return {"language": "python", "group": group, "candidate": candidate, "reference": REFERENCE}


EDITS = [edit(SPACED, "same"), edit(ORIGIN, "nothing"), edit(REFERENCE, "copied")]
MEASURES = ["ed", "nes", "es-token"]


def test_edits_are_held_against_the_same_edit(scored) -> None:
    scores = gather(scored(EDITS, MEASURES))
    assert set(Touchstones(scores).by_system()) == {"nothing", "copied"}
    tied = {label: Touchstones(scores).tied(label).tolist() for label in MEASURES}
    # Measures of texts prefer an origin that nobody touched to the right edit in another layout.
    assert tied == {
        "ed": [False, True, True],
        "nes": [False, True, True],
        "es-token": [False, False, True],
    }


def test_every_task_has_its_own_touchstone(scored) -> None:
    other = "a = 0\nb = 2\n"
    rows = [*EDITS, edit(REFERENCE, "same", other), edit(ORIGIN, "nothing", other)]
    scores = gather(scored(rows, MEASURES))
    assert Touchstones(scores).tied("nes").tolist() == [False, True, True, False, False]
    summary = summarise(scores, intervals=False)
    assert summary.blind_spots("nes") == [("nothing", 1, 2), ("copied", 1, 1)]
    assert summary.cells["copied", "nes"].blind
    assert not summary.cells["nothing", "nes"].blind


def test_the_best_of_several_is_the_touchstone(scored) -> None:
    rows = [*EDITS, edit(REFERENCE, "same")]
    assert Touchstones(gather(scored(rows, MEASURES))).tied("ed").tolist() == [False] * 2 + [
        True,
        False,
    ]


def test_nothing_is_tied_to_a_touchstone_that_is_not_there(scored) -> None:
    rows = [edit(7, "same"), *EDITS[1:]]
    assert not Touchstones(gather(scored(rows, MEASURES))).tied("nes").any()
    rows = [edit(SPACED, "same", "c = 1\n"), *EDITS[1:]]
    assert not Touchstones(gather(scored(rows, MEASURES, "b"))).tied("nes").any()


def test_without_measures_of_edits_the_name_means_nothing(scored) -> None:
    scores = gather(scored(EDITS, ["nes"]))
    assert Touchstones(scores).by_system() == {}
    assert summarise(scores, intervals=False).blind_spots("nes") == []


def test_each_run_has_its_own(scored) -> None:
    pairs = [pair(REFERENCE, "equal"), pair(REFERENCE, "copied")]
    first, second = scored(pairs, ["nes"], "pairs"), scored(EDITS, MEASURES, "edits")
    third = scored(pairs[1:], ["nes"], "alone")
    summary = summarise(gather([first, second, third]), intervals=False)
    assert summary.touchstones == {
        "pairs · copied": "equal texts",
        "edits · nothing": "the same edit in another layout",
        "edits · copied": "the same edit in another layout",
    }
    assert summary.blind_spots("nes") == [
        ("pairs · copied", 1, 1),
        ("edits · nothing", 1, 1),
        ("edits · copied", 1, 1),
    ]
