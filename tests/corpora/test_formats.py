"""Readers of data sets: what they read, and what they say of damaged ones."""

from __future__ import annotations

import csv
import json
import lzma
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin import CodekinError
from codekin.corpora import reading
from codekin.corpora.description import describe_corpus
from codekin.corpora.reading import corpus_formats, read_corpus
from codekin.corpora.snippets import EXAMPLE, TAGGED_FALSE, TAGGED_TRUE, Role
from codekin.runs.rows import open_rows

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, and names of bytes")

ADD = "int add(int a, int b) { return a + b; }"
SUB = "int sub(int a, int b) { return a - b; }"
MUL = "int mul(int a, int b) { return a * b; }"


def lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def text(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def form(corpus) -> str:
    return corpus.steps[0].parameters["form"]


def labels(corpus) -> list[tuple[str, str, int]]:
    pairs = corpus.pairs
    ends = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.label.tolist(), strict=True)
    return [(corpus.snippets[i].id, corpus.snippets[j].id, label) for i, j, label in ends]


def refuses(path: Path, *words: str, **options: object) -> str:
    """The error of reading a path, which has to have some words."""
    with pytest.raises(CodekinError) as caught:
        read_corpus(path, **options)
    message = str(caught.value)
    for word in words:
        assert word in message
    return message


# codekin's own rows


def rows(folder: Path) -> Path:
    lines(
        folder / "snippets.jsonl",
        {"id": 1, "language": "java", "code": ADD, "functionality": 7, "role": "example"},
        {"id": 2, "language": "java", "code": SUB, "functionality": 7, "confirmed": True},
        {"id": "3", "language": "java", "code": MUL, "functionality": 7, "confirmed": False,
         "source": "default", "file": "A.java", "project": "p"},
    )  # fmt: skip
    text(folder / "pairs.csv", "id1,id2,label\n1,2,1\n1,3,0\n2,3,\n")
    lines(folder / "files.jsonl", {"source": "default", "file": "A.java", "text": f"class A {MUL}"})
    return folder


def test_rows(tmp_path):
    found = read_corpus(rows(tmp_path / "set"))
    assert form(found) == "rows"
    assert found.name == "set"
    assert [one.roles[0].kind for one in found.snippets] == [EXAMPLE, TAGGED_TRUE, TAGGED_FALSE]
    assert found.snippets[2].file == "default/A.java"
    assert list(found.files) == ["default/A.java"]
    assert labels(found) == [("1", "2", 1), ("1", "3", 0), ("2", "3", -1)]


def test_rows_of_several_files_of_pairs_are_joined(tmp_path):
    folder = rows(tmp_path)
    lines(folder / "pairs.jsonl", {"id1": 3, "id2": 2.0, "label": True})
    assert labels(read_corpus(folder))[3:] == [("3", "2", 1)]


def test_a_table_that_becomes_a_link_while_a_folder_is_read_is_refused(tmp_path, monkeypatch):
    folder = rows(tmp_path)

    def opened(what, **options):
        what.rename(tmp_path / "elsewhere")
        what.symlink_to(tmp_path / "elsewhere")
        return open_rows(what, **options)

    monkeypatch.setattr(reading, "open_rows", opened)
    assert "is a link" in refuses(folder)


def test_snippets_tagged_false_join_those_of_the_same_id(tmp_path):
    folder = rows(tmp_path)
    row = {"id": 2, "language": "java", "code": SUB, "functionality": 8, "role": "tagged_false"}
    lines(folder / "tagged_false.jsonl", row, {**row, "id": 9})
    found = read_corpus(folder)
    assert found.snippets[1].roles == (Role("7", TAGGED_TRUE), Role("8", TAGGED_FALSE))
    assert len(found) == 4


def test_repeated_rows_are_noted_and_joined_roles_are_not(tmp_path):
    row = {"id": "1", "language": "c", "code": "x;", "functionality": "2"}
    other = {**row, "id": "3"}
    path = lines(tmp_path / "some.jsonl", row, {**row, "functionality": "4"}, row, other)
    corpus = read_corpus(path)
    assert [(one.id, len(one.roles)) for one in corpus.snippets] == [("1", 2), ("3", 1)]
    assert corpus.steps[0].notes == ("1 repeated row was left out: 1",)
    assert "read: 1 repeated row was left out: 1" in describe_corpus(corpus).notes()
    path = lines(tmp_path / "more.jsonl", row, row, row, other, other)
    assert read_corpus(path).steps[0].notes == ("3 repeated rows were left out: 1, 3",)


