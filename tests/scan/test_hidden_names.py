from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scan.test_submissions import COPY, PROGRAMS, zipped

from codekin import CodekinError, compare_submissions
from codekin.scan.hidden_names import NameHider, numbered_students
from codekin.scan.submission_files import AttemptCode
from codekin.source import Source


def hider(*names: str, code: str = "") -> NameHider:
    attempts = [AttemptCode(name, "", (("x.c", Source(code, "c")),)) for name in names]
    return NameHider(numbered_students(names, ()), attempts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("by Anna Berg", "by Student1"),
        ("BERG, ANNA", "Student1, Student1"),
        ("anna_berg anna-berg annaberg", "Student1 Student1 Student1"),
        ("annaBergSum", "Student1Sum"),
        ("solve_anna(3)", "solve_Student1(3)"),
        ("byAnna", "byStudent1"),
        ("joanna annals", "joanna annals"),
        ("al is 1234, not 12345", "al is Student2, not 12345"),
        ("mail: anna.berg@x.org", "mail: Student1@x.org"),
    ],
)
def test_names_are_replaced_in_whatever_way_they_are_written(before, after):
    assert hider("anna_berg", "al_1234").words(before) == after


def test_parts_that_many_names_share_are_kept():
    names = [f"{one}_assignsubmission_file" for one in ("anna", "ben", "carl", "dora")]
    found = hider(*names)
    assert found.words("the file of ben") == "the file of Student2"


def test_a_part_of_several_names_is_nobody_in_particular():
    found = hider("anna_berg", "anna_voss", "carl_ott")
    assert found.words("Anna Voss, or Anna or Voss") == "Student2, or Student or Student2"


def test_words_that_the_class_uses_are_hidden_in_comments_alone():
    code = "int max(int a) { return a; } /* max */"
    names = ("max", "anna", "ben", "carl", "dora")
    text, _ = hider(*names, code=code).code(code, [(29, 38)])
    assert text == "int max(int a) { return a; } /* Student1 */"


@given(st.text("anb _A;\n😀", max_size=40), st.data())
def test_places_move_with_the_text(text, data):
    found = hider("anna", "nabana")
    after, place = found.code(text, [])
    moved = [place(at) for at in range(len(text) + 1)]
    assert moved == sorted(moved)
    assert moved[0] == 0
    assert moved[-1] == len(after)
    again, _ = found.code(after, [])
    assert again == after
    at = data.draw(st.integers(0, len(text)))
    if at < len(text) and text[at] in ";\n😀":
        assert after[place(at)] == text[at]


def test_students_have_numbers_and_the_key_names_them(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    for name, text in {**PROGRAMS, "ben": COPY}.items():
        (place / f"{name}.c").write_text(f"/* {name.title()} */\n{text}")
    (place / "idle").mkdir()
    (place / "idle" / "read.me").write_text("by idle")
    (place / "gone.c").write_bytes(b"\0")
    found = compare_submissions(place)
    hidden, key = found.without_names()
    assert set(key.values()) == {*PROGRAMS, "ben", "idle", "gone"}
    assert {key["Student 1"], key["Student 2"]} == {"anna", "ben"}
    assert (hidden.pairs[0].first, hidden.pairs[0].second) == ("Student 1", "Student 2")
    assert [one.score for one in hidden.pairs] == [one.score for one in found.pairs]
    for old, new in zip(found.pairs, hidden.pairs, strict=True):
        assert {key[new.first], key[new.second]} == {old.first, old.second}
        shares = {old.first: old.first_share, old.second: old.second_share}
        assert (new.first_share, new.second_share) == (
            shares[key[new.first]],
            shares[key[new.second]],
        )
    assert hidden.groups[0].members == ("Student 1", "Student 2")
    texts = hidden.to_json() + hidden.to_csv() + str(hidden)
    evidence = hidden.evidence("Student 1", "Student 2")
    texts += evidence.to_json() + str(evidence) + repr(evidence.first_code + evidence.second_code)
    assert not [name for name in key.values() if name in texts.lower().replace(str(tmp_path), "")]
    plain = found.evidence("anna", "ben").regions
    assert [one.share for one in evidence.regions] == [one.share for one in plain]
    with pytest.raises(CodekinError, match="hidden already"):
        hidden.without_names()


def test_attempts_lose_names_and_stay_apart(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    for name in ("carl", "dora"):
        (place / f"{name}.c").write_text(PROGRAMS[name])
    (place / "anna.zip").write_bytes(zipped({"anna1/a.c": COPY, "Anna1/a.c": PROGRAMS["anna"]}))
    hidden, key = compare_submissions(place, attempts=True).without_names()
    anna = next(label for label, name in key.items() if name == "anna")
    names = {one.first_attempt if one.first == anna else one.second_attempt for one in hidden.pairs}
    assert "anna" not in json.dumps(sorted(names)).lower()
    for pair in hidden.pairs:
        assert hidden.evidence(pair.first, pair.second).first_code


def test_a_class_in_a_folder_of_a_zip_file(tmp_path):
    whole = tmp_path / "all.zip"
    files = {f"course/{name}.c": text for name, text in PROGRAMS.items()}
    whole.write_bytes(zipped({**files, "course/idle/notes.txt": "x"}))
    hidden, key = compare_submissions(whole).without_names()
    assert set(key.values()) == {*PROGRAMS, "idle"}
    assert "idle" not in hidden.to_json()
    pair = hidden.pairs[0]
    assert hidden.evidence(pair.first, pair.second).first_code[0].name.startswith("Student")
