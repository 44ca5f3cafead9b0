"""Triplets become two rows each, or one with the reason."""

import json

import pytest

import codekin
from codekin import CodekinError
from codekin.evaluation.triplets import Triplets
from codekin.runs.scoring import arguments_of
from codekin.runs.settings import view_of


def program(code, language="python"):
    return {"language": language, "code": code}


def triplet(i=0, **fields):
    return {
        "id": f"t{i}",
        "problem": f"p{i % 3}",
        "anchor": program(f"print(x + {i})"),
        "positive": program(f"y = x + {i}\nprint(y)"),
        "negative": program(f"print(x - {i})"),
        **fields,
    }


def scored(rows, **options):
    return codekin.score(rows, ["length", "nes"], view=Triplets(), workers=0, **options)


def test_each_triplet_is_two_pairs_against_its_anchor():
    table = scored([triplet(4)]).table().to_pylist()
    assert [row["id"] for row in table] == ["t4/positive", "t4/negative"]
    assert [row["row"] for row in table] == [0, 1]
    assert [row["group"] for row in table] == ["positive", "negative"]
    assert {row["references"][0] for row in table} == {"print(x + 4)"}
    assert table[1]["candidate"] == "print(x - 4)"
    fields = json.loads(table[0]["fields"])
    assert (fields["triplet"], fields["role"], fields["problem"]) == ("t4", "positive", "p1")


def test_each_role_has_its_language():
    row = triplet(anchor=program("int main() { return 0; }", "c"), author="ann")
    table = scored([row]).table().to_pylist()
    assert {(one["language"], one["reference_language"]) for one in table} == {("python", "c")}
    assert json.loads(table[0]["fields"])["author"] == "ann"


def test_bare_texts_have_the_language_of_the_row_or_the_one_they_look_like():
    bare = {"anchor": "x = 1", "positive": "x = 1 + 0", "negative": "x = 2"}
    table = scored([{**bare, "language": "ruby"}]).table().to_pylist()
    assert table[0]["language"] == table[0]["reference_language"] == "ruby"
    code = "def f(a):\n    return [b for b in a if b is not None]\n"
    found = scored([{"anchor": code, "positive": code + "\n", "negative": code + "f(1)\n"}])
    assert set(found.labels_of("language")) == {"python"}
    assert found.table(["id"]).column("id").to_pylist() == ["1/positive", "1/negative"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "t", "anchor": program("x"), "positive": program("x")}, "no field 'negative'"),
        (triplet(anchor=3), "anchor must be {language, code} or a text, not"),
        (triplet(positive={"language": "python"}), "positive: its code must be a text"),
        (triplet(positive=program("x", "klingon")), "unknown language 'klingon'"),
        (triplet(positive=program("x\0")), "NUL"),
        (triplet(positive=program("x;", "c")), "positive is in c and negative in python"),
        (triplet(problem=[1]), "problem must be a text"),
    ],
)
def test_what_is_no_triplet_is_recorded(row, said):
    run = scored([row, triplet(1)])
    problems = run.table(["problem"]).column("problem").to_pylist()
    assert any(said in (problem or "") for problem in problems)
    assert problems[-2:] == [None, None]


def test_copies_of_the_anchor_are_noted():
    long = "total = 0\nfor value in values:\n    total += value * 2\nprint(total)\n"
    rows = [
        triplet(0, anchor=program(long), negative=program(long.replace("total", "sum_of"))),
        triplet(1),
    ]
    fields = [json.loads(text) for text in scored(rows).table().column("fields").to_pylist()]
    assert [one.get("copy") for one in fields] == [None, "renamed copy", None, None]
    assert fields[0]["anchor_key"] == fields[1]["anchor_key"] != fields[1]["key"]


def test_columns_name_the_fields_of_triplets():
    row = {"a": program("x = 1"), "b": program("x = 2"), "c": program("x = 3"), "task": "p"}
    names = {"anchor": "a", "positive": "b", "negative": "c", "problem": "task"}
    run = scored([row], columns=names)
    assert run.failed == 0
    assert set(run.labels_of("problem")) == {"p"}
    with pytest.raises(CodekinError, match="'candidate' is not a field of a row"):
        scored([row], columns={"candidate": "a"})


def test_a_run_of_triplets_is_the_same_with_any_workers_and_can_be_resumed(tmp_path):
    lines = "\n".join(json.dumps(triplet(i)) for i in range(40)) + "\n{broken\n"
    rows = tmp_path / "triplets.jsonl"
    rows.write_text(lines)
    folders = []
    for workers in (0, 2):
        folder = tmp_path / f"run{workers}"
        codekin.score(
            str(rows),
            ["length", "nes"],
            view=Triplets(),
            workers=workers,
            output=folder,
            shard_rows=7,
        )
        folders.append(folder)
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in folders
    )
    assert first == second
    (folders[1] / "shards" / "000002.parquet").unlink()
    arguments = arguments_of(folders[1])
    assert arguments["view"] == Triplets()
    codekin.score(**arguments, output=folders[1], resume=True, workers=0)
    assert {p.relative_to(folders[1]): p.read_bytes() for p in folders[1].rglob("*.*")} == first
    run = codekin.Run(folders[1])
    assert (run.rows, run.failed) == (81, 1)
    assert run.manifest["records"] == 41
    rows.unlink()
    with pytest.raises(CodekinError, match="codekin evaluate triplets ROWS --resume"):
        arguments_of(folders[1])


def test_a_run_of_triplets_is_not_resumed_as_plain_rows(tmp_path):
    rows = [triplet(i) for i in range(3)]
    scored(rows, output=tmp_path / "run")
    with pytest.raises(CodekinError, match="no column for the candidate"):
        codekin.score(rows, ["length", "nes"], output=tmp_path / "run", resume=True, workers=0)


def test_views_are_made_of_what_a_manifest_says_of_them():
    assert view_of(None) is None
    assert view_of(Triplets().describe()) == Triplets()
