from __future__ import annotations

import json
import time
import tracemalloc
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.test_schemas import check_schema
from tests.scan.test_submissions import COPY, PROGRAMS, zipped

from codekin import CodekinError, Submissions, compare_submissions

MOVED = """
/* int cube(int v) */
int third(int q);
int main() {
    int k, list[100], m;
    scanf("%d", &m);
    // for (j = 0; j < n; j++)
    k = 0;
    while (k < m) { scanf("%d", &list[k]); k += 1; }
    for (k = m - 1; 0 <= k; --k)
        printf("%d ", third(list[k]) % 97); /* here */
    return 0;
}
int third(int q) {
    return q * q * q;
}
"""
PYTHON = """
def solve():
    n = int(input())
    s = 0
    for i in range(n):
        x = int(input())
        if x % 7 == 3 and s < 1000:
            s += x * 13
        else:
            s -= x // 5
    print(s)
"""


def classroom(place: Path, texts: dict[str, str]) -> Path:
    place.mkdir()
    for name, text in texts.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    return place


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Submissions:
    texts = {f"{name}.c": text for name, text in PROGRAMS.items()}
    more = {"ben.c": COPY, "zoe.c": MOVED, "kim.py": PYTHON}
    return compare_submissions(classroom(tmp_path_factory.mktemp("c") / "class", texts | more))


def marked(files, kind: str = "evidence", region: int | None = None) -> str:
    return "".join(
        file.text[one.start : one.end] + "\n"
        for file in files
        for one in file.marks
        if one.kind == kind and region in (None, one.region)
    )


def test_a_renamed_and_rewritten_copy_is_one_linked_region(found):
    evidence = found.evidence("ben", "anna")
    assert (evidence.pair.first, evidence.pair.second) == ("anna", "ben")
    (region,) = evidence.regions
    assert region.kind == "evidence"
    assert region.share == 1.0
    assert (region.first.file, region.second.file) == ("anna.c", "ben.c")
    assert region.first.start <= 8
    assert region.first.end >= 9
    assert "x % 7 == 3" in marked(evidence.first_code)
    assert "value % 7 != 3" in marked(evidence.second_code)


def test_moved_functions_are_regions_that_cross(found):
    evidence = found.evidence("dora", "zoe")
    main, cube = evidence.regions
    assert main.first.start > cube.first.end
    assert main.second.end < cube.second.start
    assert marked(evidence.first_code, region=2) == "int cube(int v) { return v * v * v; }\n"
    assert "q * q * q" in marked(evidence.second_code, region=2)
    assert main.share + cube.share == pytest.approx(1.0)
    assert main.share > cube.share


def test_comments_are_never_marked_and_marks_do_not_overlap(found):
    for pair in found.pairs:
        evidence = found.evidence(pair.first, pair.second)
        for file in (*evidence.first_code, *evidence.second_code):
            for mark in file.marks:
                text = file.text[mark.start : mark.end]
                assert text == text.strip()
                assert "/*" not in text
                assert "//" not in text.replace("x // 5", "")
                assert "\n" not in text
            assert all(a.end <= b.start for a, b in pairwise(file.marks))
            numbers = {one.number for one in evidence.regions}
            assert {mark.region for mark in file.marks} <= numbers


def test_what_most_others_have_is_common_and_no_evidence(found):
    evidence = found.evidence("anna", "carl")
    assert {one.kind for one in evidence.regions} == {"common"}
    assert {one.share for one in evidence.regions} == {0.0}
    assert 'scanf("%d", &n);' in marked(evidence.first_code, "common")
    assert not marked(evidence.first_code)
    pair = found.evidence("anna", "ben")
    assert 'scanf("%d", &n);' in marked(pair.first_code, "common")
    assert 'scanf("%d", &n);' not in marked(pair.first_code)


def test_in_a_class_of_two_nothing_is_common(tmp_path):
    place = classroom(tmp_path / "two", {"anna.c": PROGRAMS["anna"], "ben.c": COPY})
    evidence = compare_submissions(place).evidence("anna", "ben")
    assert [one.kind for one in evidence.regions] == ["evidence"]
    assert evidence.regions[0].others == 0.0


def test_programs_in_different_languages_have_linked_regions(found):
    evidence = found.evidence("anna", "kim")
    assert "s += x * 13" in marked(evidence.first_code)
    assert "s += x * 13" in marked(evidence.second_code)
    assert [file.language for file in evidence.second_code] == ["python"]


