from __future__ import annotations

import json

import pytest
from tests.corpora.small import contest

from codekin.corpora.corpus import load_corpus
from codekin.corpora.reading import read_corpus

PAIRS = "id1,id2,label\nsum/1,sum/2,1\nsum/1,max/1,0\nfind/2,find/3,1\n"


@pytest.fixture
def corpus(tmp_path):
    place = tmp_path / "contest"
    contest(authors=4).save(place)
    return place


@pytest.fixture
def paired(corpus, tmp_path):
    """The corpus with pairs."""
    place = tmp_path / "pairs.csv"
    place.write_text(PAIRS)
    read_corpus(corpus, pairs=place).save(tmp_path / "paired")
    return tmp_path / "paired"


def test_types_of_pairs_are_counted(cli, paired):
    result = cli("corpus", "type", paired, "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["pairs"], found["all_pairs"]) == (2, False)
    counts = {(one["type"], one["renaming"]): one["pairs"] for one in found["types"]}
    assert counts["T2", "consistent"] == 2


@pytest.mark.parametrize("words", [(), ("--table",)])
def test_without_pairs_all_clones_are_counted(cli, corpus, words):
    result = cli("corpus", "type", corpus, *words)
    assert result.exit_code == 0, result.output
    assert "all 36 pairs of 24 snippets with a functionality in common" in " ".join(
        result.stdout.split()
    )
    assert "98.23" in result.stdout  # the paper's


def test_a_corpus_with_types_is_written(cli, paired, tmp_path):
    made = tmp_path / "typed"
    result = cli("corpus", "type", paired, "-o", made)
    assert result.exit_code == 0, result.output
    assert "2 T2 consistent" in result.stdout
    typed = load_corpus(made)
    codes, names = typed.pairs.type
    assert [names[code] if code >= 0 else None for code in codes.tolist()] == ["T2", None, "T2"]
    assert typed.steps[-1].name == "type"
    again = cli("corpus", "type", paired, "-o", made)
    assert "nothing is overwritten" in str(again.exception)


def test_workers_change_nothing(cli, paired, tmp_path):
    for name, workers in (("one", 1), ("two", 2)):
        words = ("--workers", workers, "-o", tmp_path / name)
        assert cli("corpus", "type", paired, *words).exit_code == 0
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_check_prints_the_confusion_matrix(cli, corpus, tmp_path):
    place = tmp_path / "typed.csv"
    place.write_text("id1,id2,type,sim_line,sim_token\nsum/1,sum/2,T2,1,1\nsum/1,max/1,MT3,.5,.6\n")
    result = cli("corpus", "type", corpus, "--check", place)
    assert result.exit_code == 0, result.output
    for words in ("T2 consistent", "T1 and T2", "Spearman", "VST3 counts as ST3"):
        assert words in result.stdout
    document = json.loads(
        cli("corpus", "type", corpus, "--check", place, "--format", "json").stdout
    )
    assert document["confusion"]["T2"]["T2 consistent"] == 1
    assert document["equal_types"] == 1.0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--check", "pairs.csv", "--table"), "--check and --table"),
        (("--check", "pairs.csv"), "pairs.csv: has no column type"),
        (("--check", "damaged.csv.xz"), "damaged.csv.xz"),
        (("-o", "typed"), "contest: has no pairs to give types to"),
    ],
)
def test_wrong_calls_are_errors(command, corpus, tmp_path, words, problem):
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "damaged.csv.xz").write_bytes(b"\xfd7zXZ\x00")
    done = command("corpus", "type", corpus, *words)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "typed").exists()
