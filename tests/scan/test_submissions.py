from __future__ import annotations

import io
import json
import os
import tarfile
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source, compare_submissions, measure
from codekin.scan.submissions import LEVEL

PROGRAMS = {
    "anna": """
int main() {
    int n, i, s = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        if (x % 7 == 3 && s < 1000) s += x * 13;
        else s -= x / 5;
    }
    printf("%d\\n", s);
    return 0;
}
""",
    "carl": """
int main() {
    int n; scanf("%d", &n);
    int best = -1;
    while (n--) { int x; scanf("%d", &x); if (x > best) best = x; }
    printf("%d\\n", best);
}
""",
    "dora": """
int cube(int v) { return v * v * v; }
int main() {
    int a[100], n, j; scanf("%d", &n);
    for (j = 0; j < n; j++) scanf("%d", &a[j]);
    for (j = n - 1; j >= 0; j--) printf("%d ", cube(a[j]) % 97);
    return 0;
}
""",
    "emil": """
#include <string.h>
int main() {
    char text[50]; int counts[26] = {0}, i;
    gets(text);
    for (i = 0; i < strlen(text); i++) counts[text[i] - 'a']++;
    for (i = 0; i < 26; i++) if (counts[i] == 2) putchar('a' + i);
}
""",
    "fritz": """
int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
int main() { int p, q; scanf("%d %d", &p, &q); printf("%d", p / gcd(p, q) * q); return 0; }
""",
    "gerd": """
double f(double x) { return x * x - 2; }
int main() {
    double lo = 0, hi = 2, mid;
    do { mid = (lo + hi) / 2; if (f(mid) > 0) hi = mid; else lo = mid; } while (hi - lo > 1e-9);
    printf("%f", mid);
}
""",
}
COPY = """
int main() {
    int k, t = 0, count;
    scanf("%d", &count);
    k = 0;
    while (count > k) {
        int value;
        scanf("%d", &value);
        if (value % 7 != 3 || !(t < 1000)) t = t - value / 5;
        else t = t + value * 13;
        k = k + 1;
    }
    printf("%d\\n", t);
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "class"
    place.mkdir()
    for name, text in {**PROGRAMS, "ben": COPY}.items():
        (place / f"{name}.c").write_text(text)
    return place


def names(pair) -> tuple[str, str]:
    return pair.first, pair.second


def zipped(files: dict[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def reasons(found) -> dict[str, str]:
    return {Path(one.path).name: one.reason for one in found.left_out}


def test_a_disguised_copy_is_first_and_suspicious(folder):
    found = compare_submissions(folder)
    assert [one.name for one in found.students] == sorted([*PROGRAMS, "ben"])
    top, second = found.pairs[:2]
    assert names(top) == ("anna", "ben")
    assert top.suspicious
    assert top.unusual > LEVEL
    assert top.score == max(top.first_share, top.second_share) > 0.8
    assert top.quantile == 20 / 21
    assert not second.suspicious
    assert len(found.pairs) == found.all_pairs == 21
    assert [one.members for one in found.groups] == [("anna", "ben")]
    assert found.groups[0].suspicious_pairs == 1
    kin = measure("kin", normalise="containment")
    assert top.score > kin.score(Source(PROGRAMS["anna"], "c"), Source(COPY, "c")).value


def test_groups_are_linked_by_single_pairs(folder):
    (folder / "zoe.c").write_text(COPY.replace("value", "z"))
    found = compare_submissions(folder, level=3)
    assert ("anna", "ben", "zoe") in [one.members for one in found.groups]
    assert found.groups[0].suspicious_pairs == 3


def test_the_result_says_that_it_is_no_proof(folder):
    found = compare_submissions(folder)
    assert "not a proof" in str(found)
    assert "not a proof" in found.to_html()
    assert "not a proof" in json.loads(found.to_json())["meaning"]


def test_files_folders_and_zip_files_are_the_same(folder, tmp_path):
    plain = compare_submissions(folder)
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    (mixed / "anna").mkdir()
    (mixed / "anna" / "work").mkdir()
    (mixed / "anna" / "work" / "main.c").write_text(PROGRAMS["anna"])
    (mixed / "ben.zip").write_bytes(zipped({"src/x.c": COPY, "__MACOSX/._x.c": b"\0"}))
    for name in ("carl", "dora", "emil", "fritz", "gerd"):
        (mixed / f"{name}.c").write_text(PROGRAMS[name])
    assert compare_submissions(mixed).pairs == plain.pairs
    whole = tmp_path / "all.zip"
    files = {f"course/{name}.c": text for name, text in PROGRAMS.items()}
    whole.write_bytes(zipped({**files, "course/ben.zip": zipped({"x.c": COPY})}))
    assert compare_submissions(whole).pairs == plain.pairs


def test_all_code_of_a_student_is_one_program(folder):
    place = folder / "hans"
    (place / "first").mkdir(parents=True)
    (place / "first" / "a.c").write_text(PROGRAMS["gerd"].replace("mid", "m"))
    (place / "second.zip").write_bytes(zipped({"b.c": "int main() { return 3; }"}))
    found = compare_submissions(folder)
    pair = next(pair for pair in found.pairs if names(pair) == ("gerd", "hans"))
    assert pair.first_share == 1.0
    assert pair.second_share < 1.0
    assert next(student for student in found.students if student.name == "hans").files == 2


def test_starter_code_does_not_count(tmp_path):
    starter = PROGRAMS["anna"].replace("main", "given")
    place, template = tmp_path / "class", tmp_path / "template"
    place.mkdir()
    template.mkdir()
    (template / "given.c").write_text(starter)
    (place / "idle.c").write_text(starter)
    for name in ("carl", "dora"):
        (place / f"{name}.c").write_text(starter + PROGRAMS[name])
    with_template = compare_submissions(place, template=template)
    without = compare_submissions(place)
    assert reasons(with_template)["idle"] == "has nothing but the template"
    pair = {names(one): one.score for one in without.pairs}
    assert pair["carl", "idle"] == 1.0
    assert with_template.all_pairs == 1
    assert with_template.pairs[0].score < pair["carl", "dora"]
    one_file = compare_submissions(place, template=template / "given.c")
    assert one_file.pairs == with_template.pairs


def test_comments_that_take_code_out_of_a_scan_hide_nothing(folder, tmp_path):
    plain = compare_submissions(folder).pairs
    hiding = f"// codekin: ignore-file\n// codekin: ignore\n{COPY.lstrip()}"
    (folder / "ben.c").write_text(hiding)
    assert compare_submissions(folder).pairs == plain
    (folder / "ben.c").unlink()
    (folder / "ben.zip").write_bytes(zipped({"ben.c": hiding}))
    assert compare_submissions(folder).pairs == plain
    (tmp_path / "starter.c").write_text(hiding)
    found = compare_submissions(folder, template=tmp_path / "starter.c")
    assert "ben" not in [one.name for one in found.students]


def test_what_most_students_have_counts_little(tmp_path):
    common = PROGRAMS["anna"].replace("main", "helper")
    for name, text in PROGRAMS.items():
        (tmp_path / f"{name}.c").write_text(text if name == "anna" else common + text)
    found = compare_submissions(tmp_path)
    scores = {names(one): one.score for one in found.pairs}
    kin = measure("kin", normalise="containment")
    plain = kin.score(
        Source(common + PROGRAMS["dora"], "c"), Source(common + PROGRAMS["emil"], "c")
    )
    assert scores["dora", "emil"] < plain.value - 0.2


def test_languages_are_compared_with_each_other(folder):
    python = """
