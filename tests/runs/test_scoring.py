from __future__ import annotations

import gzip
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest
from tests.runs.conftest import fingerprint

import codekin
from codekin import CodekinError, Run, measure, score
from codekin.runs import scoring
from codekin.runs.seals import seal_manifest

NAMES = ["bleu", "nes", "jaccard"]


def test_values_are_those_of_the_measures(rows, tmp_path) -> None:
    given = rows(30)
    run = score(given, output=tmp_path / "run", workers=0)
    expected = [name for name in codekin.measure_names() if not measure(name).needs_origin]
    assert [one.label for one in run.measures] == expected
    for one in run.measures:
        assert one.measure is not None
        expected = [
            one.measure.score(row["candidate"], row["reference"], language="python").value
            for row in given
        ]
        assert run.values(one.label).tolist() == expected
    assert run.table(["id"]).column("id").to_pylist() == [row["id"] for row in given]
    assert run.complete
    assert run.failed == 0


def test_statistics_add_up_to_the_corpus_score(rows) -> None:
    given = rows(30)
    run = score(given, ["bleu", "chrf", "codebleu"], workers=0)
    for one in run.measures:
        total = run.statistics(one.label).sum(axis=0)
        expected = one.measure.corpus_score(
            [row["candidate"] for row in given],
            [[row["reference"]] for row in given],
            language="python",
        )
        assert one.measure.from_statistics(total)[0] == pytest.approx(expected, abs=1e-12)


def test_parts_and_bounds_are_kept(rows) -> None:
    given = rows(5)
    given[3]["candidate"] = "for x in y:\n    if x:\n        print(x, y[0])\n"
    names = [measure("bleu"), measure("tsed", steps=1)]
    table = score(given, names, workers=0).table()
    for i, row in enumerate(given):
        for one, label in zip(names, ("bleu", "tsed:steps=1"), strict=True):
            expected = one.score(row["candidate"], row["reference"], language="python")
            assert dict(table.column(f"{label}.parts")[i].as_py()) == dict(expected.parts)
            bounds = [table.column(f"{label}.{side}")[i].as_py() for side in ("lower", "upper")]
            assert bounds == ([None, None] if expected.exact else list(expected.bounds))
    assert 0 < table.column("tsed:steps=1.lower").null_count < 5


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_no_byte(rows, tmp_path, workers) -> None:
    given = rows(95)
    score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
    score(given, NAMES, output=tmp_path / "many", workers=workers, shard_rows=10)
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "many")
    assert len(fingerprint(tmp_path / "one")) == 11


def test_values_do_not_depend_on_the_shards(rows) -> None:
    given = rows(50)
    whole = score(given, NAMES, workers=0)
    cut = score(given, NAMES, workers=0, shard_rows=7)
    assert whole.table().equals(cut.table())


def test_a_snippet_that_recurs_is_parsed_once(rows, monkeypatch) -> None:
    made: list[str] = []
    flatten = codekin.source.flatten

    def counted(grammar, data):
        made.append(data.decode())
        return flatten(grammar, data)

    monkeypatch.setattr(codekin.source, "flatten", counted)
    score(rows(60), NAMES, workers=0)
    assert len(made) == len(set(made)) < 60


def test_frames_give_what_lists_give(rows, tmp_path) -> None:
    import datasets

    given = rows(25)
    expected = score(given, NAMES, workers=0).table()
    table = pa.Table.from_pylist(given)
    for same in (
        pandas.DataFrame(given),
        polars.DataFrame(given),
        table,
        datasets.Dataset.from_list(given),
        iter(given),
    ):
        assert score(same, NAMES, workers=0).table().equals(expected)


def test_frames_come_out(rows) -> None:
    run = score(rows(4), ["nes"], workers=0)
    columns = ["row", "id", "group", "language", "weight", "outcome", "problem"]
    columns += ["form", "parses", "reference_parses", "joined", "reference_joined", "task", "nes"]
    assert list(run.to_pandas().columns) == columns
    assert run.to_polars().columns == columns
    assert run.to_pandas()["nes"].tolist() == run.values("nes").tolist()
    assert "nes" in run._repr_html_()
    assert "4 rows" in repr(run)
    assert len(run) == 4


