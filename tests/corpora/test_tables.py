"""Tables with columns of other names, and flat tables of pairs: what is read, and what is said."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin import CodekinError, read_corpus
from codekin.corpora.snippets import Problems
from codekin.corpora.table_fields import PAIR_FIELDS, fields_of_rows

ADD = "int add(int a, int b) { return a + b; }"
SUB = "int sub(int a, int b) { return a - b; }"
MUL = "int mul(int a, int b) { return a * b; }"


def table(path: Path, *rows: dict[str, object]) -> Path:
    """A table with the columns of its first row, as CSV, JSON lines or Parquet by its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def pairs_of(corpus) -> list[tuple[str, str, int, str | None]]:
    """The codes of each pair with its label and side."""
    records = corpus.pairs.records
    codes = [snippet.code for snippet in corpus.snippets]
    return [
        (codes[row["first"]], codes[row["second"]], row["label"], row.get("side"))
        for row in records
    ]


def notes(corpus) -> str:
    return "; ".join(note for step in corpus.steps for note in step.notes)


FLAT = ({"code1": ADD, "code2": SUB, "label": 1}, {"code1": MUL, "code2": ADD, "label": 0})


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_flat_table_is_a_corpus(tmp_path, suffix):
    corpus = read_corpus(table(tmp_path / f"pairs{suffix}", *FLAT), language="java")
    assert pairs_of(corpus) == [(ADD, SUB, 1, None), (MUL, ADD, 0, None)]
    assert len(corpus) == 3  # one function is in two pairs
    assert "3 snippets in 4 places of pairs" in notes(corpus)


def test_the_flat_table_of_the_hub_keeps_its_ids_and_names_what_is_not_read(tmp_path):
    row = {"id": 0, "id1": 7, "id2": 8, "func1": ADD, "func2": SUB, "label": True}
    corpus = read_corpus(table(tmp_path / "bcb.parquet", row), language="java")
    assert [snippet.id for snippet in corpus.snippets] == ["7", "8"]
    assert pairs_of(corpus) == [(ADD, SUB, 1, None)]
    assert "columns that are not read: id" in notes(corpus)
    assert "func1 is read as code1" in notes(corpus)


def test_a_folder_with_a_flat_table_per_side(tmp_path):
    for name, row in (("train-00000-of-00001", FLAT[0]), ("valid", FLAT[1]), ("test", FLAT[0])):
        table(tmp_path / "data" / f"{name}.parquet", row)
    corpus = read_corpus(tmp_path, language="java")
    sides = {side: label for _, _, label, side in pairs_of(corpus)}
    assert sides == {"train": 1, "validation": 0, "test": 1}


def test_rows_to_be_scored_are_pairs_only_with_a_label(tmp_path):
    row = {"candidate": ADD, "reference": SUB, "language": "java"}
    with pytest.raises(CodekinError, match="has no column code"):
        read_corpus(table(tmp_path / "rows.jsonl", row))
    assert len(read_corpus(table(tmp_path / "pairs.jsonl", {**row, "label": 1})).pairs) == 1


def test_the_language_is_that_of_most_codes_and_said(tmp_path):
    code = "#include <vector>\nstd::vector<int> f(int n) { return std::vector<int>(n); }"
    plain = "int main() { int x = 1; return x; }"
    rows = [{"code1": code.replace("f", f"f{i}"), "code2": plain, "label": 1} for i in range(4)]
    corpus = read_corpus(table(tmp_path / "pairs.csv", *rows))
    assert {snippet.language for snippet in corpus.snippets} == {"cpp"}
    assert "language cpp, guessed from" in notes(corpus)


def test_columns_are_named_by_the_user(tmp_path):
    path = table(tmp_path / "s.csv", {"idx": 1, "func": ADD, "what": "add", "language": "java"})
    corpus = read_corpus(path, columns={"functionality": "what"})
    assert corpus.snippets[0].functionality == "add"
    with pytest.raises(CodekinError, match="no field 'functionalty'; did you mean 'functionality'"):
        read_corpus(path, columns={"functionalty": "what"})
    with pytest.raises(CodekinError, match="no table of it has a column 'who' for project"):
        read_corpus(path, columns={"project": "who"})


def test_columns_that_the_user_names_say_that_a_table_has_pairs(tmp_path):
    odd = {"Method A": ADD, "Method B": SUB, "Is Clone?": "No", "split": "test"}
    path = table(tmp_path / "odd.csv", odd)
    with pytest.raises(CodekinError, match=r"code1=NAME,code2=NAME"):
        read_corpus(path)
    named = {"code1": "Method A", "code2": "Method B", "label": "Is Clone?"}
    found = read_corpus(path, columns=named)
    assert [label for _, _, label, _ in pairs_of(found)] == [0]