count = int(input())
t = 0
k = 0
while k < count:
    value = int(input())
    if value % 7 == 3 and t < 1000:
        t += value * 13
    else:
        t -= value / 5
    k += 1
print(t)
"""
    (folder / "pia.py").write_text(python)
    found = compare_submissions(folder)
    with_pia = [names(one) for one in found.pairs if "pia" in names(one)]
    assert {name for pair in with_pia[:2] for name in pair} == {"anna", "ben", "pia"}


def test_languages_without_graphs_are_compared_by_stretches_of_tokens(tmp_path):
    ruby = "n = gets.to_i\nn.times do |i|\n  puts i * 3 if i.even?\nend\n"
    shuffled = "puts gets.to_i\nif 3\nn * i\nend\nn = i.times do |i|\n  i.even?\nend\n"
    texts = {"a": ruby, "b": ruby.replace("i ", "k "), "c": shuffled}
    for name, text in texts.items():
        (tmp_path / f"{name}.rb").write_text(text)
    found = {names(one): one.score for one in compare_submissions(tmp_path).pairs}
    assert found["a", "b"] > found["a", "c"] + 0.2


def test_few_students_are_ranked_without_a_level(tmp_path):
    for name in ("anna", "carl"):
        (tmp_path / f"{name}.c").write_text(PROGRAMS[name])
    (tmp_path / "ben.c").write_text(COPY)
    found = compare_submissions(tmp_path)
    assert names(found.pairs[0]) == ("anna", "ben")
    assert found.pairs[0].unusual is None
    assert not found.suspicious
    assert "too few students" in found.title


def test_a_class_of_equal_programs_is_not_unusual(tmp_path):
    for number in range(6):
        (tmp_path / f"s{number}.c").write_text(COPY)
    found = compare_submissions(tmp_path)
    assert {(one.score, one.unusual) for one in found.pairs} == {(1.0, 0.0)}


def test_every_skipped_file_has_its_reason(folder):
    (folder / "binary.c").write_bytes(b"\0\1\2" * 100)
    (folder / "notes.pdf").write_bytes(b"%PDF")
    (folder / "broken.zip").write_bytes(b"PK\3\4 not really")
    (folder / "old.rar").write_bytes(b"Rar!")
    (folder / "empty.c").write_text(" \n")
    (folder / "long.c").write_text("int x;\n" * 1000)
    (folder / "link.c").symlink_to(folder / "anna.c")
    found = compare_submissions(folder, max_bytes=5_000)
    told = reasons(found)
    assert told["binary.c"].startswith("looks binary")
    assert told["notes.pdf"] == "is not known to be code"
    assert told["broken.zip"].startswith("is not a readable zip file")
    assert told["old.rar"] == "is an archive, but not a zip or tar.gz file; unpack it"
    assert told["empty.c"] == "is empty"
    assert "more than the 5,000" in told["long.c"]
    assert told["link.c"] == "is a link"
    assert found.pairs == compare_submissions(folder, max_bytes=5_000).pairs
    assert "broken.zip" in "\n".join(found.notes())


def test_whatever_was_handed_in_is_named(folder):
    for number in range(30):
        (folder / "anna.zip.d" / str(number)).mkdir(parents=True)
        (folder / "anna.zip.d" / str(number) / "notes.txt").write_text("x")
    for name in ("hill.docx", "ivy", "jones.tar.gz", "kim.7z", "lee.zip", "moe.exe"):
        (folder / name).write_bytes(b"PK\3\4")
    (folder / "nora.c").symlink_to(folder / "anna.c")
    (folder / "otto").symlink_to("/")
    os.mkfifo(folder / "pam.c")
    os.mkfifo(folder / "quin")
    (folder / "README.txt").write_text("Task 3")
    found = compare_submissions(folder)
    notes = "\n".join(found.notes())
    assert absent(found) == {
        **dict.fromkeys(("jones", "kim", "lee", "pam", "quin"), "not readable"),
        **dict.fromkeys(("hill", "ivy", "moe"), "not code"),
        **{"nora": "a link", "otto": "a link", "anna.zip.d": "no code"},
    }
    (left_out,) = [note for note in found.notes() if note.startswith("Left out: ")]
    assert left_out == f"Left out: {folder}/README.txt (is not known to be code)."
    assert f"{folder}/pam.c (is a pipe, a socket or a device)" in notes
    assert "Not compared: anna.zip.d (no code), hill (not code), ivy (not code), jones" in notes
    document, page = json.loads(found.to_json()), found.to_html()
    for name in ("hill.docx", "ivy", "jones.tar.gz", "kim.7z", "lee.zip", "nora.c", "otto", "quin"):
        assert f"{folder}/{name}" in [file["path"] for file in document["left_out"]], name
        assert f'<span class="name">{name}</span>' in page, name


def test_students_who_are_not_compared_are_named(folder, tmp_path):
    template = tmp_path / "starter.c"
    template.write_text("int twice(int b) { return 2 * b; }\n")
    (folder / "garcia.c").write_text(template.read_text())
    (folder / "hill.c").write_text(" \n")
    (folder / "ivy").mkdir()
    (folder / "jones").mkdir()
    (folder / "jones" / "notes.txt").write_text("later")
    (folder / "kim.zip").write_bytes(b"PK\3\4 not really")
    (folder / "README.md").write_text("Task 3")
    (folder / ".git").mkdir()
    (folder / ".git" / "x.c").write_text("int x;")
    found = compare_submissions(folder, template=template)
    assert {one.name: one.reason for one in found.absent} == {
        "garcia": "nothing but the template",
        "hill": "empty",
        "ivy": "empty",
        "jones": "no code",
        "kim": "not readable",
    }
    assert (
        "Not compared: garcia (nothing but the template), hill (empty), ivy (empty), "
        "jones (no code), kim (not readable)."
    ) in found.notes()
    assert "Not compared: garcia (nothing but the template)" in found.to_html()
    assert found.notes()[-2].startswith("Left out: ")
    assert "README.md (is not known to be code); " in found.notes()[-2]
    assert found.notes()[-2].endswith("class/.git (is hidden).")
    assert "notes.txt" not in found.notes()[-2]  # jones is named already
    hidden, key = found.without_names()
    assert "/File1.md (is not known to be code); " in hidden.notes()[-2]
    assert "Student" not in hidden.notes()[-2]
    assert "README" not in key.values()
    assert sorted(key[one.name] for one in hidden.absent) == [one.name for one in found.absent]
    assert "garcia" not in "".join(hidden.notes())


def test_zip_files_are_read_with_care(folder, tmp_path):
    link = zipfile.ZipInfo("link.c")
    link.external_attr = 0o120777 << 16
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("../out.c", "/root.c", "a\\..\\..\\up.c", "C:/drive.c", "good.c"):
            archive.writestr(name, "int main() { return 42; }")
        archive.writestr("bomb.c", "int a;\n" * 1_000_000)
        archive.writestr(link, "/etc/passwd")
        archive.writestr("node_modules/lib.js", "f()")
        nested = zipped({"deep.zip": zipped({"x.c": "int x;"})})
        archive.writestr("one.zip", nested)
    (folder / "mia.zip").write_bytes(data.getvalue())
    before = sorted(path.name for path in tmp_path.rglob("*"))
    found = compare_submissions(folder)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    told = reasons(found)
    for name in ("out.c", "root.c", "drive.c"):
        assert told[name] == "leads out of the archive", name
    assert any(path.endswith("up.c") for path in told)
    assert told["bomb.c"] == "has more than 1,000,000 bytes"
    assert told["link.c"] == "is a link"
    assert told["lib.js"] == "is in a folder named node_modules"
    assert told["deep.zip"] == "is too deep inside of other archives"
    mia = next(one for one in found.students if one.name == "mia")
    assert mia.files == 1


def test_damaged_and_encrypted_zip_files_are_recorded(folder):
    whole = bytearray(zipped({"a.c": PROGRAMS["anna"] * 5}))
    whole[60:80] = b"\xff" * 20
    (folder / "bad.zip").write_bytes(bytes(whole))
    secret = bytearray(zipped({"secret.c": "int x;"}))
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        secret[secret.index(mark) + place] |= 1
    (folder / "locked.zip").write_bytes(bytes(secret))
    told = reasons(compare_submissions(folder))
    assert told["a.c"].startswith("cannot be decompressed")
    assert told["secret.c"] == "is encrypted"


def absent(found) -> dict[str, str]:
    return {student.name: student.reason for student in found.absent}


def test_a_student_with_too_much_code_is_not_compared_and_costs_nobody_else(folder, tmp_path):
    before = compare_submissions(folder).pairs
    nested = zipped({"b.c": "int b;" * 200, "c.c": "int c;" * 200})
    data = zipped({"a.c": "int a;" * 200, "more.zip": nested})
    (folder / "ida.zip").write_bytes(data)
    (folder / "ida.c").write_text("int main() { return 3; }")
    (folder / "joe").mkdir()
    for name in "abc":
        (folder / "joe" / f"{name}.c").write_text("int x;" * 200)
    found = compare_submissions(folder, max_student_bytes=3_000, max_class_bytes=11_000)
    reason = "more than 3,000 bytes of code; see --max-student-bytes"
    assert absent(found) == {"ida": reason, "joe": reason}
    assert found.pairs == before
    assert f"Not compared: ida ({reason}), joe ({reason})." in found.notes()
    assert reasons(found)["ida.zip"] == f"is not compared: {reason}"
    hidden, key = found.without_names()
    assert {key[student.name] for student in hidden.absent} == {"ida", "joe"}
    assert "ida" not in hidden.to_json().replace(str(tmp_path), "")
    whole = tmp_path / "class.zip"
    texts = {f"x/{name}.c": text for name, text in PROGRAMS.items()}
    long = zipped({f"{name}.c": "int x;" * 200 for name in "abc"})
    whole.write_bytes(zipped({**texts, "x/ben.c": COPY, "x/ida.zip": long}))
    found = compare_submissions(whole, max_student_bytes=3_000)
    assert absent(found) == {"ida": reason}
    assert found.pairs == before
    enough = compare_submissions(folder, max_student_bytes=6_000)
    assert absent(enough) == dict.fromkeys(("ida", "joe"), "too little of its own to compare")


def test_students_beyond_the_code_of_a_class_are_not_compared(folder):
    found = compare_submissions(folder, max_class_bytes=5_500)
    reason = "the class has more than 5,500 bytes of code; see --max-class-bytes"
    assert absent(found) == {"fritz": reason, "gerd": reason}
    assert len(found.students) == 5


def test_programs_whose_graphs_take_too_long_are_not_compared(folder, tmp_path, monkeypatch):
    Path(folder, "long.c").write_text("int f(int *a) {" + "*a = a[1];" * 60 + "}")
    monkeypatch.setattr("codekin.scan.submission_features._STUDENT_EDGES", 1_000)
    found = compare_submissions(folder)
    assert absent(found) == {"long": "graphs with more than 1,000 edges"}
    assert {one.name for one in found.students} == set(PROGRAMS) | {"ben"}
    Path(folder, "long.c").unlink()
    assert found.pairs == compare_submissions(folder).pairs
    Path(folder, "long.c").write_text(PROGRAMS["dora"])
    monkeypatch.setattr("codekin.scan.submission_features._CLASS_EDGES", 10)
    with pytest.raises(CodekinError, match="only anna has code"):
        compare_submissions(folder)


def test_the_current_folder_is_a_class_like_any_other(folder, monkeypatch):
    (folder / "kim.zip").write_bytes(b"PK\3\4 not really")
    (folder / "hill.docx").write_bytes(b"PK")
    (folder.parent / "starter").mkdir()
    (folder.parent / "starter" / "read.me").write_text("x")
    (folder.parent / "starter" / "x.c").write_text("int x;")
    before = compare_submissions(folder, template=folder.parent / "starter")
    monkeypatch.chdir(folder)
    for template in (Path("../starter"), folder.parent / "starter"):
        found = compare_submissions(".", template=template)
        assert found.pairs == before.pairs
        assert absent(found) == absent(before) == {"kim": "not readable", "hill": "not code"}
        hidden, key = found.without_names()
        assert "kim" in key.values()
        assert "hill" not in hidden.to_json()


def test_names_in_a_zip_file_are_read_once_and_long_ones_are_cut(folder):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(50):
            archive.writestr("a.c", PROGRAMS["anna"])
        archive.writestr("d/" * 700 + "b.c", PROGRAMS["anna"])
    (folder / "zoe.zip").write_bytes(data.getvalue())
    found = compare_submissions(folder)
    assert reasons(found)["a.c"] == "is in the zip file 50 times"
    assert "has a name of 1,403 characters" in found.notes()[-1]
    assert len(found.notes()[-1]) < 1_000


def test_zip_files_that_lie_about_their_sizes_are_bounded(folder):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m.c", b"int x;\n" * 2_000_000)
        archive.writestr("n.c", PROGRAMS["anna"])
    lying = bytearray(data.getvalue())
    place = lying.index(b"PK\1\2") + 24
    lying[place : place + 4] = (900_000).to_bytes(4, "little")
    (folder / "zoe.zip").write_bytes(bytes(lying))
    tracemalloc.start()
    told = [file for file in compare_submissions(folder).left_out if file.path.endswith("m.c")]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [file.kind for file in told] == ["unreadable"]
    assert peak < 10_000_000


def test_stored_files_are_read_and_unusual_ways_of_packing_are_named(folder):
    before = compare_submissions(folder).pairs
    (folder / "ben.c").unlink()
    for method, name in ((zipfile.ZIP_STORED, "ben"), (zipfile.ZIP_LZMA, "zoe")):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", method) as archive:
            archive.writestr(f"{name}.c", COPY + "\n" * 100_000)
        (folder / f"{name}.zip").write_bytes(data.getvalue())
    found = compare_submissions(folder)
    assert found.pairs == before
    assert reasons(found)["zoe.c"].startswith("is compressed in an unusual way; unpack the zip")
    assert absent(found) == {"zoe": "not readable"}


def test_many_files_in_zip_files_are_bounded(folder, monkeypatch):
    monkeypatch.setattr("codekin.scan.submission_files._STUDENT_ENTRIES", 30)
    few = zipped({f"{number}.txt": "" for number in range(12)})
    many = zipped({f"{number}.txt": "" for number in range(31)})
    (folder / "ida.zip").write_bytes(zipped({f"{number}.zip": few for number in range(3)}))
    (folder / "jim.zip").write_bytes(many)
    found = compare_submissions(folder)
    assert absent(found) == {
        "ida": "too many files in zip files; unpack them",
        "jim": "not readable",
    }
    assert reasons(found)["jim.zip"].endswith("it has 31 files, more than 30")
    monkeypatch.setattr("codekin.scan.submission_files._STUDENT_ARCHIVES", 2 * len(few))
    assert absent(compare_submissions(folder))["ida"].startswith("too large zip files")


def test_small_files_count_as_a_thousand_bytes(folder):
    cells = [{"cell_type": "code", "source": "x = 1"} for _ in range(30)]
    (folder / "ida.ipynb").write_text(json.dumps({"cells": cells}))
    (folder / "jim.zip").write_bytes(zipped({f"{number}.c": "int x;" for number in range(30)}))
    found = compare_submissions(folder, max_student_bytes=20_000)
    assert absent(found).keys() == {"ida", "jim"}
    assert absent(compare_submissions(folder)) == {"jim": "too little of its own to compare"}


def test_a_template_is_bounded_as_well(folder, tmp_path):
    template = tmp_path / "template.zip"
    template.write_bytes(zipped({f"{number}.c": "int x;" * 200 for number in range(3)}))
    with pytest.raises(CodekinError, match="the template is not read: more than 3,000 bytes"):
        compare_submissions(folder, template=template, max_student_bytes=3_000)
    os.mkfifo(tmp_path / "pipe.c")
    with pytest.raises(CodekinError, match="is a pipe"):
        compare_submissions(folder, template=tmp_path / "pipe.c")
    (tmp_path / "link.zip").symlink_to(template)
    compare_submissions(folder, template=tmp_path / "link.zip")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10**4), st.integers(0, 255)), min_size=1, max_size=9))
def test_no_damage_of_a_zip_file_is_an_error(folder, changes):
    data = bytearray(
        zipped({"a.c": PROGRAMS["anna"], "b/c.c": COPY, "d.zip": zipped({"e.c": "x"})})
    )
    for place, value in changes:
        data[place % len(data)] = value
    (folder / "odd.zip").write_bytes(bytes(data))
    assert len(compare_submissions(folder).students) >= 7


def test_bad_input_has_clear_errors(tmp_path):
    with pytest.raises(CodekinError, match="no such file or folder"):
        compare_submissions(tmp_path / "nowhere")
    with pytest.raises(CodekinError, match=r"no student has code.*one file, folder or archive"):
        compare_submissions(tmp_path)
    (tmp_path / "anna.c").write_text(COPY)
    (tmp_path / "bad.c").write_bytes(b"\0\0")
    with pytest.raises(CodekinError, match=r"only anna has code.*bad.c looks binary"):
        compare_submissions(tmp_path)
    with pytest.raises(CodekinError, match="neither a folder nor a zip or tar file"):
        compare_submissions(tmp_path / "anna.c")
    (tmp_path / "ben.c").write_text(COPY)
    with pytest.raises(CodekinError, match="the template cannot be read"):
        compare_submissions(tmp_path, template=tmp_path / "bad.c")
    with pytest.raises(CodekinError, match="the limit of suspicion must be positive, not 0"):
        compare_submissions(tmp_path, level=0)


def test_odd_names_and_broken_code_are_no_trouble(tmp_path):
    for number, text in enumerate(["}{((", "int main( {", "é = ;", "#if 1", "x", "int a;"]):
        (tmp_path / f"=weird\n{number}.c").write_text(text)
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")  # noqa: PTH102, not a text
    (tmp_path / "\udcff" / "m.c").write_text(COPY)
    found = compare_submissions(tmp_path)
    assert len(found.students) + len(found.absent) == 7
    assert len(found.unparsed) >= 3
    (note,) = [one for one in found.notes() if "places that do not parse" in one]
    assert note.startswith(f"{len(found.unparsed)} files have")
    hidden, _ = found.without_names()
    assert "weird" not in "".join(hidden.unparsed)
    found.to_json(tmp_path / "out.json")
    found.to_csv(tmp_path / "out.csv")
    assert "'=weird" in (tmp_path / "out.csv").read_text()


def dated_zip(files: dict[str, tuple[str, tuple[int, ...]]]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, (content, date) in files.items():
            archive.writestr(zipfile.ZipInfo(name, date), content)
    return data.getvalue()


def dates_of(found) -> dict[str, tuple[str, ...]]:
    return {one.name: one.dates for one in found.students}


def test_dates_come_from_zip_files(folder):
    (folder / "anna.c").unlink()
    (folder / "ben.c").unlink()
    first = {
        "a.c": (PROGRAMS["anna"], (2026, 5, 4, 16, 30, 0)),
        "notes.txt": ("x", (2027, 1, 1, 0, 0, 0)),
        "b.h": ("int f();", (2026, 5, 3, 9, 0, 0)),
    }
    (folder / "anna.zip").write_bytes(dated_zip(first))
    (folder / "ben.zip").write_bytes(dated_zip({"x.c": (COPY, (2026, 5, 4, 15, 0, 0))}))
    (folder / "zoe.zip").write_bytes(dated_zip({"x.c": (PROGRAMS["gerd"], (1980, 1, 1, 0, 0, 0))}))
    found = compare_submissions(folder)
    assert found.dates == "zip"
    dates = dates_of(found)
    assert dates["anna"] == ("2026-05-04 16:30:00",)
    assert dates["ben"] == ("2026-05-04 15:00:00",)
    assert dates["carl"] == dates["zoe"] == ()
    group = next(one for one in found.groups if "anna" in one.members)
    assert group.earliest == "ben"
    assert "need not be the author" in str(found)


def test_the_times_of_files_are_no_dates(folder):
    for place, path in enumerate(sorted(folder.iterdir())):
        os.utime(path, (1_700_000_000 + place, 1_700_000_000 + place))
    assert compare_submissions(folder).dates == ""


def test_one_date_for_all_is_none(tmp_path):
    whole = tmp_path / "all.zip"
    texts = {f"{name}.c": (text, (2026, 5, 4, 1, 2, 4)) for name, text in PROGRAMS.items()}
    whole.write_bytes(dated_zip(texts))
    found = compare_submissions(whole)
    assert found.dates == ""
    assert set(dates_of(found).values()) == {()}


def test_dates_can_be_given(folder, tmp_path):
    table = tmp_path / "dates.csv"
    table.write_text(
        "\ufeffgroup;Student;Date\n1;anna;2026-05-04 16:30\n1;anna;2026-05-01\n"
        "2;ben;2026-05-04T09:00+02:00\n3;nobody;2026-01-01\n4;;\n"
    )
    found = compare_submissions(folder, dates=table)
    assert found.dates == "given"
    assert dates_of(found)["anna"] == ("2026-05-01 00:00:00", "2026-05-04 16:30:00")
    assert dates_of(found)["ben"] == ("2026-05-04 07:00:00",)
    assert found.groups[0].earliest == "anna"
    assert "Dates of unknown students are ignored: nobody." in found.notes()
    given = compare_submissions(folder, dates={"anna": "2026-05-04", "ben": "2026-05-04"})
    assert given.groups[0].earliest is None
    for text, problem in (
        ("student,date\nanna,4 May\n", "line 2: '4 May' is not a date"),
        ("who,when\na,b\n", "must name the columns student and date"),
        ("student,date\nAnna B.,2026-05-04\n", "has no date of a student of this class"),
        ("student,date\na,0001-01-01T00:00+14:00\n", "line 2: '0001-01-01T00.* is not a date"),
        ("student,date\na,9999-12-31T23:59-12:00\n", "line 2: .* is not a date"),
        ("student,date\n" + "a" * 200_000 + ",2026-01-01\n", "line 2: is not CSV: field larger"),
        ("student,date\na," + "x" * 100_000 + "\n", "line 2: 'x{50}…' is not a date"),
    ):
        table.write_text(text)
        with pytest.raises(CodekinError, match=problem):
            compare_submissions(folder, dates=table)
    with pytest.raises(CodekinError, match=r"missing\.csv: no such file"):
        compare_submissions(folder, dates=tmp_path / "missing.csv")


def test_dates_that_are_missing_or_misspelled_are_named(folder):
    found = compare_submissions(
        folder, dates={"anna": "2026-05-04", "carl": "2026-05-02", "dorra": "2026-05-03"}
    )
    assert found.unknown_dates == ("dorra",)
    assert found.date_notes() == [
        "Dates of unknown students are ignored: dorra (did you mean 'dora'?).",
        "Without a date: ben, and 4 students in no group. "
        "Who handed in first in their groups is unknown.",
    ]
    known = {"anna": "2026-05-04", "ben": "2026-05-02"}
    assert compare_submissions(folder, dates=known).date_notes() == []
    assert found.groups[0].earliest is None
    page = found.to_html()
    assert "dorra (did you mean" in page
    assert "Without a date: ben, and 4 students" in page
    hidden, _ = found.without_names()
    assert hidden.date_notes()[0] == "Dates of unknown students are ignored."


def test_the_distribution_has_every_pair_and_the_limit_between_bins(folder):
    for level in (5.0, 0.3, 40.0):
        found = compare_submissions(folder, level=level)
        bins = found.distribution
        assert sum(bins.counts) == found.all_pairs
        place = (level - bins.start) / bins.width
        assert place == pytest.approx(round(place))
        assert sum(bins.counts[round(place) :]) == len(found.suspicious)
    for path in sorted(folder.iterdir())[4:]:
        path.unlink()
    assert compare_submissions(folder).distribution is None


def tarred(files: dict[str, str | bytes], mode: str = "w:gz", **links: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            data_of = content.encode() if isinstance(content, str) else content
            member.size = len(data_of)
            archive.addfile(member, io.BytesIO(data_of))
        for name, target in links.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return data.getvalue()


def test_tar_files_are_read_like_zip_files(folder, tmp_path):
    plain = compare_submissions(folder)
    (folder / "ben.c").unlink()
    (folder / "ben.tar.gz").write_bytes(tarred({"./src/x.c": COPY}))
    (folder / "anna.c").unlink()
    (folder / "anna.zip").write_bytes(zipped({"a.tar": tarred({"m.c": PROGRAMS["anna"]}, "w")}))
    assert compare_submissions(folder).pairs == plain.pairs
    whole = tmp_path / "all.tgz"
    whole.write_bytes(
        tarred({f"hw/{name}.c": text for name, text in {**PROGRAMS, "ben": COPY}.items()})
    )
    assert compare_submissions(whole).pairs == plain.pairs
    template = tmp_path / "starter.tar.gz"
    template.write_bytes(tarred({"x.c": PROGRAMS["anna"]}))
    found = compare_submissions(whole, template=template)
    assert absent(found)["anna"] == "nothing but the template"


def test_tar_files_are_read_with_care(folder):
    plain = compare_submissions(folder).pairs
    odd = {"../up.c": "int a;", "/root.c": "int b;", "d.c": b"\0\1"}
    (folder / "ida.tar.gz").write_bytes(tarred(odd, link="/etc/passwd"))
    (folder / "jim.tgz").write_bytes(tarred({"a.c": COPY})[:-40])
    (folder / "kim.tar").write_bytes(b"not a tar file")
    (folder / "lea.tar.gz").write_bytes(tarred({"a.bin": bytes(150_000_000)}))
    found = compare_submissions(folder)
    assert found.pairs == plain
    assert absent(found) == dict.fromkeys(("ida", "jim", "kim", "lea"), "not readable")
    told = reasons(found)
    assert told["up.c"] == told["root.c"] == "leads out of the archive"
    assert told["jim.tgz"].endswith("it ends too early")
    assert "100,000,000 bytes" in told["lea.tar.gz"]


def test_several_folders_templates_and_files_of_dates_count(folder, tmp_path):
    starter, lecture = PROGRAMS["carl"], PROGRAMS["dora"].replace("main", "shown")
    for name, text in {**PROGRAMS, "ben": COPY}.items():
        (folder / f"{name}.c").write_text(text + starter.replace("main", "given") + lecture)
    (tmp_path / "starter.c").write_text(starter.replace("main", "given"))
    (tmp_path / "lecture").mkdir()
    (tmp_path / "lecture" / "d.c").write_text(lecture)
    both = tmp_path / "both"
    both.mkdir()
    (both / "s.c").write_text(starter.replace("main", "given"))
    (both / "d.c").write_text(lecture)
    templates = [tmp_path / "starter.c", tmp_path / "lecture"]
    together = compare_submissions(folder, template=both)
    assert compare_submissions(folder, template=templates).pairs == together.pairs
    assert compare_submissions(folder, template=templates[::-1]).pairs == together.pairs
    assert compare_submissions(folder, template=templates[0]).pairs != together.pairs
    (tmp_path / "one.csv").write_text("student,date\nanna,2026-05-01\n")
    (tmp_path / "two.csv").write_text("student,date\nben,2026-05-02\nanna,2026-04-30\n")
    dated = compare_submissions(folder, dates=[tmp_path / "one.csv", tmp_path / "two.csv"])
    dates = {student.name: student.dates for student in dated.students}
    assert dates["anna"] == ("2026-04-30 00:00:00", "2026-05-01 00:00:00")
    assert dates["ben"] == ("2026-05-02 00:00:00",)
    with pytest.raises(CodekinError, match="is given twice as template"):
        compare_submissions(folder, template=[both, both])


def test_sections_of_a_class_are_one_class(folder, tmp_path):
    plain = compare_submissions(folder)
    sections = [tmp_path / "monday", tmp_path / "friday"]
    for place in sections:
        place.mkdir()
    for number, path in enumerate(sorted(folder.iterdir())):
        path.rename(sections[number % 2] / path.name)
    found = compare_submissions(sections)
    assert found.pairs == plain.pairs
    assert found.in_several == ()
    evidence = found.evidence("anna", "ben")
    assert {evidence.first_code[0].name, evidence.second_code[0].name} == {
        "monday/anna.c",
        "friday/ben.c",
    }
    (sections[1] / "anna.c").write_text("int twice(int b) { return 2 * b; }")
    found = compare_submissions(sections)
    assert found.in_several == ("anna",)
    assert "In several of the folders, and one student each: anna." in found.notes()
    assert next(student for student in found.students if student.name == "anna").files == 2
    hidden, key = found.without_names()
    assert [key[name] for name in hidden.in_several] == ["anna"]


def common_program(name: str) -> str:
    return PROGRAMS["fritz"].replace("main", "given") + PROGRAMS[name]


def test_who_hands_in_the_starter_code_accuses_nobody(tmp_path):
    """With and without the template, and with a little added to it."""
    place, starter = tmp_path / "class", PROGRAMS["fritz"].replace("main", "given")
    place.mkdir()
    for name in PROGRAMS.keys() - {"fritz"}:
        (place / f"{name}.c").write_text(common_program(name))
        (place / f"{name}2.c").write_text(common_program(name).replace("7", "9") + "int x = 11;")
    before = compare_submissions(place)
    (place / "idle.c").write_text(starter)
    (place / "late.c").write_text(f"{starter}\nint main() {{ return 0; }}\n")
    (tmp_path / "starter.c").write_text(starter)
    for template in (None, tmp_path / "starter.c"):
        found = compare_submissions(place, template=template)
        assert absent(found).keys() == {"idle", "late"}
        assert absent(found)["late"] == "too little of its own to compare"
        assert not {"idle", "late"} & {name for pair in found.pairs for name in names(pair)}
    assert {names(pair) for pair in found.pairs[:5]} == {names(pair) for pair in before.pairs[:5]}
    assert "late (too little of its own to compare)" in "\n".join(found.notes())
    with pytest.raises(CodekinError, match="late was not compared: too little of its own"):
        found.evidence("late", "anna")


def exercises(place: Path) -> None:
    """Six students with five exercises each, of which no two are alike."""
    operators = ["+ 3 *", "- 5 /", "% 7 +", "* 2 -", "<< 1 |", "^ 9 &"]
    for number, operator in enumerate(operators):
        (place / f"s{number}").mkdir(parents=True)
        for exercise, name in enumerate(sorted(PROGRAMS)[:5]):
            body = "".join(
                f"    if (x > {17 * number + step}) x = x {operator} {step + number};\n"
                for step in range(1, 3 + (number * exercise) % 5)
            )
            text = PROGRAMS[name] + f"int own(int x) {{\n{body}    return x;\n}}\n"
            (place / f"s{number}" / f"{name}.c").write_text(text)


def test_a_copy_of_one_exercise_is_found_and_named(tmp_path):
    exercises(tmp_path / "class")
    copied = PROGRAMS["gerd"].replace("mid", "m").replace("f(", "square(") + COPY
    for student, text in (("s1", copied), ("s4", copied.replace("square", "quad"))):
        (tmp_path / "class" / student / "dora.c").write_text(text)
    found = compare_submissions(tmp_path / "class")
    top = found.pairs[0]
    assert names(top) == ("s1", "s4")
    assert top.suspicious
    assert (top.first_file, top.second_file) == ("s1/dora.c", "s4/dora.c")
    assert top.file_score > 0.7 > top.score
    assert top.files == f"dora.c {top.file_score:.2f}"
    assert "most alike files" in str(found)
    hidden, key = found.without_names()
    files = (hidden.pairs[0].first_file, hidden.pairs[0].second_file)
    assert files == tuple(f"{name.replace(' ', '')}/dora.c" for name in names(hidden.pairs[0]))
    assert {key[name] for name in names(hidden.pairs[0])} == {"s1", "s4"}


def test_a_class_with_one_file_each_is_not_compared_by_file(folder):
    found = compare_submissions(folder)
    assert not found.by_file
    assert {pair.file_score for pair in found.pairs} == {None}
    assert "most alike files" not in str(found)


def test_too_many_files_are_said(folder, monkeypatch):
    (folder / "hans").mkdir()
    for name in ("a", "b"):
        (folder / "hans" / f"{name}.c").write_text(PROGRAMS["gerd"].replace("mid", name))
    assert compare_submissions(folder).by_file
    monkeypatch.setattr("codekin.scan.submissions.MOST_FILES", 8)
    found = compare_submissions(folder)
    assert not found.by_file
    assert "The class has 9 files; more than 8 are not compared file by file" in str(found)


def test_old_submissions_are_compared_with_the_class_alone(folder, tmp_path):
    plain = compare_submissions(folder)
    year = tmp_path / "hw-2025"
    year.mkdir()
    old = COPY.replace("13", "11").replace("k", "place")
    (year / "anna.c").write_text(old)
    (year / "zoe.c").write_text(old)
    (year / "yan.c").write_text(old + "int more = 4;")
    found = compare_submissions(folder, old=year)
    assert found.students == plain.students
    assert [student.name for student in found.old] == ["hw-2025/anna", "hw-2025/yan", "hw-2025/zoe"]
    assert found.all_pairs == plain.all_pairs + 7 * 3
    of_class = [pair for pair in found.pairs if "/" not in pair.second]
    assert [(names(pair), pair.score, pair.unusual) for pair in of_class] == [
        (names(pair), pair.score, pair.unusual) for pair in plain.pairs
    ]
    assert not [pair for pair in found.pairs if "/" in pair.first]
    assert ("anna", "hw-2025/zoe") in [names(pair) for pair in found.suspicious]
    assert found.evidence("hw-2025/zoe", "ben").regions
    assert "Old submissions: 3" in "\n".join(found.notes())
    hidden, key = found.without_names()
    labels = {student.name for student in hidden.old}
    assert {key[label] for label in labels} == {student.name for student in found.old}
    assert all(label.startswith("Old ") for label in labels)
    assert "zoe" not in hidden.to_html()
    dated = compare_submissions(folder, old=year, dates={"anna": "2026-05-01", "ben": "2026-05-02"})
    assert "no date" in dated.to_html()  # of old submissions in a group
    assert {group.earliest for group in dated.groups} == {None}
    with pytest.raises(CodekinError, match="is given twice as submissions and old"):
        compare_submissions(folder, old=folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(CodekinError, match="has no old submissions with code"):
        compare_submissions(folder, old=tmp_path / "empty")


def test_starter_code_in_a_file_of_its_own_makes_no_pair_suspicious(folder, tmp_path):
    for path in list(folder.iterdir()):
        text = path.read_text()
        path.unlink()
        (folder / path.stem).mkdir()
        (folder / path.stem / "main.c").write_text(text)
        (folder / path.stem / "given.c").write_text(PROGRAMS["fritz"].replace("main", "given"))
    found = compare_submissions(folder)
    assert [names(pair) for pair in found.suspicious] == [("anna", "ben")]
    assert not found.by_file  # nobody has two files of their own


def test_a_group_says_what_code_it_shares(folder):
    (folder / "zoe.c").write_text(COPY.replace("value", "z"))
    group = compare_submissions(folder, level=3).groups[0]
    assert group.members == ("anna", "ben", "zoe")
    shared = group.shared
    assert shared is not None
    assert shared.students == 3
    assert shared.lines == 3  # most others have the loop and what it reads
    assert {lines.file for lines in shared.places} == {f"{shared.student}.c"}
    assert group.shares.startswith("3 lines that few others have, in 3 of 3: ben.c:9-13")


def test_what_long_programs_share_is_not_looked_for(folder, monkeypatch):
    assert compare_submissions(folder).groups[0].shared is not None
    monkeypatch.setattr("codekin.scan.submissions._MOST_SHARED", 500)
    (group,) = compare_submissions(folder).groups
    assert group.shared is None
    assert not group.shares


def test_a_case_has_two_students_and_no_other(folder):
    found = compare_submissions(folder)
    case = found.case("ben", "anna")
    assert case.pairs == found.pairs[:1]
    assert [student.name for student in case.students] == ["anna", "ben"]
    page = case.to_html()
    assert "anna" in page
    for name in ("carl", "dora", "emil", "fritz", "gerd"):
        assert name not in page
        assert name not in case.to_json()


def test_decomposed_names_are_the_same_names(folder):
    (folder / "Mu\u0308ller").mkdir()
    (folder / "Mu\u0308ller" / "m.c").write_text(COPY)
    archive = zipped({"Jose\u0301.c": PROGRAMS["gerd"]})
    (folder / "Jose\u0301.zip").write_bytes(archive)
    found = compare_submissions(folder, dates={"Mu\u0308ller": "2026-05-01", "anna": "2026-05-02"})
    assert {"M\u00fcller", "Jos\u00e9"} <= {student.name for student in found.students}
    assert found.unknown_dates == ()
    assert found.evidence("Mu\u0308ller", "anna").regions
    assert found.evidence("M\u00fcller", "anna").regions


def test_a_folder_that_is_too_high_or_too_low_is_said(folder, tmp_path):
    high = tmp_path / "sections"
    for section in ("a", "b", "c"):
        (high / section).mkdir(parents=True)
        for name, text in PROGRAMS.items():
            (high / section / f"{section}-{name}.c").write_text(text.replace("n", section))
    (doubt,) = compare_submissions(high).doubts
    assert "have 6 folders or files each" in doubt
    assert "one folder too high" in doubt
    assert doubt in str(compare_submissions(high))
    with pytest.raises(CodekinError, match=rf"All code is in {tmp_path}/top/class; if that is"):
        (tmp_path / "top").mkdir()
        folder.rename(tmp_path / "top" / "class")
        compare_submissions(tmp_path / "top")
    low = tmp_path / "low"
    low.mkdir()
    for name, text in zip(("main", "util", "ex3"), PROGRAMS.values(), strict=False):
        (low / f"{name}.c").write_text(text)
    (doubt,) = compare_submissions(low).doubts
    assert "are called as files are (main, util" in doubt or "(ex3, main" in doubt
    plain = tmp_path / "top" / "class"
    assert compare_submissions(plain).doubts == ()
    exercises(tmp_path / "exercises")
    assert compare_submissions(tmp_path / "exercises").doubts == ()