def test_names_may_have_parameters(rows) -> None:
    run = score(rows(2), ["bleu:order=2", "nes:unit=tokens"], workers=0)
    assert [one.measure for one in run.measures] == [
        measure("bleu", order=2),
        measure("nes", unit="tokens"),
    ]


def test_a_run_without_a_folder_goes_with_its_object(rows) -> None:
    run = score(rows(3), "nes", workers=0)
    path = run.path
    assert path.is_dir()
    del run
    assert not path.exists()


def test_columns_are_mapped() -> None:
    given = [{"pred": "x = 1", "gold": "x = 2", "reference": "y", "lang": "python", "key": 5}]
    columns = {"candidate": "pred", "reference": "gold", "language": "lang", "id": "key"}
    run = score(given, ["exact", "nes"], columns=columns, workers=0)
    assert run.values("nes").tolist() == [0.8]
    assert run.table(["id"]).column("id").to_pylist() == ["5"]
    # What the mapping sets aside is still there to group by.
    assert run.labels_of("reference_given") == ["y"]


def test_several_references_and_origin(own) -> None:
    given = [
        {"language": "c", "candidate": "a;", "references": ["b;", "a;"], "origin": "a;"},
        {"language": "c", "candidate": "b;", "references": ["b;", "a;"], "origin": "a;"},
        {"language": "c", "candidate": "b;", "reference": "a;", "origin": None},
    ]
    run = score(given, [measure("exact"), own.Moved()], workers=0)
    assert run.values("exact").tolist() == [1, 1, 0]
    np.testing.assert_equal(run.values("moved"), [0, 1, math.nan])
    problems = run.table(["moved.problem"]).column(0).to_pylist()
    assert problems == [None, None, "needs an origin, and the row has none"]
    keys = run.labels_of("reference")
    assert keys[0] == keys[1] != keys[2]


def test_a_measure_that_needs_an_origin_is_an_error_by_name(own) -> None:
    given = [{"language": "c", "candidate": "a;", "reference": "a;"}]
    with pytest.raises(CodekinError, match="moved: needs an origin, and the rows have none"):
        score(given, [own.Moved()], workers=0)


def test_a_measure_that_needs_an_origin_is_left_out_by_default(own, monkeypatch) -> None:
    table = {"nes": {None: type(measure("nes"))}, "moved": {None: own.Moved}}
    monkeypatch.setattr(codekin.measures.registry, "measure_classes", lambda: table)
    given = [{"language": "c", "candidate": "a;", "reference": "a;"}]
    run = score(given, workers=0)
    assert [one.label for one in run.measures] == ["nes"]
    assert run.manifest["skipped"] == ["moved"]
    run = score([{**given[0], "origin": "b;"}], workers=0)
    assert [one.label for one in run.measures] == ["nes", "moved"]
    assert run.manifest["skipped"] == []


