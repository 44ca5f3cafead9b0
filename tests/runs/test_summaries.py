from __future__ import annotations

import json
import math

import numpy as np
import pytest

from codekin import CodekinError, Source, measure
from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.seals import seal_manifest
from codekin.runs.summaries import clusters_of, numbered, summarize


def rows(number: int = 24) -> list[dict[str, object]]:
    return [
        {
            "id": f"r{i}",
            "language": "python",
            "candidate": f"f(x, {i % 3}) + {i % 5}",
            "reference": f"f(x, {i % 4}) - g(y)",
            "problem": f"p{i // 3}",
            **({"group": "ab"[i % 2]} if i % 5 else {}),
        }
        for i in range(number)
    ]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    return score(rows(), ["bleu", "ed"], output=tmp_path_factory.mktemp("run") / "run", workers=0)


def test_the_whole_run_is_one_group(run) -> None:
    summary = summarize(run)
    [group] = summary.groups
    assert (summary.run, summary.complete, summary.rows, group.rows) == ("run", True, 24, 24)
    assert (group.name, group.clusters) == (None, None)
    bleu, ed = group.measures
    assert (bleu.label, bleu.distance, bleu.rows, bleu.failed) == ("bleu", False, 24, 0)
    assert ed.distance
    assert bleu.mean.value == pytest.approx(run.values("bleu").mean())
    assert bleu.mean.bca.low < bleu.mean.value < bleu.mean.bca.high
    assert ed.corpus is None


def test_the_corpus_value_is_that_of_the_texts(run) -> None:
    [group] = summarize(run).groups
    sources = [(Source(r["candidate"], "python"), Source(r["reference"], "python")) for r in rows()]
    expected = measure("bleu").corpus_score([a for a, _ in sources], [[b] for _, b in sources])
    corpus = group.measures[0].corpus
    assert corpus is not None
    assert corpus.value == pytest.approx(expected)
    assert corpus.percentile.low < corpus.value < corpus.percentile.high


def test_groups_in_order_of_appearance_and_rows_without_one(run) -> None:
    summary = summarize(run, by="group")
    assert [(g.name, g.rows) for g in summary.groups] == [("(none)", 5), ("b", 10), ("a", 9)]
    labels, values = run.labels_of("group"), run.values("bleu")
    for group, label in zip(summary.groups, (None, "b", "a"), strict=True):
        mine = values[[one == label for one in labels]]
        assert group.measures[0].mean.value == pytest.approx(mine.mean())


def test_a_group_is_summarized_as_it_would_be_alone(run, tmp_path) -> None:
    mine = [row for row in rows() if row.get("group") == "a"]
    alone = summarize(score(mine, ["bleu", "ed"], output=tmp_path / "a", workers=0), seed=3)
    [group] = [g for g in summarize(run, by="group", seed=3).groups if g.name == "a"]
    for one, other in zip(group.measures, alone.groups[0].measures, strict=True):
        assert one.mean == other.mean
        assert one.corpus == other.corpus


def test_a_group_may_be_any_field(run) -> None:
    assert len(summarize(run, by="problem", resamples=50).groups) == 8
    with pytest.raises(CodekinError, match=r"no row has a field 'nope' \(known: .*problem"):
        summarize(run, by="nope")
    with pytest.raises(CodekinError, match="no row has a field 'nope'"):
        summarize(run, cluster="nope")


def test_more_groups_than_anyone_reads_are_refused(run, monkeypatch) -> None:
    monkeypatch.setattr("codekin.runs.summaries._MOST_GROUPS", 20)
    with pytest.raises(
        CodekinError, match="id divides the rows into 24 groups, but the limit is 20; to"
    ):
        summarize(run, by="id")


def test_clusters_are_counted_in_each_group(run) -> None:
    [group] = summarize(run, cluster="problem").groups
    assert group.clusters == 8
    plain, clustered = (summarize(run, cluster=c).groups[0] for c in (None, "problem"))
    assert plain.measures[0].mean.value == pytest.approx(clustered.measures[0].mean.value)
    assert plain.measures[0].mean.bca != clustered.measures[0].mean.bca
    by_group = summarize(run, by="group", cluster="problem", resamples=50)
    assert [g.clusters for g in by_group.groups] == [5, 8, 7]


