"""Manifests and shards as no codekin writes them: they work, or the error is one line."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Run, compare_runs, score, summarize
from codekin.runs.failures import failures
from codekin.runs.manifest import read_manifest
from codekin.runs.scoring import arguments_of
from codekin.runs.seals import seal_manifest, sha256_of
from codekin.runs.shard_table import file_bytes, shard_note

NAMES = ["bleu", "ed"]


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("damaged")
    rows = [
        {"id": str(i), "language": "python", "candidate": f"x = {i}", "reference": "x = 1", "k": i}
        for i in range(6)
    ]
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    score(path, NAMES, output=folder / "run", workers=0, shard_rows=3)
    return folder / "run"


@pytest.fixture(scope="module")
def copied(good, tmp_path_factory):
    """A function that puts a manifest and shards into a copy of the run, always the same folder."""
    folder = tmp_path_factory.mktemp("copy") / "run"

    def copy_run(manifest: bytes | None = None, shard: bytes | None = None) -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(good, folder)
        if shard is not None:
            name = "shards/000001.parquet"
            (folder / name).write_bytes(shard)
            content = read_manifest(good)
            content["shards"][1]["sha256"] = sha256_of(shard)
            manifest = json.dumps(seal_manifest(content)).encode()
        if manifest is not None:
            (folder / "manifest.json").write_bytes(manifest)
        return folder

    return copy_run


def use(folder: Path, good: Path) -> list[str]:
    """Do all that can be done with a run; the errors that it raised, each of one line."""
    said: list[str] = []

    def resume() -> None:
        score(**arguments_of(folder), output=folder, resume=True, workers=0)

    for work in (
        lambda: Run(folder).table(),
        lambda: [len(Run(folder)), repr(Run(folder)), Run(folder)._repr_html_()],
        lambda: [Run(folder).statistics(one.label) for one in Run(folder).measures if one.corpus],
        lambda: [Run(folder).labels_of("k"), Run(folder).to_pandas(), failures(Run(folder))],
        lambda: summarize(Run(folder), "group", resamples=5),
        lambda: compare_runs(Run(folder), Run(good), resamples=5),
        resume,
    ):
        try:
            work()
        except CodekinError as error:
            assert "\n" not in str(error)
            said.append(str(error))
    return said


def test_a_good_run_has_no_fault(good, copied) -> None:
    assert use(copied(), good) == []


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b"7",
        b'"format"',
        b"{",
        b'{"format": 4',
        b'{"format": 4}',
        b'{"format": 2}',
        b'{"format": 1}',
        b'{"format": true}',
        b'{"format": 4.0}',
        b'{"format": 99}',
        b'{"format": 1e999}',
        b'{"format": NaN}',
        b'{"format": 1, "format": 4}',
        b'{"format": ' + b"9" * 5000 + b"}",
        b'{"a":' * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"format": 4, "a": ' + b"[" * 900 + b"]" * 900 + b"}",
        b"\xff\xfe{",
        b"\x80\x81",
        '{"format": 4}'.encode("utf-16"),
        bytes(1000),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_manifest_at_all(good, copied, text) -> None:
    said = use(copied(text), good)
    assert len(said) == 7
    assert all("manifest.json: is " in one or "is a run of format" in one for one in said)


def test_any_change_of_a_manifest_is_found(good, copied) -> None:
    text = (good / "manifest.json").read_bytes()
    for place in range(0, len(text), 7):
        flipped = bytearray(text)
        flipped[place] ^= 1 << place % 8
        try:
            content = read_manifest(copied(bytes(flipped)))
        except CodekinError:
            continue
        assert content == read_manifest(good)  # only the layout has changed


HOSTILE = [
    None,
    True,
    -1,
    0,
    10**30,
    1e308,
    2.5,
    "",
    "../../../etc/passwd",
    "a\0b",
    "\ud800",
    "complete",
    [],
    {},
    [[[]]],
    {"kind": "files"},
    {"kind": "nothing"},
    ["x"],
    "f" * 64,
]


def paths(value, here=()):
    """Every place in a manifest, as the keys that lead to it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*here, key)
            yield from paths(value[key], (*here, key))


@settings(max_examples=60)
@given(st.data())
def test_edited_manifests_work_or_are_refused_in_one_line(good, copied, data) -> None:
    content = copy.deepcopy(read_manifest(good))
    *way, key = data.draw(st.sampled_from(list(paths(content))))
    inner = content
    for step in way:
        inner = inner[step]
    if data.draw(st.booleans()):
        inner[key] = data.draw(st.sampled_from(HOSTILE))
    else:
        del inner[key]
    if content.get("format") == 2:
        content = seal_manifest(content)
    use(copied(json.dumps(content).encode()), good)


def changed(good: Path, change) -> bytes:
    """The second shard of the run with another table, sealed as if it were right."""
    table = pq.read_table(good / "shards" / "000001.parquet")
    note = shard_note(table.schema.metadata)
    return file_bytes(change(table), note)


