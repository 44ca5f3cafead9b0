from __future__ import annotations

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.runs.conftest import fingerprint

from codekin import CodekinError, Run, score
from codekin.runs.seals import (
    manifest_is_whole,
    seal_manifest,
    seal_shard,
    shard_is_whole,
)

NAMES = ["bleu", "nes"]


@pytest.fixture
def started(rows, tmp_path) -> Run:
    """A run that was killed before its manifest named any shard, and a whole one beside it."""
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(40)))
    for name in ("whole", "run"):
        score(path, NAMES, output=tmp_path / name, workers=0, shard_rows=10)
    manifest = Run(tmp_path / "run").manifest
    begun = manifest | {"state": "running", "records": 0, "rows": 0, "failed": 0, "shards": []}
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(seal_manifest(begun)))
    return Run(tmp_path / "run")


def test_any_flipped_bit_of_a_shard_is_found(started) -> None:
    data = started.files[0].read_bytes()
    assert shard_is_whole(data) is True
    rng = random.Random(0)
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << rng.randrange(8)
        assert shard_is_whole(bytes(flipped)) is not True, place


@pytest.mark.parametrize("change", [b"", b"PAR1", b"x"])
def test_a_longer_or_shorter_file_is_found(started, change) -> None:
    data = started.files[0].read_bytes()
    assert shard_is_whole(change + data[len(change) + 1 :]) is not True
    assert shard_is_whole(data + b"\0") is not True
    assert shard_is_whole(data[:-1]) is not True


def test_a_file_of_others_has_no_seal(tmp_path) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": [1]}), sink)
    data = sink.getvalue().to_pybytes()
    assert not shard_is_whole(data)
    with pytest.raises(ValueError, match="no place for a digest"):
        seal_shard(data)


def test_reading_says_which_file_is_damaged(started) -> None:
    rng = random.Random(1)
    for file in started.files:
        data = file.read_bytes()
        for place in [
            *rng.sample(range(len(data)), 5),
            len(data) - 1,
            data.rfind(b"codekin.sha256"),
        ]:
            flipped = bytearray(data)
            flipped[place] ^= 1 << rng.randrange(8)
            file.write_bytes(flipped)
            for use in (len, Run.table, lambda run: run.values("nes")):
                with pytest.raises(CodekinError) as said:
                    use(Run(started.path))
                assert str(said.value) == (
                    f"{file}: is damaged (its content is not what its digest says); delete it and "
                    f"resume the run: codekin score --resume {started.path}"
                )
        file.write_bytes(data)
    assert len(Run(started.path)) == 40


@pytest.mark.parametrize("named", [False, True])
def test_damaged_shards_are_scored_again_on_resume(started, tmp_path, capsys, named) -> None:
    rng = random.Random(2)
    files = started.files
    for file in (files[1], files[3]):
        data = bytearray(file.read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data)
    if named:
        whole = (tmp_path / "whole" / "manifest.json").read_bytes()
        (started.path / "manifest.json").write_bytes(whole)
    score(
        tmp_path / "rows.jsonl",
        NAMES,
        output=started.path,
        workers=0,
        shard_rows=10,
        resume=True,
    )
    assert capsys.readouterr().err == (
        f"codekin: {started.path}: 2 damaged files are scored again (000001.parquet, "
        "000003.parquet)\n"
    )
    assert fingerprint(started.path) == fingerprint(tmp_path / "whole")


def test_swapped_shards_are_found(started, tmp_path, capsys) -> None:
    first, second = started.files[:2]
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    with pytest.raises(CodekinError, match=r"000000.parquet: .*it is shard 1 under another name"):
        Run(started.path).table()
    score(
        tmp_path / "rows.jsonl", NAMES, output=started.path, workers=0, shard_rows=10, resume=True
    )
    assert "2 damaged files" in capsys.readouterr().err
    assert fingerprint(started.path) == fingerprint(tmp_path / "whole")


def test_a_missing_shard_is_no_shorter_run(started, tmp_path) -> None:
    whole = Run(tmp_path / "whole")
    whole.files[2].unlink()
    with pytest.raises(CodekinError, match=r"000002\.parquet is missing.* --resume"):
        Run(whole.path).table()
    (whole.path / "shards" / "000002.parquet").write_bytes(started.files[2].read_bytes())
    assert len(Run(whole.path)) == 40
    (whole.path / "shards" / "000009.parquet").write_bytes(started.files[2].read_bytes())
    with pytest.raises(
        CodekinError, match=r"000009\.parquet: does not belong to this run.*delete it"
    ):
        Run(whole.path).table()


def test_the_digest_of_a_manifest_is_of_what_it_says() -> None:
    sealed = seal_manifest({"b": [1, 2.5], "a": "é"})
    assert manifest_is_whole(sealed)
    assert manifest_is_whole(dict(reversed(sealed.items())))
    assert seal_manifest(sealed) == sealed
    assert not manifest_is_whole(sealed | {"b": [1, 2]})
    assert not manifest_is_whole({"b": 1})
