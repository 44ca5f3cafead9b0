from __future__ import annotations

import csv
import io
import json

import pytest

from codekin.engine.run import Run
from codekin.engine.run_comparison import compare_runs
from codekin.engine.scoring import score


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


def rows(k: int, start: int = 0, **fields: object) -> list[dict[str, object]]:
    return [
        {
            "id": f"r{i}",
            "language": "python",
            "candidate": f"f(x, {i % k})",
            "reference": f"f(x, {i})",
            "problem": i // 3,
            **fields,
        }
        for i in range(start, 12)
    ]


@pytest.fixture(scope="module")
def weak(tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp("cli") / "weak"
    return score(rows(3), ["bleu", "ed"], output=folder, workers=0)


@pytest.fixture(scope="module")
def strong(tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp("cli") / "strong"
    return score(rows(9), ["bleu", "ed"], output=folder, workers=0)


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> Run:
    pairs = [("org/small 7b", 3), ("org/large, 70b", 9)]
    listed = [
        {**row, "group": name, "id": f"{name}-{row['id']}"} for name, k in pairs for row in rows(k)
    ]
    folder = tmp_path_factory.mktemp("cli") / "both"
    return score(listed, ["bleu", "ed"], output=folder, workers=0)


def test_the_table_has_differences_tests_and_rows(cli, weak, strong) -> None:
    shown = cli("compare-runs", weak.path, strong.path, width=200).stdout
    bleu = compare_runs(weak, strong).measures[0]
    assert "A is weak, B is strong: 12 pairs by id" in shown
    [line] = [line for line in shown.splitlines() if line.startswith("bleu ")][:1]
    assert f"{bleu.mean.difference.value:+.4f}" in line
    assert f"{bleu.mean.permutation_p:.4f} ({bleu.mean.permutation_p_holm:.4f})" in line
    assert "6/6/0" in line
    assert "Rows that differ most" in shown
    assert "5,000 resamples of pairs, seed 0" in shown
    assert "Rows that differ" not in cli("compare-runs", weak.path, strong.path, "--top", 0).stdout


@pytest.mark.parametrize("width", [40, 80, 200])
def test_any_width_will_do(cli, both, width) -> None:
    shown = cli("compare-runs", both.path, width=width).stdout
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert "win/tie/loss" in shown


def test_json_has_everything_and_no_nan(cli, weak, strong, tmp_path) -> None:
    done = cli("compare-runs", weak.path, strong.path, "--cluster", "problem", "--format", "json")
    document = json.loads(done.stdout, parse_constant=no_constant)
    expected = compare_runs(weak, strong, cluster="problem")
    assert (document["a"]["name"], document["b"]["name"]) == ("weak", "strong")
    assert (document["on"], document["pairs"], document["cluster"]) == ("id", 12, "problem")
    bleu = document["measures"][0]
    assert bleu["mean"]["permutation_p"] == expected.measures[0].mean.permutation_p
    assert bleu["mean"]["units"] == 4
    assert bleu["corpus"]["difference"]["bca"] is not None
    assert bleu["gains"][0]["id_b"] == expected.measures[0].gains[0].id_b
    lone = score(rows(9, start=11), ["bleu", "ed"], output=tmp_path / "lone", workers=0)
    done = cli("compare-runs", weak.path, lone.path, "--format", "json")
    document = json.loads(done.stdout, parse_constant=no_constant)
    assert document["measures"][0]["mean"]["difference"]["bca"] is None
    assert document["measures"][0]["cohen_dz"] is None


def test_csv_reads_back(cli, weak, strong) -> None:
    done = cli("compare-runs", weak.path, strong.path, "--format", "csv")
    mean, corpus, ed = csv.DictReader(io.StringIO(done.stdout))
    assert (mean["measure"], mean["value_of"]) == ("bleu", "mean")
    assert (corpus["measure"], corpus["value_of"], corpus["wins"]) == ("bleu", "corpus", "")
    assert (ed["system_a"], ed["system_b"], ed["wins"]) == ("weak", "strong", "6")


@pytest.mark.parametrize("wanted", ["latex", "markdown"])
def test_tables_for_papers(cli, both, wanted) -> None:
    shown = cli("compare-runs", both.path, "--format", wanted).stdout
    assert "bleu corpus" in shown
    assert "org/small 7b-r" in shown
    assert shown.count(r"\toprule" if wanted == "latex" else "|:--") >= 2


def test_groups_with_slashes_blanks_and_commas(cli, both) -> None:
    words = ("--group", "org/large, 70b", "--group", "org/small 7b")
    document = json.loads(cli("compare-runs", both.path, *words, "--format", "json").stdout)
    assert (document["a"]["name"], document["b"]["name"]) == ("org/large, 70b", "org/small 7b")
    assert document["on"] == "reference"
    assert document["measures"][0]["losses"] == 6


def test_what_is_left_out_is_said_on_stderr(cli, weak, tmp_path) -> None:
    other = score(rows(9, start=2), ["ed", "nes"], output=tmp_path / "other", workers=0)
    done = cli("compare-runs", weak.path, other.path, "--format", "csv")
    assert done.stderr.splitlines() == [
        "codekin: 2 of 12 rows of A have no counterpart by id and are left out: r0, r1",
        "codekin: bleu is left out: only in weak",
        "codekin: nes is left out: only in other",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a second run, or two groups of this one"),
        (("--group", "x", "--group", "y"), "no row is of the group 'x'"),
        (("--group", "x"), "name two groups to compare, not 1"),
        (("--on", "modle"), "name a second run"),
    ],
)
def test_mistakes_are_one_line(process, weak, words, said) -> None:
    done = process("compare-runs", weak.path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("codekin: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_unknown_fields_name_the_known_ones(process, weak, strong) -> None:
    for option in ("--on", "--cluster"):
        done = process("compare-runs", weak.path, strong.path, option, "modle")
        assert done.returncode == 2
        assert "no row has a field 'modle' (known: id, group, language" in done.stderr
        assert "problem)" in done.stderr


def test_pairs_of_different_references_are_warned_of(cli, weak, tmp_path) -> None:
    listed = [{**row, "reference": "y"} for row in rows(9)]
    other = score(listed, ["ed"], output=tmp_path / "other", workers=0)
    done = cli("compare-runs", weak.path, other.path)
    assert "in 12 of 12 pairs by id the references differ; if they do not belong" in done.stderr
