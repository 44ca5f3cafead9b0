"""Pages and pictures that commands write are those that `to_html` and `to_svg` of results give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import codekin
from codekin import Source
from codekin.source import NamedSource

ORIGIN = "def area(r):\n    return 3 * r * r  # a circle\n"
FIRST, SECOND = ORIGIN.replace("3 *", "3.14159 *"), ORIGIN.replace("3 *", "3.1416 *")
NAMES = ["origin.py", "first.py", "second.py"]


def source(text: str) -> Source:
    return Source(text, "python")


def aligned() -> str:
    found = codekin.align_revisions(SECOND, FIRST, origin=ORIGIN, language="python")
    return found.report(names=NAMES).to_html()


def compared() -> codekin.Comparison:
    found = codekin.compare(source(SECOND), source(FIRST), measures="cssg")
    texts = zip(("second.py", "first.py"), (found.candidate, *found.references), strict=True)
    files = tuple(NamedSource(name, text, len(text.data)) for name, text in texts)
    return replace(found, files=files)


def clustered() -> str:
    revisions = {"first.py": FIRST, "second.py": SECOND}
    found = codekin.cluster_revisions(ORIGIN, revisions, language="python")
    return found.to_html().replace("the origin", "origin.py")


def matrix() -> str:
    texts = dict(zip(NAMES, map(source, (ORIGIN, FIRST, SECOND)), strict=True))
    return codekin.similarity_matrix(texts, "kin").to_html()


CASES: dict[str, tuple[list[str], Callable[[], str]]] = {
    "align.html": (["align", "second.py", "first.py", "--origin", "origin.py"], aligned),
    "abstract.html": (
        ["abstract", "origin.py"],
        lambda: codekin.abstract(source(ORIGIN)).to_html(name="origin.py"),
    ),
    "cluster.html": (["cluster", "origin.py", "first.py", "second.py"], clustered),
    "graph.html": (
        ["graph", "origin.py"],
        lambda: codekin.semantic_graph(source(ORIGIN)).to_html(name="origin.py"),
    ),
    "graph.svg": (
        ["graph", "origin.py"],
        lambda: codekin.semantic_graph(source(ORIGIN)).to_svg(),
    ),
    "matrix.html": (["matrix", *NAMES], matrix),
    "pair.html": (["compare", "second.py", "first.py"], lambda: compared().to_html()),
    "pair.svg": (["compare", "second.py", "first.py"], lambda: compared().to_svg()),
    "pdg.html": (
        ["graph", "origin.py", "--stage", "pdg", "--function", "area"],
        lambda: codekin.export_graph(
            source(ORIGIN), stage="pdg", form="html", function="area", name="origin.py"
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_command_writes_the_page_of_its_result(cli, name, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file, text in zip(NAMES, (ORIGIN, FIRST, SECOND), strict=True):
        Path(file).write_text(text)
    words, made = CASES[name]
    done = cli(*words, "-o", name)
    assert done.exit_code == 0, done.output
    assert Path(name).read_text("utf-8") == made()