def with_column(name, values, kind=None):
    def change(table):
        column = pa.array(values, kind or table.schema.field(name).type)
        return table.set_column(table.schema.get_field_index(name), name, column)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop_columns(["bleu"]), "has no column 'bleu'"),
        (lambda table: table.drop_columns(["id"]), "has no column 'id'"),
        (lambda table: table.drop_columns(["bleu.statistics"]), "no column 'bleu.statistics'"),
        (with_column("bleu", ["a"] * 3, pa.string()), "'bleu' must be of type double, not string"),
        (with_column("bleu", [1, 2, 3], pa.int64()), "'bleu' must be of type double, not int64"),
        (with_column("id", [1, 2, 3], pa.int64()), "'id' must be of type string, not int64"),
        (with_column("id", [b"\xff"] * 3, pa.binary()), "'id' must be of type string, not binary"),
        (with_column("id", [None] * 3), "column 'id' has nulls"),
        (with_column("fields", [None] * 3), "column 'fields' has nulls"),
        (with_column("fields", ["{"] * 3), "the fields of a row are not a JSON object"),
        (with_column("fields", ["[]"] * 3), "the fields of a row are not a JSON object"),
        (with_column("fields", ["[" * 10000] * 3), "the fields of a row are not a JSON object"),
        (with_column("fields", ['{"a": NaN}'] * 3), "the fields of a row are not a JSON object"),
        (with_column("fields", ['{"a": 1e999}'] * 3), "the fields of a row are not a JSON object"),
        (with_column("bleu", [np.inf, 1.0, 0.5]), "column 'bleu' are numbers"),
        (with_column("bleu.lower", [np.nan, 1.0, 0.5]), "column 'bleu.lower' are numbers"),
        (with_column("weight", [np.inf, 1.0, 0.5]), "column 'weight' are numbers"),
        (with_column("bleu.statistics", [[np.nan]] * 3), "column 'bleu.statistics' are numbers"),
        (with_column("bleu.statistics", [[1.0]] * 3), "run has different numbers of statistics"),
        (
            with_column("bleu.statistics", [[1.0], [1.0, 2.0], []]),
            "different numbers of statistics",
        ),
        (lambda table: table.slice(0, 2), "not have as many rows as were scored"),
        (lambda table: pa.concat_tables([table, table]), "not have as many rows as were scored"),
        (lambda table: table.slice(0, 0), "not have as many rows as were scored"),
        (lambda table: table.append_column("id", table.column("id")), "the same name"),
    ],
)
def test_shards_with_other_columns_are_refused(good, copied, change, message) -> None:
    said = use(copied(shard=changed(good, change)), good)
    assert any(message in one for one in said)
    assert all("000001.parquet" in one for one in said if "is damaged" in one)


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1PAR1", b"x" * 500, bytes(100)])
def test_files_that_are_no_parquet_are_refused(good, copied, data) -> None:
    said = use(copied(shard=data), good)
    assert len(said) >= 6
    assert "000001.parquet: is damaged" in said[0]


def test_what_is_no_file_is_refused(good, copied) -> None:
    folder = copied()
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").mkdir()
    assert all("manifest.json: is a folder" in message for message in use(folder, good))
    folder = copied()
    (folder / "shards" / "000001.parquet").unlink()
    (folder / "shards" / "000001.parquet").mkdir()
    said = use(folder, good)
    assert "000001.parquet: is damaged (" in said[0]
    assert (
        said[-1]
        == f"{folder / 'shards/000001.parquet'}: is not a file; delete it, and resume the run"
    )
    with pytest.raises(CodekinError, match="embedded null byte"):
        Run("a\0b")


@pytest.mark.parametrize(
    "view",
    [
        {"kind": "prophecy"},
        {"kind": "triplets", "seed": 1},
        {"kind": "card", "seed": "1"},
        {"kind": "card", "seed": True},
        {"kind": "outcomes", "perturb": 5, "seed": 0},
        {"kind": "outcomes", "perturb": "nothing", "seed": 0},
    ],
)
def test_rows_made_in_an_unknown_way_are_refused(good, copied, view) -> None:
    content = read_manifest(good)
    content["asked"]["view"] = view
    folder = copied(json.dumps(seal_manifest(content)).encode())
    with pytest.raises(CodekinError, match=r"which this codekin does not know|perturbation"):
        arguments_of(folder)


def test_statistics_of_another_measure_are_refused(tmp_path) -> None:
    row = {"id": "1", "language": "python", "candidate": "x = 1", "reference": "x = 2"}
    score([row], "bleu", output=tmp_path / "run", workers=0)
    file = tmp_path / "run" / "shards" / "000000.parquet"
    table = pq.read_table(file)
    forged = with_column("bleu.statistics", [[1.0]])(table)
    file.write_bytes(file_bytes(forged, shard_note(table.schema.metadata)))
    content = read_manifest(tmp_path / "run")
    content["shards"][0]["sha256"] = sha256_of(file.read_bytes())
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(seal_manifest(content)))
    with pytest.raises(CodekinError, match="other statistics than 'bleu' keeps"):
        summarize(Run(tmp_path / "run"), resamples=5)
