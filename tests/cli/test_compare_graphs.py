"""``codekin compare`` with cssg: the page, the picture, and what docs/measures/cssg.md shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codekin import Source, measure

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "measures" / "cssg.md").read_text("utf-8")
PAIRS = DOCS / "examples" / "graphs" / "pairs"
CASES = ("data", "control", "call")


@pytest.mark.parametrize("name", CASES)
def test_the_pictures_are_what_codekin_draws(cli, monkeypatch, name):
    monkeypatch.chdir(PAIRS)
    options = ("-m", "cssg", "--format", "svg")
    done = cli("compare", f"{name}_flow.py", f"{name}_flow_changed.py", *options)
    assert done.stdout == (DOCS / "images" / f"cssg-{name}-flow.svg").read_text("utf-8")


def test_the_table_has_the_scores():
    found = re.findall(r"^\| (\w+) flow: .* \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.M)
    assert [name for name, *_ in found] == list(CASES)
    for name, *shown in found:
        pair = [Source.from_file(PAIRS / f"{name}_flow{end}.py") for end in ("", "_changed")]
        values = [measure(one).score(*pair).value for one in ("cssg", "tsed")]
        assert [f"{value:.4f}" for value in values] == shown


def test_a_page_is_written_and_only_pages_are_replaced(cli, monkeypatch, tmp_path):
    monkeypatch.chdir(PAIRS)
    path = tmp_path / "pair.html"
    pair = ("compare", "data_flow.py", "data_flow_changed.py")
    done = cli(*pair, "-o", path)
    assert done.stdout == f"Written: {path}\n"
    page = path.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "data_flow_changed.py" in page
    assert "<dt>cssg, exact</dt><dd>0.9500</dd>" in page
    assert "2 insertions and deletions, proven to be the fewest.</p>" in page
    assert cli(*pair, "--format", "html", "-o", path).exit_code == 0
    path.write_text("def kept(): ...\n")
    refused = cli(*pair, "--format", "html", "-o", path)
    assert "is not replaced" in str(refused.exception)


def test_languages_may_differ(cli, tmp_path):
    (tmp_path / "a.c").write_text("int twice(int x) { return x * 2; }\n")
    (tmp_path / "b.py").write_text("def twice(x):\n    return x * 2\n")
    done = cli("compare", tmp_path / "a.c", tmp_path / "b.py", "-m", "cssg", "--explain")
    assert "cssg    1.0000" in done.stdout
    assert "The cheapest edit of one graph into the other keeps 5 of 5" in done.stdout


def test_what_cannot_be_drawn_is_refused(cli, monkeypatch):
    monkeypatch.chdir(PAIRS)
    pair = ("compare", "data_flow.py", "data_flow_changed.py")
    done = cli(*pair, "-m", "bleu", "--format", "svg")
    assert "-m cssg" in str(done.exception)
    done = cli(*pair, "-m", "cssg", "-m", "cssg:labels=category", "--format", "svg")
    assert "there are 2; name one" in str(done.exception)
    done = cli(*pair, "-m", "cssg", "--format", "svg", "-o", "no/such.svg")
    assert str(done.exception).startswith("no/such.svg: there is no folder no; make it")
    done = cli(*pair, "-m", "bleu", "-o", "x.html")
    assert "html and svg draw what cssg matched" in str(done.exception)
    assert not Path("x.html").exists()