def test_languages_without_graphs_are_matched_by_their_tokens(tmp_path):
    one = "def f(a)\n  t = 0\n  a.each { |x| t += x * 7 if x.even? }\n  puts t + 41\nend\n"
    two = one.replace("t", "s").replace("pus", "puts").replace("a.", "v.").replace("(a)", "(v)")
    texts = {"a.rb": one, "b.rb": "# mine\n\n" + two, "c.rb": "puts gets.to_i ** 2\n"}
    evidence = compare_submissions(classroom(tmp_path / "ruby", texts)).evidence("a", "b")
    assert [one.kind for one in evidence.regions] == ["evidence"]
    assert "* 7" in marked(evidence.second_code)


def test_starter_code_is_shown_as_such(tmp_path):
    starter = PROGRAMS["gerd"]
    texts = {f"{name}.c": starter + text for name, text in PROGRAMS.items()}
    place = classroom(tmp_path / "class", texts | {"ben.c": "\n" + starter + COPY})
    (tmp_path / "given.c").write_text(starter.replace("    ", "\t"))
    found = compare_submissions(place, template=tmp_path / "given.c")
    evidence = found.evidence("anna", "ben")
    lines = starter.count("\n")
    (first,), (second,) = evidence.first_starter, evidence.second_starter
    # The head of the second main, which the starter code has, too, is on the second line after it.
    assert (first.start, first.end) == (2, lines + 2)
    assert (second.start, second.end) == (3, lines + 3)
    assert "mid = (lo + hi) / 2;" in marked(evidence.first_code, "starter")
    assert all(one.first.start > lines for one in evidence.regions)
    assert "x % 7 == 3" in marked(evidence.first_code)


def test_heads_of_the_starter_code_and_closing_brackets_are_not_evidence(tmp_path):
    head = "static int weigh(int[] given, int count) {"
    body = """
        int k = 0, t = 7;
        while (k < count) {
            t = t * 31 + given[k] % 5;
            k += 2;
        }
        return t - count;
    }
"""
    others = [f"{head}\n        return given[{i}] + {i} * count;\n    }}\n" for i in range(5)]
    texts = {f"s{i}.java": f"class A {{\n    {text}}}\n" for i, text in enumerate(others)}
    for name, text in (("anna", body), ("ben", body.replace("k", "pos").replace(" t ", " sum "))):
        texts[f"{name}.java"] = f"class A {{\n    {head}{text}}}\n"
    place = classroom(tmp_path / "class", texts)
    template = tmp_path / "A.java"
    template.write_text(f"class A {{\n    {head} return 0; }}\n}}\n")
    plain = compare_submissions(place).evidence("anna", "ben")
    evidence = compare_submissions(place, template=template).evidence("anna", "ben")
    assert head in marked(plain.first_code) + marked(plain.first_code, "common")
    assert head in marked(evidence.first_code, "starter")
    assert head not in marked(evidence.first_code) + marked(evidence.first_code, "common")
    assert "t = t * 31 + given[k] % 5;" in marked(evidence.first_code)
    for one in (plain, evidence):
        for kind in ("evidence", "common", "starter"):
            assert not {"}", "} }", "};"} & set(marked(one.first_code, kind).splitlines())


def test_the_files_of_a_student_are_named(tmp_path):
    place = classroom(tmp_path / "class", {f"{n}.c": t for n, t in PROGRAMS.items()})
    files = {"one/lib.c": PROGRAMS["fritz"], "two/a.c": PROGRAMS["dora"], "two/b.c": COPY}
    (place / "hans.zip").write_bytes(zipped(files))
    evidence = compare_submissions(place).evidence("hans", "anna")
    assert [file.name for file in evidence.second_code] == [
        f"hans.zip/{name}" for name in sorted(files)
    ]
    strong = [one for one in evidence.regions if one.kind == "evidence"]
    assert strong[0].second.file == "hans.zip/two/b.c"
    assert strong[0].share > 0.9


def test_line_ends_and_wide_characters_do_not_move_marks(tmp_path):
    texts = {f"{name}.c": text for name, text in PROGRAMS.items()}
    place = classroom(tmp_path / "class", texts)
    (place / "ben.c").write_bytes(("// 😀 é\n" + COPY).replace("\n", "\r\n").encode())
    evidence = compare_submissions(place).evidence("anna", "ben")
    assert "if (value % 7 != 3 || !(t < 1000)) t = t - value / 5;" in marked(evidence.second_code)


def test_long_files_are_matched_in_pieces(found, monkeypatch):
    whole = found.evidence("dora", "zoe")
    monkeypatch.setattr("codekin.scan.submission_evidence._CELLS_AT_A_TIME", 30)
    pieces = found.evidence("dora", "zoe")
    assert [one.first for one in pieces.regions] == [one.first for one in whole.regions]
    assert "cube(a[j]) % 97" in marked(pieces.first_code)


