"""The commands that read, describe, split, pair and check corpora."""

from __future__ import annotations

import json

import pytest
from tests.corpora.small import contest

from codekin.corpora.corpus import load_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("corpora") / "contest"
    contest(authors=24).save(place)
    return place


@pytest.fixture
def rows(tmp_path):
    place = tmp_path / "snippets.jsonl"
    lines = [
        {"id": one.id, "language": "c", "code": one.code, "functionality": one.functionality}
        for one in contest().snippets
    ]
    place.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return place


def test_read_writes_a_corpus(cli, rows, tmp_path):
    result = cli("corpus", "read", rows, "-o", tmp_path / "made")
    assert result.exit_code == 0, result.output
    assert "72 snippets" in result.output
    assert load_corpus(tmp_path / "made").steps[0].parameters["form"] == "rows"


def test_every_command_takes_a_file_of_snippets(cli, rows, tmp_path):
    assert "mean standard deviation" in cli("corpus", "balance", rows).stdout
    described = json.loads(cli("corpus", "info", rows, "--format", "json").stdout)
    assert described["snippets"] == 72
    assert len(described["functionalities"]) == 6
    assert cli("corpus", "check", rows).exit_code == 0
    assert cli("corpus", "split", rows, "-o", tmp_path / "view").exit_code == 0


def test_split_pairs_and_check(cli, corpus, tmp_path):
    view, pairs = tmp_path / "view", tmp_path / "pairs"
    words = ("--view", "cross-project", "--ratio", "2:1:1", "--seed", "3")
    result = cli("corpus", "split", corpus, *words, "-o", view, "--format", "json")
    assert result.exit_code == 0, result.output
    sides = json.loads(result.stdout)["sides"]
    assert [one["snippets"] for one in sides] == [72, 36, 36]
    result = cli("corpus", "pairs", view, "--size", "train=200,test=all", "-o", pairs)
    assert result.exit_code == 0, result.output
    assert "base rate" in result.stdout
    made = load_corpus(pairs)
    assert len(made.pairs.of_side("train")) == 200
    assert [one.name for one in made.steps] == ["split", "pairs"]
    assert cli("corpus", "check", pairs).exit_code == 0


def test_the_same_seed_gives_the_same_bytes(cli, corpus, tmp_path):
    for name in ("one", "two"):
        assert cli("corpus", "split", corpus, "-o", tmp_path / name).exit_code == 0
        assert (
            cli(
                "corpus", "pairs", tmp_path / name, "--size", "60", "-o", tmp_path / f"{name}p"
            ).exit_code
            == 0
        )
    for file in (tmp_path / "onep").iterdir():
        assert file.read_bytes() == (tmp_path / "twop" / file.name).read_bytes()


def test_rotations_are_folders(cli, corpus, tmp_path):
    words = ("--view", "cross-functionality", "--rotate")
    result = cli("corpus", "split", corpus, *words, "-o", tmp_path / "all")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "all").iterdir())) == 20
    assert load_corpus(tmp_path / "all" / "rotation-07").steps[-1].parameters["rotation"] == 7


def test_leaks_end_with_exit_code_1(cli, corpus, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("id1,id2,label,side\nsum/0,sum/1,1,train\nsum/0,sum/2,1,test\n")
    cli("corpus", "read", corpus, "--pairs", pairs, "-o", tmp_path / "paired")
    result = cli("corpus", "check", tmp_path / "paired")
    assert result.exit_code == 1
    assert "snippet on two sides: sum/0 (test, train)" in result.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("info", "nowhere"), "nowhere: no such file or folder"),
        (("split", "CORPUS", "--ratio", "8-1-1"), "cannot read '8-1-1'; write 8:1:1"),
        (("split", "CORPUS", "--view", "radnom"), "did you mean 'random'"),
        (("split", "CORPUS", "--view", "cross-all"), "cross-all leaves"),
        (("pairs", "CORPUS", "--size", "many"), "write a number from 2, or all"),
        (("pairs", "CORPUS", "--size", "tests=9"), "there is no side 'tests'"),
        (("pairs", "CORPUS", "--rate", "half"), "write natural or a number"),
        (("pairs", "CORPUS", "--rate", "0"), "a rate is a number between 0 and 1"),
        (("pairs", "CORPUS", "--size", "train=9"), "has no sides to draw pairs from"),
        (("pairs", "CORPUS", "--size", "99999"), "clones, and"),
        (("pairs", "CORPUS", "--seed", "-1"), "greater than or equal to 0"),
        (("split", "CORPUS", "--ratio", "0:1:1"), "three positive numbers"),
        (("split", "CORPUS", "--ratio", "nan:1:1"), "three positive numbers"),
        (("split", "CORPUS", "--ratio", "inf:1:1"), "three positive numbers"),
        (("split", "CORPUS", "--preset", "papr"), "did you mean 'paper'"),
        (("split", "CORPUS", "--rotate"), "only cross-functionality and cross-all"),
        (("abstract", "CORPUS", "--level", "9"), "'9' is not one of"),
        (("build", "CORPUS", "--min-judges", "-1"), "greater than or equal to 0"),
        (("read", "CORPUS", "--language", "cobol"), "unknown language 'cobol'"),
        (("read", "CORPUS", "--form", "codexglu"), "did you mean 'codexglue'"),
    ],
)
def test_what_cannot_be_done(command, corpus, tmp_path, words, problem):
    words = [str(corpus) if one == "CORPUS" else one for one in words]
    output = [] if words[0] == "info" else ["-o", tmp_path / "out"]
    done = command("corpus", *words, *output)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "out").exists()


def test_damaged_files_say_so(command, tmp_path):
    place = tmp_path / "snippets.jsonl"
    place.write_text('{"id": 1, "language": "c", "code": "int x;"}\n{"id": 1\n{"id": 3}\n')
    done = command("corpus", "info", place)
    assert done.returncode == 2
    assert "snippets.jsonl" in done.stderr
    place.write_text("")
    done = command("corpus", "info", place)
    assert done.returncode == 2
    assert "has no snippets" in done.stderr


def test_nothing_is_overwritten(command, corpus, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("")
    done = command("corpus", "split", corpus, "-o", tmp_path / "mine")
    assert done.returncode == 2
    assert "exists already, and nothing is overwritten" in done.stderr
    done = command("corpus", "split", corpus, "-o", tmp_path / "no" / "where")
    assert done.returncode == 2
    assert "the folder that it would be in does not exist" in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]
