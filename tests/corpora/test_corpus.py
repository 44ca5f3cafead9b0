from __future__ import annotations

import hashlib
import io
import json
import os
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.corpus import (
    Corpus,
    Step,
    is_corpus,
    load_corpus,
    save_corpora,
)
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems, Role, Snippet, contradictions, merged, snippet_of

_ROLES = pa.list_(
    pa.struct(
        [
            ("functionality", pa.string()),
            ("kind", pa.string()),
            ("judges", pa.int32()),
            ("confidence", pa.int32()),
        ]
    )
)


def paired(corpus: Corpus) -> Corpus:
    rows = [
        {"id1": "sum/0", "id2": "sum/1", "label": 1, "type": "ST3", "basis": "same"},
        {"id1": "sum/0", "id2": "max/1", "label": 0, "basis": "other"},
        {"id1": "max/0", "id2": "max/1", "label": None},
    ]
    problems = Problems("pairs")
    pairs = Pairs.of_rows(rows, corpus.snippets, problems)
    problems.check()
    return replace(corpus, pairs=pairs, steps=(Step("made", {"seed": 1}, {}, {"snippets": 2}),))


def test_a_corpus_comes_back_as_it_was_saved(tmp_path):
    corpus = replace(paired(contest()), files={"a.c": "int x;\n"}, vocabulary={"foo": "fun0"})
    corpus.save(tmp_path / "one")
    found = load_corpus(tmp_path / "one")
    assert found.snippets == corpus.snippets
    assert found.steps == corpus.steps
    assert found.files == corpus.files
    assert found.vocabulary == corpus.vocabulary
    assert found.fingerprint == corpus.fingerprint
    for name in ("first", "second", "label"):
        assert np.array_equal(getattr(found.pairs, name), getattr(corpus.pairs, name))
    assert found.pairs.type[1] == ("ST3",)
    assert found.pairs.basis[1] == ("same", "other")
    assert found.pairs.rate == 0.5