def test_contradictions_are_noted(tmp_path):
    row = {"id": 2, "language": "java", "code": SUB, "functionality": 7}
    path = tmp_path / "some.jsonl"
    lines(path, {**row, "role": "tagged_true"}, {**row, "role": "tagged_false"})
    assert "1 snippet tagged both" in read_corpus(path).steps[0].notes[0]


def test_whole_files_in_a_folder(tmp_path):
    text(tmp_path / "sources/A.java", f"class A {{ {ADD} }}")
    row = {"id": 1, "language": "java", "code": ADD, "file": "A.java"}
    path = lines(tmp_path / "some.jsonl", row, {**row, "id": 2, "file": "../some.jsonl"})
    found = read_corpus(path, files=tmp_path / "sources")
    assert list(found.files) == ["A.java"]
    refuses(path, "no such file or folder", files=tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"code": None}, "a snippet without code (some.jsonl, row 2)"),
        ({"code": 5}, "code must be a text, not"),
        ({"language": None}, "a snippet without a language"),
        ({"language": "jav"}, "unknown language 'jav'"),
        ({"role": "sample"}, "unknown role 'sample' (known: example, tagged_true, tagged_false)"),
        ({"confirmed": "yes"}, "confirmed must be true or false"),
        ({"id": [1]}, "id must be a text"),
        ({"code": SUB}, "the same id with other code (1)"),
    ],
)
def test_wrong_rows(tmp_path, wrong, words):
    row = {"id": 1, "language": "java", "code": ADD, "functionality": 7}
    refuses(lines(tmp_path / "some.jsonl", row, {**row, **wrong}), words)


def test_problems_are_counted_with_their_first_cases(tmp_path):
    whole = {"id": 9, "language": "java", "code": "int x;"}
    path = lines(tmp_path / "some.jsonl", *({"id": i, "language": "java"} for i in range(5)), whole)
    cases = "some.jsonl, row 1, some.jsonl, row 2, some.jsonl, row 3"
    refuses(path, f"a snippet without code (5 times, first {cases})")


def test_rows_that_are_not_json_say_where(tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text('{"id": "1", "language": "c", "code": "x;"}\n{"id": \n')
    with pytest.raises(CodekinError) as error:
        read_corpus(path)
    assert str(error.value) == f"{path}: not JSON from column 8 on (line 2)"


def test_files_without_the_columns_of_snippets(tmp_path):
    path = lines(tmp_path / "some.jsonl", *({"id": i, "language": "java"} for i in range(5)))
    refuses(path, "has no column code in 5 rows, but id, language")
    refuses(
        text(tmp_path / "some.csv", "name,text\na,b\n"),
        "has no column code in 1 row, but name, text",
    )


def test_unknown_sides(tmp_path):
    row = {"language": "java", "code": "int x;"}
    sides = ("train", "held", "valid", "test")
    path = lines(tmp_path / "some.jsonl", *({"id": s, "side": s, **row} for s in sides))
    refuses(path, "unknown side 'held' (known: train, validation, test) (some.jsonl, row 2)")
    folder = rows(tmp_path / "more")
    text(folder / "pairs.csv", "id1,id2,label,side\n1,2,1,train\n1,2,1,held\n")
    refuses(folder, "unknown side 'held' (known: train, validation, test) (row 2)")


def test_pairs_of_unknown_snippets(tmp_path):
    folder = rows(tmp_path)
    text(folder / "pairs.csv", "id1,id2,label\n1,8,1\n9,8,1\n1,2,1\n")
    refuses(folder, "a pair names a snippet that is not there (3 times, first 8, 9, 8)")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("first,second,label\n1,2,1\n", "has no column id1 and id2"),
        ("id1,label\n1,1\n", "has no column id2"),
        ("id1,id2,label\n", "has no pairs; write rows with id1, id2 and label"),
        (
            "id1,id2,label\n1,2,maybe\n",
            "neither a whole number nor true, false, yes or no (row 1: 'maybe')",
        ),
        ("id1,id2,label\n1,2,-3\n", "neither a whole number nor true, false, yes or no"),
        ("id1,id2,label\n1,,1\n", "a pair"),
    ],
)
def test_wrong_pairs(tmp_path, content, words):
    folder = rows(tmp_path)
    path = text(folder / "pairs.csv", content)
    refuses(folder, words)
    path.rename(folder / "others.csv")
    refuses(folder, words, pairs=folder / "others.csv")