def test_a_folder_that_holds_something_is_refused(rows, tmp_path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thing").touch()
    (tmp_path / "file").touch()
    score(rows(2), "nes", output=tmp_path / "run", workers=0)
    for name, message in (
        ("other", "with other things in it"),
        ("file", "is a file"),
        ("run", "holds a run already"),
    ):
        with pytest.raises(CodekinError, match=message):
            score(rows(2), "nes", output=tmp_path / name, workers=0)


def test_a_wrong_question_leaves_nothing_behind(rows, tmp_path) -> None:
    for wrong in (
        {"measures": "blue"},
        {"measures": []},
        {"measures": [3]},
        {"columns": {"foo": "bar"}},
        {"language": "klingon"},
        {"max_bytes": 0},
        {"max_bytes": math.nan},
        {"shard_rows": 0},
        {"shard_rows": 2.5},
        {"max_seconds": math.nan},
        {"max_seconds": math.inf},
        {"columns": ["candidate"]},
        {"columns": {"candidate": 3}},
        {"language": 3},
        {"workers": -1},
        {"workers": "2"},
        {"executor": "dask"},
        {"executor": object(), "workers": 2},
    ):
        with pytest.raises(CodekinError):
            score(rows(5), output=tmp_path / "run", **{"measures": "nes", **wrong})
        assert not (tmp_path / "run").exists()
    assert len(score(rows(2), "nes", output=tmp_path / "run", workers=0)) == 2


@pytest.mark.parametrize("name", ["y" * 300, "a\0b"])
def test_names_that_no_file_can_have(rows, tmp_path, name) -> None:
    with pytest.raises(CodekinError):
        score(rows(2), "nes", output=tmp_path / name, workers=0)
    with pytest.raises(CodekinError):
        score(name, "nes", workers=0)


def test_a_run_that_was_killed_before_its_manifest_can_be_started_again(rows, tmp_path) -> None:
    (tmp_path / "run" / "shards").mkdir(parents=True)
    (tmp_path / "run" / "codekin-0123456789abcdef.tmp").write_text('{"form')
    assert score(rows(2), "nes", output=tmp_path / "run", workers=0).complete


def test_a_run_is_never_written_through_a_link(rows, tmp_path) -> None:
    """Neither its shards, as a received run could ask for, nor what is not yet whole."""
    arguments = {"output": tmp_path / "run", "workers": 0, "shard_rows": 5}
    score(rows(20), "nes", **arguments)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "run" / "shards" / "000001.parquet").unlink()
    for name in ("manifest.json.tmp", "shards/000001.parquet.tmp", "shards/000001.parquet"):
        (tmp_path / "run" / name).symlink_to(victim)
    score(rows(20), "nes", resume=True, **arguments)
    assert victim.read_text() == "precious"
    assert not (tmp_path / "run" / "shards" / "000001.parquet").is_symlink()
    (tmp_path / "run" / "shards").rename(tmp_path / "elsewhere")
    (tmp_path / "run" / "shards").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CodekinError, match="shards: is a link"):
        score(rows(20), "nes", resume=True, **arguments)


