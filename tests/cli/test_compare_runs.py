from __future__ import annotations

import csv
import io
import json
import shutil

import pytest

from codekin.runs.comparison import compare_runs
from codekin.runs.run import Run
from codekin.runs.scoring import score
from codekin.runs.seals import seal_manifest


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
    assert f"{bleu.mean.permutation_p_holm:.4f}" in line
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
        "codekin: 2 of 12 rows of A have no counterpart by id and are left out: r0, r1; "
        "to count them as 0, score both files in one command",
        "codekin: bleu is left out: only in weak",
        "codekin: nes is left out: only in other",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a second run, or the field that names the systems, as --system FIELD"),
        (("--group", "x", "--group", "y"), "no row is of the group 'x'"),
        (("--group", "x"), "name two groups to compare, not 1"),
        (("--on", "modle"), "name a second run"),
    ],
)
def test_mistakes_are_one_line(command, weak, words, said) -> None:
    done = command("compare-runs", weak.path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("codekin: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_unknown_fields_name_the_known_ones(process, command, weak, strong) -> None:
    for run, option in ((process, "--on"), (command, "--cluster")):
        done = run("compare-runs", weak.path, strong.path, option, "modle")
        assert done.returncode == 2
        assert "no row has a field 'modle' (known: id, group, language" in done.stderr
        assert "problem)" in done.stderr


def test_pairs_of_different_references_are_warned_of(cli, weak, tmp_path) -> None:
    listed = [{**row, "reference": "y"} for row in rows(9)]
    other = score(listed, ["ed"], output=tmp_path / "other", workers=0)
    done = cli("compare-runs", weak.path, other.path)
    assert "in 12 of 12 pairs by id the references differ; if they do not belong" in done.stderr


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Run:
    """Three samples of each task by one group, and one by the other, which lacks a task."""
    listed = [
        {**row, "group": "many", "task": row["id"], "id": f"many-{row['id']}-{sample}"}
        for sample in range(3)
        for row in rows(3 + sample)
    ]
    listed += [
        {**row, "group": "single", "task": row["id"], "id": f"single-{row['id']}"}
        for row in rows(9, start=1)
    ]
    folder = tmp_path_factory.mktemp("cli") / "samples"
    return score(listed, ["bleu", "ed"], output=folder, workers=0)


def unfinished(run: Run, folder) -> Run:
    shutil.copytree(run.path, folder)
    path = folder / "manifest.json"
    path.write_text(json.dumps(seal_manifest({**json.loads(path.read_text()), "state": "running"})))
    return Run(folder)


def test_pairs_of_several_rows_are_shown_as_such(cli, samples) -> None:
    done = cli("compare-runs", samples.path, "--on", "task", width=200)
    assert "A is many, B is single: 11 pairs of 33 and 11 rows by task" in done.stdout
    gain = compare_runs(samples, on="task").measures[0].gains[0]
    assert (gain.rows_a, gain.rows_b) == (3, 1)
    [line] = [line for line in done.stdout.splitlines() if line.startswith("bleu ")][2:3]
    assert line.split()[:5] == ["bleu", "B", gain.id_a, "(+2)", gain.id_b]
    assert "(+2) after an id: the pair has 2 more rows" in done.stdout
    assert "3 of 36 rows of A have no counterpart by task and are left out" in done.stderr
    document = json.loads(cli("compare-runs", samples.path, "--format", "json").stdout)
    assert document["measures"][0]["gains"][0]["rows_a"] == 3


def test_several_rows_of_one_id_are_shown_as_such(cli, weak, tmp_path) -> None:
    twice = score([*rows(9), *rows(8)], ["ed"], output=tmp_path / "twice", workers=0)
    shown = cli("compare-runs", weak.path, twice.path, width=200).stdout
    assert "A is weak, B is twice: 12 pairs of 12 and 24 rows by id" in shown
    gain = compare_runs(weak, twice).measures[0].gains[0]
    assert [gain.key, gain.key, "(+1)"] in [line.split()[3:6] for line in shown.splitlines()]
    assert "(+" not in cli("compare-runs", twice.path, twice.path).stdout  # no row differs


def test_single_rows_are_shown_without_a_number(cli, weak, strong, both) -> None:
    for words in ((weak.path, strong.path), (both.path,)):
        assert "(+" not in cli("compare-runs", *words, width=200).stdout


def test_unfinished_runs_are_counted_by_system(cli, both, samples, weak, strong, tmp_path) -> None:
    part = unfinished(samples, tmp_path / "part")
    done = cli("compare-runs", part.path, "--on", "task")
    told = f"codekin: {part.path} is not finished; only the rows scored so far are compared: "
    assert done.stderr.splitlines()[0] == told + "36 rows of A and 11 rows of B"
    short = unfinished(strong, tmp_path / "short")
    told = f"codekin: {short.path} is not finished; only the rows scored so far are compared: "
    assert cli("compare-runs", weak.path, short.path).stderr == f"{told}12 rows of B\n"
    other = unfinished(weak, tmp_path / "other")
    assert cli("compare-runs", short.path, other.path).stderr.splitlines() == [
        f"{told}12 rows of A",
        told.replace(str(short.path), str(other.path)) + "12 rows of B",
    ]


def test_a_system_compared_with_itself_is_warned_of(cli, both, weak, strong, tmp_path) -> None:
    around = weak.path.parent / ".." / weak.path.parent.name / "weak"
    for other in (weak.path, around):
        done = cli("compare-runs", weak.path, other)
        assert done.stderr == "codekin: A and B are the same: weak is compared with itself\n"
    name = "org/small 7b"
    done = cli("compare-runs", both.path, "--group", name, "--group", name)
    assert done.stderr == f"codekin: A and B are the same: {name} is compared with itself\n"
    names = ("--group", name, "--group", "org/large, 70b")
    assert cli("compare-runs", both.path, both.path, *names).stderr == ""
    shutil.copytree(weak.path, tmp_path / "weak")
    assert cli("compare-runs", weak.path, tmp_path / "weak").stderr == ""


def test_one_is_not_many(cli, weak, tmp_path) -> None:
    lone = score(rows(9, start=11), ["ed"], output=tmp_path / "lone", workers=0)
    done = cli("compare-runs", lone.path, weak.path)
    assert "A is lone, B is weak: 1 pair by id" in done.stdout
    assert "5,000 resamples of pairs" in done.stdout
    assert "11 of 12 rows of B have no counterpart" in done.stderr
    most = score(rows(9, start=1), ["ed", "bleu"], output=tmp_path / "most", workers=0)
    done = cli("compare-runs", weak.path, most.path)
    assert done.stderr == (
        "codekin: 1 of 12 rows of A has no counterpart by id and is left out: r0; to count it "
        "as 0, score both files in one command\n"
    )


def test_the_output_ends_in_a_conclusion(cli, weak, strong) -> None:
    lines = cli("compare-runs", weak.path, strong.path, width=1000).stdout.splitlines()
    sentences = compare_runs(weak, strong).conclusion()
    assert lines[-len(sentences) :] == sentences
    assert sentences[0].startswith("None of 2 measures distinguishes weak and strong in 12 pairs")
    document = json.loads(cli("compare-runs", weak.path, strong.path, "--format", "json").stdout)
    assert document["conclusion"] == sentences


def test_one_interval_is_shown_and_others_on_demand(cli, weak, strong) -> None:
    words = ("compare-runs", weak.path, strong.path)
    brief, whole = (cli(*words, *more, width=300).stdout for more in ((), ("--detail",)))
    for head in ("95 % percentile", "p boot. (Holm)", "d_z", "r_rb", "p perm."):
        assert head not in brief
        assert head in whole
    assert "95 % interval" in brief


def test_three_runs_are_compared_with_the_best(cli, weak, strong, tmp_path) -> None:
    third = score(rows(6), ["bleu", "ed"], output=tmp_path / "third", workers=0)
    shown = cli("compare-runs", weak.path, strong.path, third.path, width=200).stdout
    assert "3 systems on 12 tasks by id" in shown
    assert "Of 3 systems on 12 tasks, strong is best by both measures" in shown


def test_systems_may_be_named_by_any_field(cli, tmp_path) -> None:
    made = [
        row | {"id": f"{k}-{row['id']}", "model": name}
        for name, k in (("small", 3), ("large", 9))
        for row in rows(k)
    ]
    run = score(made, ["ed"], output=tmp_path / "run", workers=0)
    shown = cli("compare-runs", run.path, "--system", "model", width=200).stdout
    assert "A is small, B is large: 12 pairs by reference" in shown