def test_the_same_corpus_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        paired(contest()).save(tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_nothing_is_overwritten(tmp_path):
    contest().save(tmp_path / "one")
    with pytest.raises(CodekinError, match="is a corpus already"):
        contest().save(tmp_path / "one")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(CodekinError, match="exists already"):
        contest().save(tmp_path / "notes.txt")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt", "one"]


def test_a_folder_that_cannot_be_written_is_left_as_it_was(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr("codekin.corpora.corpus._manifest", fail)
    with pytest.raises(CodekinError, match="the disk is full"):
        contest().save(tmp_path / "one")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["snippets.parquet", "pairs.parquet"])
def test_damaged_files_are_found(tmp_path, file):
    paired(contest()).save(tmp_path / "one")
    place = tmp_path / "one" / file
    place.write_bytes(place.read_bytes()[:-9])
    with pytest.raises(CodekinError, match=f"{file}: was damaged or changed"):
        load_corpus(tmp_path / "one")
    place.unlink()
    with pytest.raises(CodekinError, match="no such file"):
        load_corpus(tmp_path / "one")


def test_other_folders_are_no_corpora(tmp_path):
    assert not is_corpus(tmp_path)
    with pytest.raises(CodekinError, match="no such file"):
        load_corpus(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(CodekinError, match="not JSON"):
        load_corpus(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(CodekinError, match="is not a corpus that codekin wrote"):
        load_corpus(tmp_path)


def test_a_manifest_cannot_name_files_elsewhere(tmp_path):
    contest().save(tmp_path / "one")
    place = tmp_path / "one" / "manifest.json"
    manifest = json.loads(place.read_text())
    manifest["files"]["../secret"] = {"bytes": 1, "sha256": ""}
    place.write_text(json.dumps(manifest))
    with pytest.raises(CodekinError, match="does not list the files of a corpus"):
        load_corpus(tmp_path / "one")


def without_steps(manifest, folder):
    del manifest["steps"]


def other_steps(manifest, folder):
    manifest["steps"] = [{"step": 1}]


def a_list_as_vocabulary(manifest, folder):
    manifest["vocabulary"] = [1, 2]


def no_digest(manifest, folder):
    manifest["files"]["snippets.parquet"] = "x"


def no_parquet(manifest, folder):
    replaced(manifest, folder, b"hello")


def other_columns(manifest, folder):
    stream = io.BytesIO()
    pq.write_table(pa.table({"id": ["a"], "code": [1]}), stream)
    replaced(manifest, folder, stream.getvalue())


def no_code(manifest, folder):
    with_snippets(manifest, folder, code=[None, "int a;"])


def one_id(manifest, folder):
    with_snippets(manifest, folder, id=["a", "a"])


def unknown_side(manifest, folder):
    with_snippets(manifest, folder, side=["left", None])


def text_in_dictionaries(manifest, folder):
    texts = pa.array(["int a;"] * 2).dictionary_encode()
    with_snippets(manifest, folder, code=texts)


def words_as_counts(manifest, folder):
    step = {"step": "read", "parameters": {}, "before": {}, "notes": [], "parents": []}
    manifest["steps"] = [step | {"after": {"snippets": "x"}}]


def with_snippets(manifest, folder, **columns):
    plain = {"id": ["a", "b"], "language": ["c", "c"], "code": ["int a;", "int b;"]}
    plain |= {"roles": pa.array([[], []], _ROLES), "project": [None] * 2, "file": [None] * 2}
    stream = io.BytesIO()
    pq.write_table(pa.table(plain | {"side": pa.array([None] * 2, pa.string())} | columns), stream)
    replaced(manifest, folder, stream.getvalue())


def replaced(manifest, folder, data):
    (folder / "snippets.parquet").write_bytes(data)
    manifest["files"]["snippets.parquet"]["sha256"] = hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "damage",
    [
        *(without_steps, other_steps, a_list_as_vocabulary, no_digest, no_parquet, other_columns),
        *(no_code, one_id, unknown_side, text_in_dictionaries, words_as_counts),
    ],
)
def test_what_codekin_did_not_write_is_refused(tmp_path, damage):
    contest().save(tmp_path / "one")
    place = tmp_path / "one" / "manifest.json"
    manifest = json.loads(place.read_text())
    damage(manifest, tmp_path / "one")
    place.write_text(json.dumps(manifest))
    with pytest.raises(CodekinError, match="is not as codekin writes a corpus"):
        load_corpus(tmp_path / "one")


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
@pytest.mark.parametrize("kind", ["link", "pipe"])
@pytest.mark.parametrize("name", ["snippets.parquet", "pairs.parquet", "manifest.json"])
def test_the_files_of_a_corpus_are_files(tmp_path, name, kind):
    paired(contest()).save(tmp_path / "one")
    place = tmp_path / "one" / name
    place.rename(tmp_path / name)
    if kind == "link":
        place.symlink_to(tmp_path / name)
    else:
        os.mkfifo(place)
    assert is_corpus(tmp_path / "one") == (name != "manifest.json")
    with pytest.raises(CodekinError, match=rf"{name}: is a {kind}"):
        load_corpus(tmp_path / "one")


@pytest.mark.parametrize("table", ["snippets", "pairs"])
def test_a_corpus_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch, table):
    monkeypatch.setattr("codekin.corpora.folder_files._LEAST_LIMIT", 20_000)
    monkeypatch.setattr("codekin.corpora.folder_files._TIMES", 1)
    code, basis = ("int x;" * 500, "x") if table == "snippets" else ("int x;", "x" * 60_000)
    snippets = tuple(Snippet(f"s{i}", "c", code) for i in range(40))
    rows = [{"id1": "s0", "id2": f"s{i}", "basis": basis} for i in range(1, 40)]
    corpus = Corpus("one", snippets, Pairs.of_rows(rows, snippets, Problems("rows")))
    corpus.save(tmp_path / "one")
    with pytest.raises(CodekinError, match=rf"{table}\.parquet: .* more than [\d,]+ bytes"):
        load_corpus(tmp_path / "one")


def test_other_formats_are_named(tmp_path):
    contest().save(tmp_path / "one")
    place = tmp_path / "one" / "manifest.json"
    place.write_text(place.read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(CodekinError, match="is in format 99, and this codekin reads 1"):
        load_corpus(tmp_path / "one")


def test_several_corpora_are_written_together_or_not_at_all(tmp_path):
    class Broken(Corpus):
        @property
        def counts(self):
            raise CodekinError("broken")

    good = contest()
    save_corpora({"a": good, "b": good}, tmp_path / "both")
    assert load_corpus(tmp_path / "both" / "b").fingerprint == good.fingerprint
    with pytest.raises(CodekinError, match="broken"):
        save_corpora({"a": good, "b": Broken("b", good.snippets)}, tmp_path / "none")
    assert [one.name for one in tmp_path.iterdir()] == ["both"]


def test_some_snippets_keep_the_pairs_among_them():
    corpus = paired(contest())
    kept = corpus.keep([corpus.places[name] for name in ("max/1", "sum/0", "sum/2")])
    assert [one.id for one in kept.snippets] == ["max/1", "sum/0", "sum/2"]
    assert (kept.pairs.first.tolist(), kept.pairs.second.tolist()) == ([1], [0])


def test_rows_of_one_id_and_code_have_all_their_roles():
    problems = Problems("rows")
    rows = [
        {"id": 7, "language": "java", "code": "x", "functionality": 4, "confirmed": True},
        {"id": "7", "language": "Java", "code": "x", "functionality": 2, "role": "tagged_false"},
        {"id": 8, "language": "java", "code": "y", "functionality": 4.0, "confirmed": False},
    ]
    found = merged([snippet_of(row, "") for row in rows], problems)
    assert [one.id for one in found] == ["7", "8"]
    assert found[0].roles == (Role("4", "tagged_true"), Role("2", "tagged_false"))
    assert found[0].functionalities == ("4",)
    assert found[1].roles == (Role("4", "tagged_false"),)
    assert not problems
    many = (Snippet("7", "java", "x", (Role(str(i)),)) for i in range(20_000))
    assert len(merged(many, problems)[0].roles) == 20_000  # at once, not in minutes
    merged([*found, Snippet("7", "java", "other")], problems)
    with pytest.raises(CodekinError, match=r"rows: the same id with other code \(7\)"):
        problems.check()


def test_confirmed_samples_are_examples():
    row = {"id": 1, "language": "java", "code": "", "functionality": 2, "confirmed": True}
    assert snippet_of({**row, "source": "sample", "file": "A.java"}, "") == Snippet(
        "1", "java", "", (Role("2", "example"),), None, "sample/A.java"
    )


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"code": "x"}, "a snippet without a language"),
        ({"language": "c"}, "a snippet without code"),
        ({"language": "c", "code": 1}, "code must be a text, not a number"),
        ({"language": "cobol", "code": ""}, "unknown language 'cobol'"),
        ({"language": "c", "code": "", "functionality": 1, "role": "clone"}, "unknown role"),
        ({"language": "c", "code": "", "functionality": 1, "confirmed": "no"}, "true or false"),
        ({"language": "c", "code": "", "project": ["a"]}, "project must be a text"),
    ],
)
def test_rows_that_are_no_snippets(row, problem):
    with pytest.raises(CodekinError, match=problem):
        snippet_of(row, "1")


def test_contradicting_roles():
    one = Snippet("a", "c", "", (Role("2", "tagged_true"), Role("2", "tagged_false")))
    assert contradictions([one, Snippet("b", "c", "", (Role("2"),))]) == [(one, "2")]


def test_pairs_of_unknown_snippets_are_counted():
    problems = Problems("pairs.csv")
    rows = [{"id1": "sum/0", "id2": f"gone/{i}", "label": 1} for i in range(5)]
    rows += [{"id1": "sum/0"}, {"id1": "sum/0", "id2": "sum/1", "label": "clone"}]
    Pairs.of_rows(rows, contest().snippets, problems)
    with pytest.raises(CodekinError) as error:
        problems.check()
    assert "names a snippet that is not there (5 times, first gone/0, gone/1, gone/2)" in str(
        error.value
    )
    assert "a pair without id1 or id2 (row 6)" in str(error.value)
    assert "neither a whole number nor true, false, yes or no (row 7: 'clone')" in str(error.value)


def test_long_names_of_cases_are_cut():
    problems = Problems("pairs.csv")
    problems.add("a pair names a snippet that is not there", "x" * 1000)
    assert problems.lines() == [f"a pair names a snippet that is not there ({'x' * 200}…)"]
