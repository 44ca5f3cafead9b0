"""The commands by which people judge pairs."""

from __future__ import annotations

import json

import pytest
from tests.corpora.judges import export, paired
from tests.corpora.small import contest

from codekin.corpora.corpus import save_corpus
from codekin.corpora.judging import judging_sample
from codekin.corpora.reading import read_corpus
from codekin.report.judging_page import judging_page


@pytest.fixture
def corpus(tmp_path):
    place = tmp_path / "corpus"
    save_corpus(paired(), place)
    return place


def test_a_page_is_written(cli, corpus, tmp_path) -> None:
    page = tmp_path / "page.html"
    words = ("corpus", "judge", corpus, "--size", 12, "--stratify", "type", "--seed", 4, "-o", page)
    result = cli(*words)
    assert result.exit_code == 0, result.output
    assert f"Written: {page} (12 of 66 pairs)" in result.stdout
    assert "codekin corpus judged" in result.stdout
    first = page.read_bytes()
    sample = judging_sample(read_corpus(corpus), 12, by="type", seed=4)
    assert first == judging_page(sample)
    assert cli(*words, "--question", "Same?", "--show-claims").exit_code == 0
    assert page.read_bytes() == judging_page(sample, question="Same?", show_claims=True) != first


def test_a_clone_report_can_be_judged(cli, tmp_path) -> None:
    folder = tmp_path / "src" / "app"
    folder.mkdir(parents=True)
    for name in "ab":
        (folder / f"{name}.java").write_text(f"class {name} {{\n  int x;\n  int y;\n}}\n")
    report = tmp_path / "clones.csv"
    report.write_text("app,a.java,2,3,app,b.java,2,3\napp,a.java,1,4,app,b.java,1,4\n")
    page = tmp_path / "page.html"
    result = cli("corpus", "judge", report, "--files", tmp_path / "src", "-o", page)
    assert result.exit_code == 0, result.output
    assert "(2 of 2 pairs)" in result.stdout
    assert "100 pairs were asked for, and there are 2" in result.stderr


def test_rows_and_pairs_can_be_judged(cli, tmp_path) -> None:
    snippets, pairs = tmp_path / "snippets.jsonl", tmp_path / "pairs.csv"
    rows = [{"id": one.id, "language": "c", "code": one.code} for one in contest(2, 2).snippets]
    snippets.write_text("".join(json.dumps(one) + "\n" for one in rows))
    pairs.write_text("id1,id2,label\nsum/0,sum/1,1\nsum/0,max/1,0\n")
    words = ("corpus", "judge", snippets, "--pairs", pairs, "-o", tmp_path / "page.html")
    assert "(2 of 2 pairs)" in cli(*words).stdout


def test_exports_become_a_result_in_every_format(cli, corpus, tmp_path) -> None:
    sample = judging_sample(read_corpus(corpus), 20)
    files = [
        export(tmp_path / f"{name}.json", sample, name, say)
        for name, say in (
            ("Ann", lambda i, _: "clone" if i % 4 else "no clone"),
            ("Ben", lambda i, _: "clone" if i % 3 else None),
        )
    ]
    words = ("corpus", "judged", *files, "--resamples", 50)
    result = cli(*words)
    assert result.exit_code == 0, result.output
    assert "Precision" in result.stdout
    assert "kappa" in result.stdout
    assert "Ben has not answered 7 pairs" in result.stderr
    document = json.loads(cli(*words, "--format", "json").stdout)
    assert [one["judge"] for one in document["judges"]] == ["Ann", "Ben", "majority"]
    assert document["agreements"][0]["judges"] == ["Ann", "Ben"]
    for form in ("csv", "latex", "markdown", "html"):
        printed = cli(*words, "--format", form)
        assert printed.exit_code == 0, printed.output
        assert "Ann" in printed.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("judge", "CORPUS", "--stratify", "size"), "unknown strata 'size'"),
        (("judge", "CORPUS", "-o", "a.txt"), "unknown suffix '.txt'"),
        (("judge", "PLAIN"), "has no pairs to judge"),
        (("judge", "CORPUS", "--size", "5000"), "1 to 2,000 pairs, not 5,000"),
        (("judged", "nowhere.json"), "nowhere.json: No such file"),
        (("judged", "CORPUS/manifest.json"), "holds no judgements; export them from the page"),
    ],
)
def test_what_cannot_be_done(command, corpus, tmp_path, words, problem) -> None:
    save_corpus(contest(), tmp_path / "plain")
    for name, place in (("CORPUS", corpus), ("PLAIN", tmp_path / "plain")):
        words = tuple(one.replace(name, str(place)) for one in words)
    done = command("corpus", *words)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not list(tmp_path.glob("*.html"))


def test_nothing_but_a_page_is_replaced(command, corpus, tmp_path) -> None:
    notes = tmp_path / "notes.html"
    notes.write_text("mine")
    done = command("corpus", "judge", corpus, "-o", notes)
    assert done.returncode == 2
    assert "is not a page that codekin wrote, so it is not replaced" in done.stderr
    assert notes.read_text() == "mine"
