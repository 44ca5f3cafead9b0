from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scan.test_submissions import COPY, PROGRAMS, zipped

from codekin import CodekinError, compare_submissions
from codekin.scan.hidden_names import NameHider, numbered_students


def hider(*names: str) -> NameHider:
    return NameHider(numbered_students(names, ()))


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
        ("li wu, WuLi, liWu, LI_WU", "Student3, WuLi, Student3, Student3"),
        ("McDonald mcdonald get_McDonald2", "Student4 Student4 get_Student42"),
        ("byÉmile, but not familyémiles", "byStudent5, but not familyémiles"),
        ("solvebergmannfast", "solveStudent6fast"),
    ],
)
def test_names_are_replaced_in_whatever_way_they_are_written(before, after):
    names = ("anna_berg", "al_1234", "li_wu", "McDonald", "émile", "Bergmann")
    assert hider(*names).words(before) == after


def test_parts_that_many_names_share_are_kept():
    names = [f"{one}_assignsubmission_file" for one in ("anna", "ben", "carl", "dora")]
    found = hider(*names)
    assert found.words("the file of ben") == "the file of Student2"


def test_a_part_of_several_names_is_nobody_in_particular():
    found = hider("anna_berg", "anna_voss", "carl_ott")
    assert found.words("Anna Voss, or Anna or Voss") == "Student2, or Student or Student2"


def test_names_that_are_words_of_code_are_hidden_there_as_well():
    assert hider("max").words("int max(int a); /* max */") == "int Student1(int a); /* Student1 */"


@given(st.text("anb _A;\n😀", max_size=40))
def test_a_text_without_names_stays_as_it_is(text):
    names = hider("anna", "nabana")
    after = names.words(text)
    assert names.words(after) == after
    assert [letter for letter in after if letter in ";\n😀"] == [
        letter for letter in text if letter in ";\n😀"
    ]


def test_many_names_are_looked_for_in_much_code_within_seconds():
    names = hider(*(f"student{number:04}_{number * 7919 % 1000:03}x" for number in range(3000)))
    text = "int stud = student1; // stu student0042_398x\n" * 20_000
    started = time.process_time()
    assert names.words(text).count("Student43") == 20_000
    assert time.process_time() - started < 20


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
    plain = found.evidence("anna", "ben")
    assert [region.share for region in evidence.regions] == [
        region.share for region in plain.regions
    ]
    for number, name in enumerate(("anna", "ben")):
        before = (plain.first_code, plain.second_code)[number][0]
        after = next(
            files[0]
            for files in (evidence.first_code, evidence.second_code)
            if key[files[0].name.removesuffix(".c").replace("Student", "Student ")] == name
        )
        marked = [[file.text[m.start : m.end] for m in file.marks] for file in (before, after)]
        assert marked[0] == marked[1]
        assert len(marked[0]) > 5
    with pytest.raises(CodekinError, match="hidden already"):
        hidden.without_names()


def test_names_in_the_paths_of_files_are_hidden(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    for name in ("carl", "dora"):
        (place / f"{name}.c").write_text(PROGRAMS[name])
    (place / "anna.zip").write_bytes(zipped({"anna1/a.c": COPY, "Anna1/a.c": PROGRAMS["anna"]}))
    hidden, _ = compare_submissions(place).without_names()
    for pair in hidden.pairs:
        evidence = hidden.evidence(pair.first, pair.second)
        assert evidence.first_code
        paths = [file.name for file in evidence.first_code + evidence.second_code]
        assert "anna" not in "".join(paths).lower()


def test_a_class_in_a_folder_of_a_zip_file(tmp_path):
    whole = tmp_path / "all.zip"
    files = {f"course/{name}.c": text for name, text in PROGRAMS.items()}
    whole.write_bytes(zipped({**files, "course/idle/notes.txt": "x"}))
    hidden, key = compare_submissions(whole).without_names()
    assert set(key.values()) == {*PROGRAMS, "idle"}
    assert "idle" not in hidden.to_json()
    pair = hidden.pairs[0]
    assert hidden.evidence(pair.first, pair.second).first_code[0].name.startswith("Student")