def test_whole_files_with_two_texts(tmp_path):
    folder = rows(tmp_path)
    row = {"file": "A.java", "text": "class A { }"}
    lines(folder / "files.jsonl", row, row, {**row, "text": "class B { }"}, {"file": 3})
    message = refuses(folder, "the same file with another text (A.java)")
    assert "a whole file without its name or text (files.jsonl, row 4)" in message


def test_truncated_and_damaged_files(tmp_path):
    whole = lzma.compress(b"".join(json.dumps({"id": i, "language": "c", "code": "x" * i}).encode()
                                   + b"\n" for i in range(400)))  # fmt: skip
    path = tmp_path / "snippets.jsonl.xz"
    path.write_bytes(whole[: len(whole) // 2])
    refuses(path, "snippets.jsonl.xz")
    path.write_bytes(whole[:20] + b"?????" + whole[25:])
    refuses(path, "snippets.jsonl.xz")
    path.write_bytes(b"not compressed at all")
    refuses(path, "snippets.jsonl.xz")
    broken = text(tmp_path / "some.jsonl", '{"id": 1,\n{"id": 2}\n[3]\n')
    refuses(broken, "some.jsonl")
    table = tmp_path / "some.parquet"
    table.write_bytes(b"PAR1 and then nothing")
    refuses(table, "some.parquet")


# BigCloneBench as CodeXGLUE has it


def codexglue(folder: Path) -> Path:
    lines(folder / "data.jsonl", {"idx": "11", "func": ADD}, {"idx": "12", "func": SUB})
    text(folder / "train.txt", "11\t12\t1\n\n")
    text(folder / "valid.txt", "12\t11\t0\n")
    text(folder / "test.txt", "11 11 1\n")
    return folder


def test_codexglue(tmp_path):
    found = read_corpus(codexglue(tmp_path))
    assert form(found) == "codexglue"
    assert labels(found) == [("11", "12", 1), ("12", "11", 0), ("11", "11", 1)]
    assert labels_of_side(found, "validation") == [("12", "11", 0)]
    assert {one.language for one in found.snippets} == {"java"}


def test_codexglue_in_the_folder_of_its_task(tmp_path):
    (tmp_path / "dataset").mkdir()
    (tmp_path / "evaluator").mkdir()
    codexglue(tmp_path / "dataset")
    found = read_corpus(tmp_path)
    assert form(found) == "codexglue" and len(found.pairs) == 3


def labels_of_side(corpus, side: str) -> list[tuple[str, str, int]]:
    codes, names = corpus.pairs.side
    return [one for one, code in zip(labels(corpus), codes, strict=True) if names[code] == side]


def test_wrong_codexglue(tmp_path):
    folder = codexglue(tmp_path)
    text(folder / "valid.txt", "11\t99\t1\n11\t12\n")
    message = refuses(folder, "a pair names a snippet that is not there (99)")
    assert "a line without two ids and a label (valid.txt, line 2)" in message
    lines(folder / "data.jsonl", {"idx": "11", "func": ADD}, {"idx": "11", "func": SUB})
    refuses(folder, "the same id with other code (11)")
    lines(folder / "data.jsonl", {"idx": "11", "func": ADD}, {"idx": "12", "code": SUB})
    refuses(folder, "a snippet without code (data.jsonl, line 2)")
    (folder / "data.jsonl").unlink()
    refuses(folder, "data.jsonl", form="codexglue")


# BigCloneBench as ASTNN has it


def astnn(folder: Path) -> Path:
    text(folder / "bcb_funcs_all.tsv", f'11\t"{ADD}\n"\n12\t{SUB}\n')
    text(folder / "bcb_pair_ids.csv", "id1,id2,label\n11,12,3\n12,11,0\n")
    return folder


def test_astnn(tmp_path):
    limit = csv.field_size_limit()
    found = read_corpus(astnn(tmp_path))
    assert csv.field_size_limit() == limit
    assert form(found) == "astnn"
    assert found.snippets[0].code == f"{ADD}\n"
    assert labels(found) == [("11", "12", 1), ("12", "11", 0)]
    codes, names = found.pairs.type
    assert [names[i] if i >= 0 else None for i in codes] == ["ST3", None]


def test_wrong_astnn(tmp_path):
    folder = astnn(tmp_path)
    text(folder / "bcb_pair_ids.csv", "id1,id2,label\n11,12,1\n11,77,1\n")
    refuses(folder, "a pair names a snippet that is not there (77)")
    text(folder / "bcb_pair_ids.csv", "one,two,label\n11,12,1\n")
    refuses(folder, "has no column id1 and id2")
    text(folder / "bcb_funcs_all.tsv", f"11\t{ADD}\n12 {SUB}\n\t{MUL}\n11\t{MUL}\n")
    message = refuses(folder, "a line without an id and a function (2 times, first")
    assert "the same id with other code (11)" in message
    (folder / "bcb_pair_ids.csv").rename(folder / "bcb_pair_ids.pkl")
    astnn(folder)
    (folder / "bcb_pair_ids.csv").unlink()
    refuses(folder, "is a pickle, which could run code when it is read; export it once")


# Exports of BigCloneBench's database

FUNCTIONS = "NAME,TYPE,STARTLINE,ENDLINE,ID,NORMALIZED_SIZE,PROJECT,TOKENS,INTERNAL\n"
CLONES = (
    "FUNCTION_ID_ONE,FUNCTION_ID_TWO,FUNCTIONALITY_ID,TYPE,SYNTACTIC_TYPE,SIMILARITY_LINE,"
    "SIMILARITY_TOKEN,MIN_SIZE,MAX_SIZE,MIN_PRETTY_SIZE,MAX_PRETTY_SIZE,MIN_JUDGES,"
    "MIN_CONFIDENCE,MIN_TOKENS,MAX_TOKENS,INTERNAL\n"
)


def clone(first: int, second: int, functionality: int = 7, judges: object = 2) -> str:
    return f"{first},{second},{functionality},tagged,3,.5,.5,3,3,3,3,{judges},3,9,9,false\n"


def export(folder: Path) -> Path:
    text(
        folder / "FUNCTIONS.csv",
        FUNCTIONS
        + "A.java,sample,2,2,1,1,,9,false\n"
        + "A.java,selected,2,3,2,1,shop,9,false\n"
        + "A.java,selected,3,3,3,1,shop,9,false\n"
        + "A.java,selected,2,2,4,1,shop,9,false\n",
    )
    text(folder / "clones.csv", CLONES + clone(1, 2, judges="2.0"))
    text(folder / "False_Positives.csv", CLONES + clone(1, 3, judges=""))
    for kind in ("sample", "selected"):
        # A form feed does not end a line.
        text(folder / "files" / kind / "A.java", f"class A {{ /* \f */\n{ADD}\n{SUB}\n}}\n")
    return folder


def test_exports(tmp_path):
    found = read_corpus(export(tmp_path))
    assert form(found) == "bigclonebench"
    assert {one.id: one.roles for one in found.snippets} == {
        "1": (Role("7", EXAMPLE, 2, 3),),
        "2": (Role("7", TAGGED_TRUE, 2, 3),),
        "3": (Role("7", TAGGED_FALSE, None, 3),),
    }
    assert [one.code for one in found.snippets] == [f"{ADD}\n", f"{ADD}\n{SUB}\n", f"{SUB}\n"]
    assert found.snippets[1].project == "shop"
    assert labels(found) == [("1", "2", 1), ("1", "3", 0)]
    assert found.steps[0].notes == ("1 function is in no pair and was left out",)
    assert sorted(found.files) == ["sample/A.java", "selected/A.java"]


def test_exports_with_their_files_elsewhere(tmp_path):
    folder = export(tmp_path / "tables")
    (folder / "files").rename(tmp_path / "sources")
    assert len(read_corpus(folder, files=tmp_path / "sources")) == 3
    refuses(folder, "a file that is not there (3 times, first sample/A.java, selected/A.java")


def test_wrong_exports(tmp_path):
    folder = export(tmp_path)
    text(folder / "clones.csv", CLONES + clone(1, 8) + clone(9, 8))
    refuses(folder, "a pair names a function that is not there (3 times, first 8, 9, 8)")
    text(folder / "clones.csv", CLONES.replace("FUNCTIONALITY_ID", "F") + clone(1, 2))
    refuses(folder, "clones.csv: has no column FUNCTIONALITY_ID")
    text(folder / "clones.csv", CLONES + clone(1, 2, judges="many") + clone(1, 2, judges="few"))
    refuses(folder, "MIN_JUDGES is not a whole number (2 times, first 'many', 'few')")
    export(folder)
    with (folder / "FUNCTIONS.csv").open("a") as stream:
        stream.write("A.java,selected,2,99,2,1,shop,9,false\n")
    refuses(folder, "the same id with another function (2)")
    text(folder / "FUNCTIONS.csv", FUNCTIONS + "A.java,sample,2,99,1,1,,9,false\n"
         "A.java,selected,,3,2,1,,9,false\nA.java,selected,3,2,3,1,,9,false\n")  # fmt: skip
    refuses(folder, "lines that its file does not have (3 times, first sample/A.java 2-99")
    text(folder / "FUNCTIONS.csv", FUNCTIONS + "A.java,sample,2,2,,1,,9,false\n")
    refuses(folder, "a row without ID (FUNCTIONS.csv, row 1)")
    export(folder)
    (folder / "files/sample/A.java").write_bytes(b"\0\1\2")
    refuses(folder, "a file that cannot be read (sample/A.java: looks binary")
    (folder / "clones.csv").unlink()
    refuses(folder, "has no FUNCTIONS.csv and CLONES.csv", form="bigclonebench")


# Clone reports


def report(folder: Path, *more: str) -> Path:
    text(folder / "code/default/A.java", f"class A {{\n{ADD}\n{SUB}\n}}\n")
    content = "default,A.java,2,2,default,A.java,3,3\n" + "".join(more)
    return text(folder / "report.csv", content)


def test_clone_reports(tmp_path):
    found = read_corpus(report(tmp_path), files=tmp_path / "code")
    assert form(found) == "bigcloneeval"
    assert labels(found) == [("default/A.java:2-2", "default/A.java:3-3", -1)]
    assert [one.code.strip() for one in found.snippets] == [ADD, SUB]
    assert {(one.project, one.file) for one in found.snippets} == {("default", "default/A.java")}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("default,A.java,2\n", "a line other than dir,file,start,end twice (line 2)"),
        ("default,A.java,2,x,default,A.java,2,2\n", "a line other than dir,file,start,end twice"),
        ("default,A.java,2,9,default,A.java,2,2\n", "lines that its file does not have (default/A"),
        ("default,A.java,0,1,default,A.java,2,2\n", "lines that its file does not have"),
        (
            "default,B.java,1,2,default,A.java,2,2\n",
            "a file that cannot be read (default/B.java: no such file)",
        ),
        (
            "..,report.java,1,2,default,A.java,2,2\n",
            "cannot be read (../report.java: lies outside of the folder)",
        ),
        (
            "/etc,a.java,1,2,default,A.java,2,2\n",
            "cannot be read (/etc/a.java: lies outside of the folder)",
        ),
        ("default,A,1,2,default,A.java,2,2\n", "a file whose name does not say its language"),
    ],
)
def test_wrong_clone_reports(tmp_path, line, words):
    refuses(report(tmp_path, line), words, files=tmp_path / "code")


