from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from codekin import CodekinError, Source, measure
from codekin.runs.comparison import compare_runs
from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.seals import seal_manifest
from codekin.statistics.paired import PairedTest, cohen_dz, holm


def row(i: int, k: int, **fields: object) -> dict[str, object]:
    return {
        "id": f"r{i}",
        "language": "python",
        "candidate": f"f(x, {i % k}, {i // 3})",
        "reference": f"f(x, {i}, {i // 3})",
        **fields,
    }


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Score rows into a folder of their own name."""
    numbers = itertools.count()

    def make(rows, measures=("bleu", "ed"), name: str | None = None, **options) -> Run:
        folder = tmp_path_factory.mktemp("runs") / (name or f"run{next(numbers)}")
        return score(rows, list(measures), output=folder, workers=0, **options)

    return make


@pytest.fixture(scope="module")
def weak(scored) -> Run:
    return scored([row(i, 3) for i in range(12)], name="weak")


@pytest.fixture(scope="module")
def strong(scored) -> Run:
    return scored([row(i, 9) for i in reversed(range(12))], name="strong")


def test_runs_are_paired_by_id_whatever_the_order(weak, strong) -> None:
    comparison = compare_runs(weak, strong)
    assert (comparison.a.name, comparison.b.name) == ("weak", "strong")
    assert (comparison.on, comparison.pairs, comparison.unpaired) == ("id", 12, ())
    bleu, ed = comparison.measures
    a, b = weak.values("bleu"), strong.values("bleu")[::-1]
    assert bleu.mean.difference.value == pytest.approx((b - a).mean())
    assert bleu.cohen_dz == pytest.approx(cohen_dz(a, b))
    assert bleu.mean.exact
    assert bleu.mean.permutation_p == 2 / 2**6  # six rows differ, all one way
    assert bleu.rank_biserial == 1
    assert ed.rank_biserial == -1
    assert (bleu.wins, bleu.ties, bleu.losses) == (6, 6, 0)
    assert bleu.mean.permutation_p_holm == holm([bleu.mean.permutation_p] * 2)[0]


def test_smaller_distances_win(weak, strong) -> None:
    ed = compare_runs(weak, strong).measures[1]
    assert ed.distance
    assert ed.mean.difference.value < 0
    assert (ed.wins, ed.ties, ed.losses) == (6, 6, 0)
    assert all(one.difference < 0 for one in ed.gains)
    assert ed.drops == ()
    turned = compare_runs(strong, weak).measures[1]
    assert (turned.wins, turned.ties, turned.losses) == (0, 6, 6)
    assert turned.gains == ()


def test_corpus_values_are_compared_too(weak, strong) -> None:
    bleu, ed = compare_runs(weak, strong).measures
    assert ed.corpus is None
    assert bleu.corpus is not None
    texts = [
        (Source(str(r["candidate"]), "python"), Source(str(r["reference"]), "python"))
        for r in (row(i, 9) for i in range(12))
    ]
    expected = measure("bleu").corpus_score([a for a, _ in texts], [[b] for _, b in texts])
    assert bleu.corpus.b == pytest.approx(expected)
    assert bleu.corpus.difference.value == pytest.approx(bleu.corpus.b - bleu.corpus.a)
    assert bleu.corpus.permutation_p_holm == bleu.corpus.permutation_p  # the only one


def test_rows_that_differ_most(weak, strong) -> None:
    ed = compare_runs(weak, strong, top=2).measures[1]
    a, b = weak.values("ed"), strong.values("ed")[::-1]
    best = np.argsort(b - a, kind="stable")[:2]
    assert [(one.key, one.id_a, one.id_b) for one in ed.gains] == [(f"r{i}",) * 3 for i in best]
    assert [(one.a, one.b, one.difference) for one in ed.gains] == [
        (a[i], b[i], b[i] - a[i]) for i in best
    ]
    assert compare_runs(weak, strong, top=0).measures[1].gains == ()


def test_two_groups_of_a_run_are_paired_by_reference(scored) -> None:
    names = ("org/small 7b", "org/large, 70b")
    run = scored(
        [
            row(i, k, group=name, id=f"{name} {i}")
            for name, k in zip(names, (3, 9), strict=True)
            for i in range(12)
        ]
    )
    comparison = compare_runs(run)
    assert (comparison.a.name, comparison.b.name) == names
    assert (comparison.on, comparison.pairs) == ("reference", 12)
    assert comparison.measures[0].wins == 6
    gain = comparison.measures[0].gains[0]
    assert (gain.id_a.rpartition(" ")[0], gain.id_b.rpartition(" ")[0]) == names
    turned = compare_runs(run, groups=names[::-1])
    assert turned.measures[0].losses == 6
    assert turned.a.name == names[1]


def test_a_run_with_other_than_two_groups_needs_them_named(scored, weak) -> None:
    run = scored([row(i, 3, group="abc"[i % 3]) for i in range(6)], ["ed"])
    with pytest.raises(CodekinError, match=r"two groups of this one \(known: a, b, c\)"):
        compare_runs(run)
    with pytest.raises(CodekinError, match="name a second run"):
        compare_runs(weak)
    with pytest.raises(CodekinError, match=r"no row is of the group 'x' \(known: a, b, c\)"):
        compare_runs(run, groups=["a", "x"])
    with pytest.raises(CodekinError, match="name two groups to compare, not 1"):
        compare_runs(run, groups=["a"])


def test_rows_without_a_group_are_one(scored) -> None:
    rows = [row(i, 3, id=f"x{i}") for i in range(6)] + [row(i, 9, group="g") for i in range(6)]
    comparison = compare_runs(scored(rows, ["ed"]), groups=["(none)", "g"])
    assert (comparison.a.name, comparison.a.rows, comparison.pairs) == ("(none)", 6, 6)


def test_groups_of_two_runs_are_told_apart(scored) -> None:
    runs = [scored([row(i, k, group="g") for i in range(4)], ["ed"]) for k in (3, 9)]
    comparison = compare_runs(*runs, groups=["g", "g"])
    assert (comparison.a.name, comparison.b.name) == tuple(f"{run.name} g" for run in runs)
    same = [scored([row(i, 3) for i in range(4)], ["ed"], name="run") for _ in "ab"]
    comparison = compare_runs(*same)
    assert (comparison.a.name, comparison.b.name) == tuple(str(run.path) for run in same)


def test_unpaired_rows_are_counted_and_named(scored, weak) -> None:
    other = scored([row(i, 9) for i in range(3, 14)])
    comparison = compare_runs(weak, other)
    assert comparison.pairs == 9
    assert (comparison.a.rows, comparison.a.unpaired) == (12, 3)
    assert (comparison.b.rows, comparison.b.unpaired) == (11, 2)
    assert comparison.unpaired == ("r0", "r1", "r2")


def test_nothing_shared_is_an_error(scored, weak) -> None:
    other = scored([row(i, 3, id=f"x{i}", reference="y") for i in range(3)])
    with pytest.raises(CodekinError, match="no row in common by id nor by reference; name a field"):
        compare_runs(weak, other)
    with pytest.raises(CodekinError, match="no row in common by id;"):
        compare_runs(weak, other, on="id")
    with pytest.raises(CodekinError, match=r"no row has a field 'task' \(known: id, group"):
        compare_runs(weak, other, on="task")


def test_rows_of_one_key_are_averaged_and_their_statistics_summed(scored) -> None:
    samples = scored([row(i, k, id=f"{i}-{k}", task=i) for i in range(5) for k in (2, 3)])
    single = scored([row(i, 9, id=f"{i}", task=i) for i in range(5)])
    comparison = compare_runs(samples, single, on="task")
    assert (comparison.on, comparison.pairs) == ("task", 5)
    bleu = comparison.measures[0]
    a = samples.values("bleu").reshape(5, 2).mean(axis=1)
    assert bleu.mean.a == pytest.approx(a.mean())
    assert bleu.corpus is not None
    total = samples.statistics("bleu").sum(axis=0)
    assert bleu.corpus.a == pytest.approx(measure("bleu").from_statistics(total.tolist())[0])
    gain = bleu.gains[0]
    assert gain.id_a == f"{gain.key}-2"  # the first of its rows


def test_pairs_with_a_failure_are_left_out_by_measure(scored) -> None:
    good = [row(i, 3) for i in range(8)]
    # The package codebleu compares texts of one language.
    bad = [row(i, 9, **({"reference_language": "java"} if i == 2 else {})) for i in range(7)]
    bad.append({"id": "r7", "candidate": 5, "reference": "x"})
    measures = ["ed", measure("codebleu", compat="codebleu")]
    comparison = compare_runs(*(scored(rows, measures) for rows in (good, bad)))
    ed, codebleu = comparison.measures
    assert comparison.pairs == 8
    assert (ed.pairs, ed.failed) == (7, 1)
    assert (codebleu.pairs, codebleu.failed) == (6, 2)
    assert codebleu.wins + codebleu.ties + codebleu.losses == 6
    assert codebleu.mean.units == 6


def test_answers_must_be_read_alike() -> None:
    runs = [score([row(1, 9)], "nes", workers=0, extract_code=how) for how in (None, "first")]
    with pytest.raises(
        CodekinError, match=r"rows none and .*rows first\); score both with the same"
    ):
        compare_runs(*runs)


def test_measures_must_mean_the_same(scored, weak) -> None:
    other = scored([row(i, 9) for i in range(12)], ["nes", "bleu"])
    path = other.path / "manifest.json"
    manifest = json.loads(path.read_text())
    text = path.read_text().replace("bleu|", "bleu|order:2|")
    assert text != path.read_text()
    path.write_text(json.dumps(seal_manifest(json.loads(text))))
    other = Run(other.path)
    assert manifest["asked"]["measures"][0]["label"] == "nes"
    with pytest.raises(
        CodekinError, match=r"no measure to compare by .*bleu not the same.*ed only"
    ):
        compare_runs(weak, other)
    both = scored([row(i, 9) for i in range(12)], ["nes", "ed"])
    comparison = compare_runs(weak, both)
    assert [one.label for one in comparison.measures] == ["ed"]
    assert {one.label: one.reason for one in comparison.skipped} == {
        "bleu": "only in weak",
        "nes": f"only in {both.name}",
    }


def test_clusters_hold_whole_pairs(scored) -> None:
    runs = [scored([row(i, k, task=i // 3) for i in range(12)], ["ed"]) for k in (3, 9)]
    comparison = compare_runs(*runs, cluster="task")
    [ed] = comparison.measures
    assert (comparison.cluster, comparison.pairs, ed.mean.units) == ("task", 12, 4)
    a, b = (run.values("ed").reshape(4, 3).sum(axis=1) for run in runs)
    ways = [abs((np.array(way) * (b - a)).sum()) for way in itertools.product((1, -1), repeat=4)]
    assert ed.mean.permutation_p == np.mean([way >= abs((b - a).sum()) for way in ways])
    torn = scored([row(i, 9, task=i) for i in range(12)], ["ed"])
    with pytest.raises(
        CodekinError, match="by id 'r1' have '0' and '1' for task; all rows of a pair"
    ):
        compare_runs(runs[0], torn, cluster="task")


def test_a_run_against_itself_does_not_differ(weak) -> None:
    comparison = compare_runs(weak, weak)
    for one in comparison.measures:
        assert (one.mean.difference.value, one.mean.permutation_p, one.mean.bootstrap_p) == (
            0,
            1,
            1,
        )
        assert (one.wins, one.ties, one.losses) == (0, 12, 0)
        assert (one.cohen_dz, one.gains, one.drops) == (0, (), ())


def test_one_pair_has_no_interval(scored) -> None:
    runs = [scored([row(5, k)], ["ed"]) for k in (3, 9)]
    [ed] = compare_runs(*runs).measures
    assert math.isnan(ed.mean.difference.bca.low)
    assert math.isnan(ed.cohen_dz)


def test_weights_of_pairs_count(scored) -> None:
    runs = [scored([row(i, k, weight=1 + i) for i in range(6)], ["ed"]) for k in (3, 9)]
    [ed] = compare_runs(*runs).measures
    weights = np.arange(1, 7)
    assert ed.mean.a == pytest.approx(np.average(runs[0].values("ed"), weights=weights))


def test_a_system_that_failed_in_every_row_is_not_compared(scored, weak) -> None:
    wrong = [5, []] * 6
    broken = scored(
        [{"id": f"r{i}", "candidate": c, "reference": "x"} for i, c in enumerate(wrong)]
    )
    comparison = compare_runs(weak, broken)
    for one in comparison.measures:
        assert (one.pairs, one.failed) == (0, 12)
        assert math.isnan(one.mean.difference.value)
        assert math.isnan(one.mean.permutation_p_holm)
        assert one.corpus is None
        assert math.isnan(one.rank_biserial)


def test_pairs_of_different_references_are_counted(scored, weak) -> None:
    shuffled = scored([row(i, 9, reference=f"f(x, {i % 10})") for i in range(12)])
    comparison = compare_runs(weak, shuffled)
    assert (comparison.pairs, comparison.other_references) == (12, 12)
    half = [row(i, 9, **({"reference": "y"} if i % 2 else {})) for i in range(12)]
    assert compare_runs(weak, scored(half)).other_references == 6
    assert compare_runs(weak, weak).other_references == 0


@pytest.fixture(scope="module")
def sixty(scored) -> list[Run]:
    """60 pairs of systems that differ by chance, and to 20 of them a third that is worse.

    Ten pairs are in one run, since each comparison reads the whole run.
    """
    generator = np.random.default_rng(11)
    runs, rows = [], []
    for seed in range(60):
        for name, wrong in [("a", 0.2), ("b", 0.2), ("c", 0.4)][: 3 if seed < 20 else 2]:
            for i in range(40):
                words = [f"v{i}", "=", "f", "(", "x", ",", str(i), ")", "+", "g", "(", "y", ")"]
                hit = generator.random(len(words)) < wrong
                rows.append(
                    {
                        "id": f"{name} {seed} {i}",
                        "group": f"{name} {seed}",
                        "language": "python",
                        "candidate": " ".join(
                            "z" if h else w for h, w in zip(hit, words, strict=True)
                        ),
                        "reference": " ".join(words),
                    }
                )
        if seed % 10 == 9:
            runs.append(scored(rows, ["bleu", "nes"], texts=False, shard_rows=20_000))
            rows = []
    return runs


def paired_tests(runs: list[Run], a: str, b: str, seed: int) -> list[PairedTest]:
    groups = [f"{a} {seed}", f"{b} {seed}"]
    bleu, nes = compare_runs(runs[seed // 10], groups=groups, resamples=300, top=0).measures
    assert bleu.corpus is not None
    return [bleu.mean, nes.mean, bleu.corpus]


def test_systems_that_differ_by_noise_have_a_large_p(sixty) -> None:
    tests = [paired_tests(sixty, "a", "b", seed) for seed in range(60)]
    for of_measure in zip(*tests, strict=True):
        assert sum(test.permutation_p > 0.05 for test in of_measure) >= 54
        assert sum(test.bootstrap_p > 0.05 for test in of_measure) >= 54


def test_systems_that_differ_by_more_have_a_small_p(sixty) -> None:
    for seed in range(20):
        for test in paired_tests(sixty, "a", "c", seed):
            assert test.permutation_p < 0.01
            assert test.bootstrap_p < 0.01


def test_parameters_too_long_for_a_signature_count(scored) -> None:
    rows = [row(i, 3) for i in range(4)]
    fitted = [
        measure("crystalbleu").fit([text], 3, language="python") for text in ("f(x)", "y = [z]")
    ]
    runs = [scored(rows, ["ed", one]) for one in fitted]
    comparison = compare_runs(*runs)
    assert [one.label for one in comparison.measures] == ["ed"]
    [skipped] = comparison.skipped
    assert "not the same" in skipped.reason


def test_other_versions_of_a_grammar_are_named(scored, weak) -> None:
    other = scored([row(i, 9) for i in range(12)])
    path = other.path / "manifest.json"
    manifest = json.loads(path.read_text())
    known = manifest["versions"]["tree-sitter-python"]
    manifest["versions"]["tree-sitter-python"] = "0.1"
    path.write_text(json.dumps(seal_manifest(manifest)))
    comparison = compare_runs(weak, Run(other.path))
    assert comparison.other_versions == (f"tree-sitter-python {known} and 0.1",)
    assert compare_runs(weak, weak).other_versions == ()


def test_folders_will_do(weak, strong) -> None:
    expected = compare_runs(weak, strong, resamples=50)
    assert compare_runs(weak.path, str(strong.path), resamples=50) == expected
    with pytest.raises(CodekinError, match="nowhere"):
        compare_runs(weak, "nowhere")


def test_a_text_is_no_list_of_groups(weak) -> None:
    with pytest.raises(CodekinError, match="groups must be a list of two names, not the text 'ab'"):
        compare_runs(weak, groups="ab")


def test_an_unknown_group_is_guessed_and_few_are_named(scored) -> None:
    run = scored([row(i, 3, group=f"model-{i}") for i in range(23)], ["ed"])
    with pytest.raises(CodekinError) as caught:
        compare_runs(run, groups=["modle-2", "model-3"])
    first = ", ".join(f"model-{i}" for i in range(20))
    assert str(caught.value).endswith(
        f": no row is of the group 'modle-2'; did you mean 'model-2'? (known: {first}, and 3 more)"
    )
    with pytest.raises(CodekinError, match=r"groups of this one \(known: .*-19, and 3 more\)"):
        compare_runs(run)