def test_programs_with_their_class_as_label(tmp_path):
    rows = [{"id": i, "code": ADD, "label": str(i % 2), "language": "c"} for i in range(3)]
    corpus = read_corpus(table(tmp_path / "poj.parquet", *rows))
    assert [snippet.functionality for snippet in corpus.snippets] == ["0", "1", "0"]
    assert "label is read as functionality" in notes(corpus)


def test_a_column_that_the_user_does_not_want_is_not_read(tmp_path):
    row = {"code1": ADD, "code2": SUB, "label": 1, "id1": 5, "id2": 5, "language": "java"}
    path = table(tmp_path / "p.csv", row)
    with pytest.raises(CodekinError, match="the same id with other code"):
        read_corpus(path)
    assert len(read_corpus(path, columns={"id1": "", "id2": ""})) == 2


def snippets(folder: Path, *pairs: dict[str, object]) -> Path:
    codes = {"1": ADD, "2": SUB, "3": MUL}
    rows = [{"id": name, "language": "java", "code": code} for name, code in codes.items()]
    table(folder / "snippets.jsonl", *rows)
    table(folder / "pairs.csv", *pairs)
    return folder


def test_splits_are_sides_and_other_columns_are_named(tmp_path):
    rows = [
        {"id1": 1, "id2": 2, "label": "True", "split": "train", "sim_line": 0.4},
        {"id1": 1, "id2": 3, "label": "False", "split": "dev", "sim_line": 0.2},
        {"id1": 2, "id2": 3, "label": "no", "split": "test", "sim_line": 0.1},
    ]
    corpus = read_corpus(snippets(tmp_path, *rows))
    labels = [(label, side) for _, _, label, side in pairs_of(corpus)]
    assert labels == [(1, "train"), (0, "validation"), (0, "test")]
    assert "split is read as side" in notes(corpus)
    assert "pairs.csv: columns that are not read: sim_line" in notes(corpus)


def test_a_column_of_folds_is_not_a_side(tmp_path):
    corpus = read_corpus(snippets(tmp_path, {"id1": 1, "id2": 2, "label": 1, "fold": 3}))
    assert corpus.pairs.side is None
    assert "columns that are not read: fold" in notes(corpus)


def test_labels_of_two_classes(tmp_path):
    rows = [{"id1": 1, "id2": 2, "label": 1}, {"id1": 1, "id2": 3, "label": -1}]
    corpus = read_corpus(snippets(tmp_path / "a", *rows))
    assert corpus.pairs.label.tolist() == [1, 0]
    assert "pairs with the label -1 are read as no clones" in notes(corpus)
    rows.append({"id1": 2, "id2": 3, "label": 0})
    with pytest.raises(CodekinError, match="labels are 0 and -1, which may mean not known"):
        read_corpus(snippets(tmp_path / "b", *rows))


def test_types_without_labels_say_what_is_a_clone(tmp_path):
    rows = [{"id1": 1, "id2": 2, "type": "Type-1"}, {"id1": 1, "id2": 3, "type": "WT3/4"}]
    corpus = read_corpus(snippets(tmp_path / "a", *rows))
    assert corpus.pairs.label.tolist() == [1, 1]
    assert corpus.pairs.type[1] == ("T1", "WT3/T4")
    assert "no pair has a label, so pairs with a type of clone count as clones" in notes(corpus)
    corpus = read_corpus(snippets(tmp_path / "b", {"id1": 1, "id2": 2}))
    assert corpus.pairs.label.tolist() == [-1]
    assert "nothing is known of which are clones" in notes(corpus)


def test_pairs_of_a_file_say_what_they_replace(tmp_path):
    folder = snippets(tmp_path, {"id1": 1, "id2": 2, "label": 1})
    other = table(tmp_path / "other.csv", {"a": 1, "b": 3, "same": "yes"})
    corpus = read_corpus(folder, pairs=other, columns={"id1": "a", "id2": "b", "label": "same"})
    assert pairs_of(corpus) == [(ADD, MUL, 1, None)]
    assert "1 pair of the data replaced by the file's" in notes(corpus)