def test_a_seed_repeats_and_another_does_not(run) -> None:
    assert summarize(run, seed=5) == summarize(run, seed=5)
    assert summarize(run, seed=5).groups != summarize(run, seed=6).groups


def test_failed_rows_are_counted_and_left_out(tmp_path) -> None:
    bad = [*rows(6), {"id": "bad", "candidate": 3, "reference": "x"}]
    run = score(bad, "bleu", output=tmp_path / "run", workers=0)
    [group] = summarize(run).groups
    [bleu] = group.measures
    assert (bleu.rows, bleu.failed) == (7, 1)
    good = score(rows(6), "bleu", output=tmp_path / "good", workers=0)
    assert bleu.mean == summarize(good).groups[0].measures[0].mean
    assert bleu.corpus == summarize(good).groups[0].measures[0].corpus


def test_a_run_of_failures_has_no_figures(tmp_path) -> None:
    rows = [{"id": "bad", "candidate": one, "reference": "x"} for one in (3, True, [])]
    run = score(rows, "bleu", output=tmp_path / "run", workers=0)
    [group] = summarize(run).groups
    [bleu] = group.measures
    assert (bleu.rows, bleu.failed) == (3, 3)
    assert math.isnan(bleu.mean.value)
    assert bleu.corpus is None or math.isnan(bleu.corpus.value)


def test_an_empty_run(run_without_rows) -> None:
    run = run_without_rows("bleu")
    [group] = summarize(run).groups
    assert group.rows == 0
    assert math.isnan(group.measures[0].mean.value)
    assert summarize(run, by="group").groups == ()


def test_weights_count(tmp_path) -> None:
    weighted = [{**row, "weight": 1 + i} for i, row in enumerate(rows(8))]
    run = score(weighted, "bleu", output=tmp_path / "run", workers=0)
    repeated = [row for i, row in enumerate(rows(8)) for _ in range(1 + i)]
    same = score(repeated, "bleu", output=tmp_path / "same", workers=0)
    (one,), (other,) = (summarize(r).groups[0].measures for r in (run, same))
    assert one.mean.value == pytest.approx(other.mean.value)
    assert one.corpus is not None
    assert other.corpus is not None
    assert one.corpus.value == pytest.approx(other.corpus.value)


def test_rows_of_weight_0_are_left_out(tmp_path) -> None:
    mixed = [{**row, "weight": i % 2} for i, row in enumerate(rows(8))]
    run = score(mixed, "bleu", output=tmp_path / "run", workers=0)
    odd = score(rows(8)[1::2], "bleu", output=tmp_path / "odd", workers=0)
    (one,), (other,) = (summarize(r).groups[0].measures for r in (run, odd))
    assert (one.mean, one.corpus) == (other.mean, other.corpus)


def test_an_unfinished_run_says_so(run, tmp_path) -> None:
    short = score(rows(), "ed", output=tmp_path / "run", workers=0, shard_rows=10)
    (short.path / "shards" / "000002.parquet").unlink()
    manifest = json.loads((short.path / "manifest.json").read_text())
    manifest["state"] = "running"
    manifest["shards"].pop()
    (short.path / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))
    summary = summarize(Run(short.path))
    assert (summary.complete, summary.rows) == (False, 20)


@pytest.mark.parametrize("options", [{"resamples": 0}, {"level": 95.0}, {"seed": -1}])
def test_impossible_numbers_are_refused(run, options) -> None:
    with pytest.raises(CodekinError, match=next(iter(options))):
        summarize(run, **options)


def test_numbers_of_labels() -> None:
    codes, names = numbered(["x", None, "y", "x", None])
    assert codes.tolist() == [0, 1, 2, 0, 1]
    assert names == ["x", None, "y"]
    assert clusters_of(["x", None, "1", "x", None]).tolist() == [0, 1, 2, 0, 3]
    assert clusters_of([]).dtype == np.intp


def test_a_folder_will_do(run) -> None:
    assert summarize(run.path, resamples=50) == summarize(run, resamples=50)
    assert summarize(str(run.path), resamples=50) == summarize(run, resamples=50)
