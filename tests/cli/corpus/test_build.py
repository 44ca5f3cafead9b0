"""The command that builds corpora."""

from __future__ import annotations

import json
import lzma

import pytest
from tests.corpora.small import contest
from tests.corpora.test_builders import tagged

from codekin.corpora.corpus import load_corpus


@pytest.fixture
def corpus(tmp_path):
    place = tmp_path / "tagged"
    tagged(alike=30).save(place)
    return place


@pytest.fixture
def solutions(tmp_path):
    place = tmp_path / "contest"
    contest(authors=5, problems=3).save(place)
    return place


def test_build_prints_the_steps_and_the_balance(cli, corpus, tmp_path):
    result = cli("corpus", "build", corpus, "--cap", "12", "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    for word in ("judge", "contradict", "expand", "extend", "cap", "pairs", "Balance", "tagged"):
        assert word in result.stdout
    assert "limited: having 1: 35 to 12" in result.stdout
    made = load_corpus(tmp_path / "made")
    assert len(made) == 17
    assert made.steps[-2].parameters == {"cap": 12, "seed": 0}


def test_options_reach_the_steps(cli, corpus, tmp_path):
    words = ("--theta", "0.9", "--no-expand", "--min-judges", "3", "--size", "10", "--seed", "5")
    made = tmp_path / "made"
    result = cli("corpus", "build", corpus, *words, "-o", made, "--format", "json")
    assert result.exit_code != 0  # nothing that was judged by three is tagged false
    assert not made.exists()
    words = ("--theta", "0.9", "--no-expand", "--size", "10", "--seed", "5")
    result = cli("corpus", "build", corpus, *words, "-o", made, "--format", "json")
    assert result.exit_code == 0, result.output
    steps = {one["name"]: one for one in json.loads(result.stdout)["steps"]}
    assert steps["extend"]["parameters"] == {"theta": 0.9}
    assert steps["expand"]["parameters"] == {"expand": False}
    assert steps["pairs"]["after"]["pairs"] == 10
    assert steps["pairs"]["parameters"]["seed"] == 5


def test_contests(cli, solutions, tmp_path):
    words = ("--preset", "contest", "--min-solutions", "5")
    result = cli("corpus", "build", solutions, *words, "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    made = load_corpus(tmp_path / "made")
    assert (len(made), made.pairs) == (15, None)


def test_yu_with_all_pairs(cli, corpus, tmp_path):
    words = ("--preset", "yu", "--size", "all")
    result = cli("corpus", "build", corpus, *words, "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    assert load_corpus(tmp_path / "made").pairs.positives == 35 * 34 // 2


def test_the_page_has_a_plot(cli, corpus, tmp_path):
    result = cli("corpus", "build", corpus, "-o", tmp_path / "made", "--format", "html")
    assert result.exit_code == 0, result.output
    assert "<svg" in result.stdout
    assert "How tagged was built" in result.stdout


def test_balance_before_and_after(cli, corpus, tmp_path):
    made, page = tmp_path / "made", tmp_path / "balance.html"
    assert cli("corpus", "build", corpus, "--cap", "12", "-o", made).exit_code == 0
    result = cli("corpus", "balance", corpus, made, "-o", page)
    assert result.exit_code == 0, result.output
    assert "How tagged was built" in page.read_text("utf-8")
    assert page.read_text("utf-8").count('class="mark bar-1"') == 1
    result = cli("corpus", "balance", made, corpus, "--format", "json")  # not built from it
    found = json.loads(result.stdout)
    assert (found["steps"], found["before"]["mean"], found["after"]["mean"]) == ([], 12.0, 35.0)
    assert "<svg" in cli("corpus", "balance", corpus, "--format", "html").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--preset", "kon"), "unknown 'kon'; did you mean 'con'?"),
        (("--size", "1"), "cannot read '1'; write a number from 2, all or none"),
        (("--size", "some"), "cannot read 'some'"),
        (("--theta", "2"), "theta is a number from 0 to 1"),
        (("--negatives", "nowhere"), "unknown negatives 'nowhere'"),
        (("--preset", "contest"), "none of 3 problems has 30 solutions; the largest has 5"),
        ((), "none of 15 snippets is an example or tagged"),
    ],
)
def test_errors_leave_nothing_behind(command, solutions, tmp_path, words, message):
    result = command("corpus", "build", solutions, *words, "-o", tmp_path / "made")
    assert result.returncode == 2
    assert message in " ".join(result.stderr.split())
    assert [one.name for one in tmp_path.iterdir()] == ["contest"]


def test_nothing_is_overwritten(command, corpus, solutions):
    result = command("corpus", "build", corpus, "-o", solutions)
    assert result.returncode == 2
    assert "is a corpus already" in result.stderr


ROW = {"id": 1, "language": "c", "code": "int f(void) { return 1; }", "functionality": 1}


def truncated(folder):
    data = "".join(json.dumps({**ROW, "id": i, "code": f"int x = {i};"}) + "\n" for i in range(400))
    packed = lzma.compress(data.encode())
    (folder / "snippets.jsonl.xz").write_bytes(packed[: len(packed) // 2])


def wrong_columns(folder):
    (folder / "snippets.csv").write_text("name,text\na,b\n")


def empty(folder):
    (folder / "snippets.jsonl").write_text("")


def unknown_ids(folder):
    (folder / "snippets.jsonl").write_text(json.dumps(ROW) + "\n")
    (folder / "pairs.csv").write_text("id1,id2,label\n1,2,1\n3,4,1\n")


def duplicate_ids(folder):
    rows = [ROW, {**ROW, "code": "int g;"}, {**ROW, "code": "int h;"}]
    (folder / "snippets.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncated, "the xz data end too early"),
        (wrong_columns, "has no column code in 1 row, but name, text"),
        (empty, "has no snippets; is it a file of snippets"),
        (unknown_ids, "a pair names a snippet that is not there (3 times, first 2, 3, 4)"),
        (duplicate_ids, "the same id with other code (2 times, first 1, 1)"),
    ],
)
@pytest.mark.parametrize("verb", ["read", "build"])
def test_damaged_data_are_refused(command, tmp_path, verb, damage, message):
    (tmp_path / "data").mkdir()
    damage(tmp_path / "data")
    result = command("corpus", verb, tmp_path / "data", "-o", tmp_path / "made")
    assert result.returncode == 2
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["data"]