def test_lines_of_snippets_are_kept(tmp_path):
    row = {"code": ADD, "language": "java", "file": "A.java", "start_line": 3, "end_line": 5}
    corpus = read_corpus(table(tmp_path / "s.csv", row, {**row, "start_line": ""}))
    assert [snippet.lines for snippet in corpus.snippets] == [(3, 5), None]
    corpus.save(tmp_path / "kept")
    assert read_corpus(tmp_path / "kept").snippets == corpus.snippets
    with pytest.raises(CodekinError, match="has lines 9 to 5"):
        read_corpus(table(tmp_path / "wrong.csv", {**row, "start_line": 9}))


# Data sets of the field


def test_codexglue_in_another_language_says_so(tmp_path):
    table(tmp_path / "data.jsonl", {"idx": "1", "func": ADD}, {"idx": "2", "func": SUB})
    (tmp_path / "train.txt").write_text("1\t2\t1\n")
    assert "language java, as BigCloneBench is" in notes(read_corpus(tmp_path))
    corpus = read_corpus(tmp_path, language="c")
    assert {snippet.language for snippet in corpus.snippets} == {"c"}


def test_poj104_in_the_files_of_codexglue(tmp_path):
    for side, label in (("train", "1"), ("valid", "2"), ("test", "3")):
        rows = [{"label": label, "index": str(i), "code": f"int f{i}();"} for i in range(2)]
        table(tmp_path / f"{side}.jsonl", *rows)
    corpus = read_corpus(tmp_path)
    assert corpus.steps[0].parameters["form"] == "poj104"
    found = {(snippet.functionality, snippet.side) for snippet in corpus.snippets}
    assert found == {("1", "train"), ("2", "validation"), ("3", "test")}


def test_astnns_programs_are_read_as_text_and_never_as_pickles(tmp_path):
    (tmp_path / "programs.pkl").write_bytes(b"\x80\x04.")
    (tmp_path / "oj_clone_ids.pkl").write_bytes(b"\x80\x04.")
    with pytest.raises(CodekinError, match=r"programs\.pkl: is a pickle, which could run code"):
        read_corpus(tmp_path)
    table(
        tmp_path / "programs.csv",
        *({"id": i, "code": f"int f{i}();", "label": i % 2} for i in range(3)),
    )
    with pytest.raises(CodekinError, match=r"oj_clone_ids\.pkl: is a pickle"):
        read_corpus(tmp_path)
    table(tmp_path / "oj_clone_ids.csv", {"index": 0, "id1": 0, "id2": 2, "label": 1})
    corpus = read_corpus(tmp_path)
    assert corpus.steps[0].parameters["form"] == "astnn"
    assert [snippet.functionality for snippet in corpus.snippets] == ["0", "1", "0"]
    assert corpus.pairs.label.tolist() == [1]
    assert "columns that are not read: index" in notes(corpus)
    with pytest.raises(CodekinError, match="may be a pickle, which could run code"):
        read_corpus(tmp_path / "programs.pkl")


def test_gptclonebench(tmp_path):
    pair = "int twice(int x) {\n  return 2 * x;\n}\n\nint same(int y) {\n  return y + y;\n}\n"
    folder = tmp_path / "standalone"
    for name, content in (
        ("true_semantic_clones/java/prompt_1/MT3/Clone_1_0.java", pair),
        ("true_semantic_clones/java/prompt_2/T4/Clone_2_0.java", pair.replace("twice", "two")),
        ("true_semantic_clones/java/prompt_2/T4/Clone_3_0.java", "int one() { return 1; }"),
        ("false_semantic_clones/java/Gpt_false_pair_1.java", pair.replace("same", "as")),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    corpus = read_corpus(tmp_path)
    assert corpus.steps[0].parameters["form"] == "gptclonebench"
    records = corpus.pairs.records
    assert [(row["label"], row["type"]) for row in records] == [
        (None, None), (1, "MT3"), (1, "T4")
    ]  # fmt: skip
    assert corpus.snippets[1].code.startswith("int as(int y)")
    assert corpus.snippets[1].lines == (5, 7)
    assert list(corpus.steps[0].left_out.values()) == ["does not have two functions"]
    assert "1 pair of false_semantic_clones have no label" in notes(corpus)
    elsewhere = tmp_path / "received"
    elsewhere.mkdir()
    (elsewhere / "standalone").symlink_to(folder)
    with pytest.raises(CodekinError, match="received: "):
        read_corpus(elsewhere)


def test_many_columns_that_are_not_read_are_not_all_named(tmp_path):
    rows = [{"id1": "a", "id2": "b", f"c{i}": i} for i in range(1000)]
    problems = Problems("pairs")
    fields_of_rows(tmp_path, rows, PAIR_FIELDS, problems, needed=("id1", "id2"), advice="name them")
    assert problems.notes[0].endswith("c28, c29, …")