def test_clone_reports_need_their_files(tmp_path):
    refuses(report(tmp_path), "name the folder that its files are in: codekin corpus read --files")


# POJ-104


def test_poj104_lines(tmp_path):
    rows = [{"label": "1", "index": "0", "code": ADD}, {"label": 2, "index": 1, "code": SUB}]
    path = lines(tmp_path / "train.jsonl", *rows)
    found = read_corpus(path)
    assert form(found) == "poj104"
    assert [(one.id, one.functionality) for one in found.snippets] == [("1/0", "1"), ("2/1", "2")]
    assert {one.language for one in found.snippets} == {"cpp"}
    assert {one.language for one in read_corpus(path, language="c").snippets} == {"c"}
    lines(
        path, *rows, {"label": "1", "index": "0", "code": MUL}, {"index": 7, "code": MUL}, rows[0]
    )
    message = refuses(path, "the same id with other code (1/0)")
    assert "a row without label (line 4)" in message


def test_poj104_folders(tmp_path):
    for problem in ("2", "10"):
        for number in ("1", "12", "3"):
            text(tmp_path / problem / f"{number}.txt", f"{ADD} // {problem} {number}")
    found = read_corpus(tmp_path)
    assert form(found) == "poj104"
    assert [one.id for one in found.snippets][:4] == ["2/1", "2/3", "2/12", "10/1"]
    (tmp_path / "2/1.txt").write_bytes(b"\0\0")
    (tmp_path / "2/3.txt").write_bytes(b"\0\0")
    refuses(tmp_path, "a file that cannot be read (2 times, first 1.txt: looks binary")