def test_a_run_without_a_folder_leaves_nothing_behind(rows, tmp_path, monkeypatch) -> None:
    def stop(progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for wrong in ({"report": stop}, {"workers": -1}, {"resume": True}):
        with pytest.raises((KeyboardInterrupt, CodekinError)):
            score(rows(2), "nes", **{"workers": 0} | wrong)
    assert not list(tmp_path.iterdir())


def test_what_a_measure_of_others_may_give(own) -> None:
    orders = ["numpy", "fraction", "parts", "bounds", "speechless", "a"]
    given = [{"candidate": order, "reference": "b"} for order in orders]
    run = score(given, [own.Deadly()], workers=0)
    np.testing.assert_equal(run.values("deadly"), [0.5, 0.25, math.nan, math.nan, math.nan, 1])
    table = run.table(["deadly.parts", "deadly.problem"])
    assert table.column(0)[0].as_py() == [("a", 1.0), ("b", 1.0)]
    assert table.column(1).to_pylist() == [
        None,
        None,
        "ValueError: could not convert string to float: 'much'",
        "ValueError: could not convert string to float: 'low'",
        "Speechless",
        None,
    ]


def test_statistics_that_cannot_be_added_up_are_no_score(own) -> None:
    texts = ["[1, 2]", "np.array([3, 4])", "[1]", "[nan, 1]", "[None, 1]", "'ab'", "[10**30, 1.5]"]
    run = score([{"candidate": text, "reference": ""} for text in texts], [own.Counts()], workers=0)
    assert np.isnan(run.values("counts")).tolist() == [False, False, *[True] * 4, False]
    assert run.statistics("counts")[[0, 1, 6]].tolist() == [[1, 2], [3, 4], [1e30, 1.5]]
    problems = run.table(["counts.problem"]).column(0).to_pylist()
    assert problems[2] == "it has 1 statistics, but another row has 2"
    assert codekin.summarize(run).groups[0].measures[0].failed == 4


def test_a_measure_cannot_be_named_as_a_column_is(own, rows) -> None:
    class Weight(own.Moved):
        name = "weight"
        needs_origin = False

    with pytest.raises(CodekinError, match="cannot be named 'weight'"):
        score(rows(1), [Weight()], workers=0)


@pytest.mark.parametrize("nothing", [[], iter([]), pa.table({"candidate": [], "reference": []})])
def test_no_rows_are_refused_before_a_run_is_made(nothing, tmp_path) -> None:
    with pytest.raises(CodekinError, match=r"^score: there are no rows$"):
        score(nothing, "nes", output=tmp_path / "run", workers=0)
    assert not (tmp_path / "run").exists()


def test_a_run_without_rows_can_be_read(run_without_rows) -> None:
    run = run_without_rows("nes")
    assert (run.rows, run.failed, run.complete) == (0, 0, False)
    assert run.values("nes").tolist() == []
    assert len(run.table()) == 0
    assert "0 rows" in repr(run)


def test_a_run_without_a_folder_is_called_by_its_rows(rows, tmp_path) -> None:
    place = tmp_path / "predictions.v2"
    place.mkdir()
    (place / "some.jsonl.gz").write_bytes(
        gzip.compress("".join(json.dumps(row) + "\n" for row in rows(2)).encode())
    )
    named = {"rows": rows(2), "predictions.v2": place, "some": [str(place / "some.jsonl.gz")]}
    for name, given in named.items():
        run = score(given, "nes", workers=0)
        assert (run.name, run.path.parent.name[:8]) == (name, "codekin-")
        assert f"<caption>{name}: 2 rows" in run._repr_html_()
        parent = run.path.parent
        del run
        assert not parent.exists()


def test_a_run_is_no_input(rows, tmp_path) -> None:
    score(rows(2), "nes", output=tmp_path / "run", workers=0)
    with pytest.raises(CodekinError, match="is a run; name the rows"):
        score(str(tmp_path / "run"), "nes", workers=0)


def test_a_run_without_its_manifest_is_no_input_either(rows, tmp_path) -> None:
    score(rows(2), "nes", output=tmp_path / "run", workers=0)
    (tmp_path / "run" / "manifest.json").unlink()
    with pytest.raises(CodekinError, match=r"000000\.parquet: is part of a run; name the rows"):
        score(tmp_path / "run", "nes", workers=0)


def interrupted(given, folder: Path, after: int) -> None:
    """Score until some shards are written, and stop as Ctrl-C does."""
    seen = 0

    def stop(progress) -> None:
        nonlocal seen
        seen += 1
        if seen == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(given, NAMES, output=folder, workers=2, shard_rows=10, report=stop)


def test_resumed_is_as_if_never_stopped(rows, tmp_path) -> None:
    given = rows(95)
    score(given, NAMES, output=tmp_path / "whole", workers=0, shard_rows=10)
    interrupted(given, tmp_path / "run", after=3)
    there = Run(tmp_path / "run").rows
    assert 30 <= there < 95
    assert not Run(tmp_path / "run").complete
    assert "unfinished" in repr(Run(tmp_path / "run"))
    scored = []
    score(
        given,
        NAMES,
        output=tmp_path / "run",
        workers=1,
        shard_rows=10,
        resume=True,
        report=lambda progress: scored.append(progress.scored),
    )
    assert fingerprint(tmp_path / "run") == fingerprint(tmp_path / "whole")
    assert scored[-1] == 95 - there


def test_a_damaged_shard_is_made_anew(rows, tmp_path) -> None:
    given = rows(35)
    arguments = {"output": tmp_path / "run", "workers": 0, "shard_rows": 10}
    score(given, NAMES, **arguments)
    was = fingerprint(tmp_path / "run")
    shards = tmp_path / "run" / "shards"
    (shards / "000001.parquet").write_bytes(b"PAR1 half a file")
    (shards / "000002.parquet").write_bytes(b"")
    damaged = bytearray((shards / "000000.parquet").read_bytes())
    damaged[40] ^= 255  # in the values; the file can still be opened
    (shards / "000000.parquet").write_bytes(damaged)
    (shards / "codekin-0123456789abcdef.tmp").write_bytes(b"left over")
    score(given, NAMES, resume=True, **arguments)
    assert fingerprint(tmp_path / "run") == was


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["bleu"]}, "measures: nes is gone"),
        ({"measures": [measure("bleu", order=2), "nes", "jaccard"]}, "bleu:order=2 is new"),
        ({"language": "java"}, "language was null and is now 'java'"),
        ({"max_bytes": 5}, "max_bytes was 1000000 and is now 5"),
        ({"shard_rows": 11}, "shard_rows was 10 and is now 11"),
        ({"columns": {"id": "task"}}, "columns: id was null and is now 'task'"),
        ({"texts": False}, "texts was True and is now False"),
    ],
)
def test_a_resumed_run_must_ask_the_same(rows, tmp_path, change, message) -> None:
    given = rows(25)
    arguments = {"measures": NAMES, "output": tmp_path / "run", "workers": 0, "shard_rows": 10}
    score(given, **arguments)
    was = fingerprint(tmp_path / "run")
    with pytest.raises(CodekinError, match="cannot be resumed") as caught:
        score(given, **arguments | change, resume=True)
    assert message in str(caught.value)
    assert fingerprint(tmp_path / "run") == was