def functions(order: list[int]) -> str:
    """Many functions that are similar, but not equal."""
    return "".join(
        f"def f{i}(a):\n    b = a * {i * 7919 % 1000}\n    for c in range({i}, b):\n"
        f"        a += c ^ {i * 31 % 997}\n    return a % (b + {i % 13})\n"
        for i in order
    )


def test_moved_functions_of_long_programs_are_found(tmp_path):
    order = list(range(900))
    texts = {"anna.py": functions(order), "ben.py": functions(order[::-1]), "carl.py": PYTHON}
    evidence = compare_submissions(classroom(tmp_path / "class", texts)).evidence("anna", "ben")
    matched = marked(evidence.second_code).count("range(")
    assert matched > 800
    pairs = [
        (region.first.start, region.second.start)
        for region in evidence.regions
        if region.first.end - region.first.start < 12
    ]
    assert pairs
    # A function at line n of one program is at as many lines before the end of the other.
    near = [abs(first + second - 4500) < 20 for first, second in pairs]
    assert sum(near) > 0.9 * len(near)


@pytest.mark.parametrize("step", ["x = x + 1", "x = x + {}"])
def test_many_statements_that_are_alike_take_little_memory_and_time(tmp_path, step):
    lines = "".join(f"    {step.format(number)}\n" for number in range(3_000))
    texts = {f"{name}.py": f"def f(x):\n{lines}" for name in ("anna", "ben")}
    found = compare_submissions(classroom(tmp_path / "class", texts))
    started = time.process_time()
    tracemalloc.start()
    evidence = found.evidence("anna", "ben")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert marked(evidence.first_code, evidence.regions[0].kind).count("x + ") == 3_000
    assert evidence.regions[0].statements > 2_990
    assert peak < 150_000_000
    assert time.process_time() - started < 20


def test_of_very_long_programs_the_first_files_are_compared(found, monkeypatch, tmp_path):
    files = {"dora/a.c": PROGRAMS["dora"], "dora/b.c": PROGRAMS["emil"], "dora/c.c": COPY}
    place = classroom(tmp_path / "class", files | {"zoe.c": MOVED, "anna.c": PROGRAMS["anna"]})
    found = compare_submissions(place)
    assert found.evidence("dora", "zoe").beyond == ()
    monkeypatch.setattr("codekin.scan.submission_evidence._MOST_STATEMENTS", 8)
    monkeypatch.setattr("codekin.scan.submission_evidence._KEPT", 1)
    found = compare_submissions(place)
    evidence = found.evidence("dora", "zoe")
    assert evidence.beyond == ("dora/b.c", "dora/c.c")
    assert [file.name for file in evidence.first_code] == list(files)
    assert [bool(file.marks) for file in evidence.first_code] == [True, False, False]
    assert "2 files (dora/b.c, …)" in evidence.notes()[-1]
    hidden, _ = found.without_names()
    assert "dora" not in hidden.evidence(hidden.pairs[0].first, hidden.pairs[0].second).to_json()
    again = found.evidence("anna", "zoe"), found.evidence("dora", "zoe")
    assert again[1].regions == evidence.regions


def test_the_document_has_a_schema(found):
    evidence = found.evidence("dora", "zoe")
    document = json.loads(evidence.to_json())
    check_schema("scan-submissions-pair", [document])
    assert document["regions"][0]["second"]["file"] == "zoe.c"
    assert "text" not in json.dumps(document)
    features = document["features"]
    assert features[0]["share"] == max(one["share"] for one in features)
    assert "97" in [one["name"] for one in features]
    assert "not a proof" in str(evidence)


def test_unknown_students_are_errors(found):
    with pytest.raises(CodekinError, match="no student 'nobody'"):
        found.evidence("anna", "nobody")
    with pytest.raises(CodekinError, match="no student 'ana'; did you mean 'anna'"):
        found.evidence("ana", "ben")
    with pytest.raises(CodekinError, match="a pair has two students, not 'anna' twice"):
        found.evidence("anna", "anna")


def test_students_who_were_not_compared_are_named_with_the_reason(tmp_path):
    for name, text in PROGRAMS.items():
        (tmp_path / f"{name}.c").write_text(text)
    (tmp_path / "oscar.c").write_text("\n")
    found = compare_submissions(tmp_path)
    with pytest.raises(CodekinError, match=r"oscar was not compared: empty$"):
        found.evidence("oscar", "anna")


def test_a_result_without_code_has_no_evidence(found):
    with pytest.raises(CodekinError, match="has no code"):
        replace(found, code=None).evidence("anna", "ben")