# Google Code Jam


def test_code_jam(tmp_path):
    text(tmp_path / "googlejam1.p003.Mushroom.java", ADD)
    text(tmp_path / "3264486_5633382285312000_Ann_main.cpp", SUB)
    text(tmp_path / "a/bob_12.java", MUL)
    found = read_corpus(tmp_path)
    assert form(found) == "codejam"
    assert {(one.functionality, one.project, one.language) for one in found.snippets} == {
        ("1", "p003", "java"),
        ("5633382285312000", "Ann", "cpp"),
        ("12", "bob", "java"),
    }
    text(tmp_path / "notes.java", ADD)
    refuses(tmp_path, "a file name without a problem and an author (notes.java)", form="codejam")
    (tmp_path / "notes.java").unlink()
    (tmp_path / "a/bob_12.java").write_bytes(b"\0\1")
    refuses(tmp_path, "a file that cannot be read (bob_12.java: looks binary")


# Any folder of code


def test_code(tmp_path):
    text(tmp_path / "one/A.java", f"class A {{ {ADD} {SUB} }}")
    text(tmp_path / "two/b.py", "def f(x):\n    return x\n")
    text(tmp_path / "readme.txt", "nothing")
    found = read_corpus(tmp_path)
    assert form(found) == "code"
    assert [(one.id, one.project, one.language) for one in found.snippets] == [
        ("one/A.java:1-1", "one", "java"),
        ("one/A.java:1-1#2", "one", "java"),
        ("two/b.py:1-2", "two", "python"),
    ]
    assert found.steps[0].after["files"] == 2