def test_a_long_parameter_that_no_label_shows_counts_too(rows, tmp_path) -> None:
    one, two = (measure("crystalbleu", trivial=[("a",), (name,)]) for name in "xy")
    score(rows(3), [one], output=tmp_path / "run", workers=0)
    with pytest.raises(CodekinError, match="crystalbleu: fingerprint was"):
        score(rows(3), [two], output=tmp_path / "run", workers=0, resume=True)
    assert Run(tmp_path / "run").measures[0].measure is None
    assert Run(tmp_path / "run", [one]).measures[0].measure == one


def test_changed_rows_are_named(rows, tmp_path) -> None:
    given = rows(25)
    arguments = {"measures": NAMES, "output": tmp_path / "run", "workers": 0, "shard_rows": 10}
    score(given, **arguments)
    given[14]["candidate"] += "x"
    with pytest.raises(CodekinError, match="rows 11 to 20 are not those"):
        score(given, **arguments, resume=True)


@pytest.mark.parametrize("kind", [list, iter])
@pytest.mark.parametrize("number", [20, 40])
def test_rows_that_were_added_or_taken_away_are_named(rows, tmp_path, kind, number) -> None:
    given = rows(40)
    arguments = {"measures": NAMES, "output": tmp_path / "run", "workers": 0, "shard_rows": 10}
    score(kind(given[:30]), **arguments)
    was = fingerprint(tmp_path / "run")
    with pytest.raises(CodekinError, match=r"there were 30 rows|the input has changed: it"):
        score(kind(given[:number]), **arguments, resume=True)
    assert fingerprint(tmp_path / "run") == was


def test_a_complete_run_stays_complete_when_another_input_is_refused(rows, tmp_path) -> None:
    arguments = {"measures": NAMES, "output": tmp_path / "run", "workers": 0, "shard_rows": 10}
    score(iter(rows(30)), **arguments)
    was = fingerprint(tmp_path / "run")
    with pytest.raises(CodekinError, match="rows 1 to 10 are not those"):
        score(iter(rows(30, seed=1)), **arguments, resume=True)
    assert fingerprint(tmp_path / "run") == was