@needs_posix
def test_what_is_not_read_of_a_folder_of_code_is_listed_with_its_reason(tmp_path):
    folder = tmp_path / "code"
    text(folder / "src/a.py", "def f(x):\n    return x\n")
    text(folder / "src/empty.py", "")
    text(folder / "readme.txt", "nothing")
    text(folder / ".git/config", "")
    (folder / "src/link.py").symlink_to("a.py")
    (folder / "src/up").symlink_to("..")
    os.mkfifo(folder / "src/pipe.py")
    (folder / "src" / os.fsdecode(b"\x9b.py")).write_text("def g(y):\n    return y\n")
    found = read_corpus(folder)
    assert [snippet.id for snippet in found.snippets] == ["a.py:1-2", "\\x9b.py:1-2"]
    left_out = found.steps[0].left_out
    assert sorted(left_out) == [
        *(".git", "readme.txt", "src/empty.py", "src/link.py", "src/pipe.py", "src/up"),
    ]
    assert left_out["src/link.py"].startswith("is a link")
    assert left_out["src/pipe.py"].startswith("is a pipe")
    assert (left_out[".git"], left_out["src/empty.py"]) == ("is hidden", "is empty")
    assert left_out["readme.txt"] == "has no suffix of a known language"
    found.save(tmp_path / "corpus")
    again = read_corpus(tmp_path / "corpus")
    assert again.steps[0].left_out == left_out
    described = describe_corpus(again)
    assert described.document()["steps"][0]["left_out"] == left_out
    assert "read: 1 file left out (is empty): src/empty.py" in described.notes()


@needs_posix
@pytest.mark.parametrize("name", ["2/1.txt", "ann_12.java"])
def test_links_among_programs_are_left_out(tmp_path, name):
    text(tmp_path / name, ADD)
    text(tmp_path / "secret", SUB)
    link = (tmp_path / name).with_name((tmp_path / name).name.replace("1", "3"))
    link.symlink_to(tmp_path / "secret")
    os.mkfifo(link.with_name("bob_77.java"))
    found = read_corpus(tmp_path)
    assert form(found) == ("poj104" if name.startswith("2") else "codejam")
    assert [snippet.code for snippet in found.snippets] == [ADD]
    left_out = found.steps[0].left_out
    assert left_out[link.relative_to(tmp_path).as_posix()].startswith("is a link")
    assert any(reason.startswith("is a pipe") for reason in left_out.values())
    assert "secret" in left_out


@needs_posix
@pytest.mark.parametrize("name", ["snippets.jsonl", "pairs.csv", "files.jsonl"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_files_of_a_received_folder_are_files(tmp_path, name, kind):
    folder = rows(tmp_path / "set")
    (folder / name).rename(tmp_path / name)
    if kind == "link":
        (folder / name).symlink_to(tmp_path / name)
    else:
        os.mkfifo(folder / name)
    refuses(folder, f"{name}: is a {kind}")


def test_whole_files_that_cannot_be_read_are_listed(tmp_path):
    path = lines(
        tmp_path / "s.jsonl",
        *({"id": i, "language": "c", "code": ADD, "file": name}
          for i, name in enumerate(("a.c", "b.c", "../s.jsonl"))),
    )  # fmt: skip
    text(tmp_path / "sources/a.c", ADD)
    found = read_corpus(path, files=tmp_path / "sources")
    assert list(found.files) == ["a.c"]
    assert found.steps[0].left_out == {
        "b.c": "no such file",
        "../s.jsonl": "lies outside of the folder",
    }


def test_rows_have_a_limit_by_the_size_of_their_file(tmp_path, monkeypatch):
    monkeypatch.setattr("codekin.corpora.folder_files._LEAST_LIMIT", 100_000)
    monkeypatch.setattr("codekin.corpora.folder_files._TIMES", 2)
    rows = [{"id": str(i), "language": "c", "code": f"int x = {'1' * 3000};"} for i in range(200)]
    path = tmp_path / "s.jsonl"
    lines(path, *rows)
    assert len(read_corpus(path)) == 200
    with lzma.open(tmp_path / "s.jsonl.xz", "wb") as stream:
        stream.write(path.read_bytes())
    refuses(tmp_path / "s.jsonl.xz", "has more than 100,000 bytes unpacked")
    table = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    pq.write_table(table, tmp_path / "s.parquet", compression="zstd")
    refuses(tmp_path / "s.parquet", "has more than")
    pq.write_table(pa.table({"id": [None] * 2000}), tmp_path / "n.parquet", compression="zstd")
    refuses(tmp_path / "n.parquet", "has more than 100,000 bytes unpacked")


# All of them


def test_paths_that_are_no_corpus(tmp_path):
    refuses(tmp_path / "nowhere", "nowhere: no such file or folder")
    refuses(text(tmp_path / "some.txt", "hello"), "is in no known form")
    refuses(text(tmp_path / "none.jsonl", ""), "none.jsonl")
    (tmp_path / "empty").mkdir()
    refuses(tmp_path / "empty", "empty")
    for name in corpus_formats():
        refuses(tmp_path / "empty", "empty", form=name)
        refuses(tmp_path / "some.txt", "some.txt", form=name)
    refuses(tmp_path / "empty", "unknown form 'row'; did you mean 'rows'?", form="row")


@pytest.mark.parametrize("make", [rows, codexglue, astnn, export])
def test_data_sets_give_the_same_corpus_twice(tmp_path, make):
    folder = make(tmp_path)
    assert read_corpus(folder).fingerprint == read_corpus(folder).fingerprint