def test_changed_versions_are_named(rows, tmp_path) -> None:
    score(rows(5), "nes", output=tmp_path / "run", workers=0)
    manifest = tmp_path / "run" / "manifest.json"
    content = json.loads(manifest.read_text())
    content["versions"]["tree-sitter-go"] = "0.0.1"
    manifest.write_text(json.dumps(seal_manifest(content)))
    with pytest.raises(CodekinError, match=r"tree-sitter-go was '0\.0\.1' and is now"):
        score(rows(5), "nes", output=tmp_path / "run", workers=0, resume=True)


def test_what_a_run_was_asked_can_be_asked_again(rows, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(5)))
    given = {"language": "python", "max_bytes": 777, "shard_rows": 3, "texts": False}
    score(path, ["bleu", "bleu"], output=tmp_path / "run", workers=0, **given)
    arguments = scoring.arguments_of(tmp_path / "run")
    assert arguments["rows"] == [str(path)]
    assert arguments["measures"] == [measure("bleu"), measure("bleu")]
    assert {name: arguments[name] for name in given} == given
    score(**arguments, output=tmp_path / "run", resume=True, workers=0)
    assert Run(tmp_path / "run").table(["candidate"]).column(0).null_count == 5


def test_rows_of_python_can_only_be_resumed_there(rows, tmp_path) -> None:
    score(rows(5), "nes", output=tmp_path / "run", workers=0)
    with pytest.raises(CodekinError, match="its rows came from Python"):
        scoring.arguments_of(tmp_path / "run")


def test_files_may_move_but_not_change(rows, tmp_path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("".join(json.dumps(row) + "\n" for row in rows(5)))
    score(first, "nes", output=tmp_path / "run", workers=0)
    was = fingerprint(tmp_path / "run")
    first.rename(second)
    score(second, "nes", output=tmp_path / "run", workers=0, resume=True)
    assert fingerprint(tmp_path / "run") == was
    second.write_text(second.read_text() + "{}\n")
    with pytest.raises(CodekinError, match=r"b\.jsonl has changed \(it had"):
        score(second, "nes", output=tmp_path / "run", workers=0, resume=True)
    third = tmp_path / "c.jsonl"
    third.write_bytes(second.read_bytes())
    with pytest.raises(CodekinError, match="files was"):
        score([second, third], "nes", output=tmp_path / "run", workers=0, resume=True)


def test_the_language_is_detected_where_none_is_named() -> None:
    given = [
        {"candidate": "def f(x):\n    return x\n", "reference": "def g(x):\n    return x\n"},
        {"candidate": "func f() int { return 1 }", "reference": "package p\nfunc g() {}"},
        {"candidate": "", "reference": ""},
        {"candidate": "~~ §", "reference": "$$"},
    ]
    run = score(given, ["nes", "tsed"], workers=0)
    assert run.labels_of("language")[:2] == ["python", "go"]
    assert run.values("nes")[2] == 1
    assert not np.isnan(run.values("nes")).any()
    assert np.isnan(run.values("tsed")).tolist() == [False, False, False, True]
    assert run.failed == 1
    # Measures of characters need no language, so none is looked for.
    assert score(given, "nes", workers=0).labels_of("language") == [None] * 4


def test_scores_too_large_for_statistics_fail_their_row():
    rows = [{"candidate": "x" * i, "reference": "x", "language": "python"} for i in (1, 2)]
    run = codekin.score(rows, [lambda a, b: 1e200 if len(a) > 1 else 0.5], workers=0)
    assert run.values(run.measures[0].label)[0] == 0.5
    assert run.failed == 1


def test_a_measure_is_not_called_as_a_column_of_another():
    class Odd:
        name = "exact.parts"

        def score(self, candidate, reference):
            return 1.0

    rows = [{"candidate": "x", "reference": "x", "language": "python"}]
    with pytest.raises(CodekinError, match=r"'exact\.parts', like a column of 'exact'"):
        codekin.score(rows, ["exact", Odd()], workers=0)
