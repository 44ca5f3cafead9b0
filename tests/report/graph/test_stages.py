from __future__ import annotations

import pytest

from codekin import CodekinError, export_graph, semantic_graph
from codekin.report.graph.stages import FORMS, STAGES
from codekin.source import Source

CODE = "def f(x):\n    y = x + 1\n    return -y\n\nprint(f(2))\n"
TITLES = {
    "ir": "flow IR",
    "cfg": "control flow",
    "pdg": "program dependence",
    "semantic": "semantic graph",
}
BEGINNINGS = {
    "text": "semantic graph of code",
    "svg": "<svg",
    "html": "<!doctype html>",
    "json": "{",
    "dot": "digraph",
    "graphml": "<?xml",
}


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_a_listing(stage: str) -> None:
    listing = export_graph(CODE, "python", stage=stage, name="a\x1b.py")
    assert listing.startswith(f"{TITLES[stage]} of a␛.py: ")
    assert listing == export_graph(Source(CODE, "python"), stage=stage, name="a\x1b.py")


@pytest.mark.parametrize("form", FORMS)
def test_a_graph_has_every_form(form: str, tmp_path) -> None:
    path = tmp_path / "made"
    made = export_graph(CODE, "python", form=form, function="f", path=path)
    assert made.startswith(BEGINNINGS[form])
    assert made == path.read_text("utf-8")
    assert ("print" in made) == (form in ("html", "json"))  # which have the whole text


def test_a_slice_needs_no_variable() -> None:
    assert export_graph(CODE, "python", slice_at=2) == export_graph(
        CODE, "python", slice_at=(2, None)
    )
    assert "print" not in export_graph(CODE, "python", slice_at=(2, "x"), labels="operator")


@pytest.mark.parametrize(
    "options, said",
    [
        ({"stage": "cgf"}, "unknown stage 'cgf'; did you mean 'cfg'?"),
        ({"form": "png"}, "unknown form 'png'"),
        ({"stage": "ir", "form": "dot"}, "stage ir is written as text or json; dot is for"),
        ({"slice_at": 2, "lines": (1, 2)}, "leave function and lines out"),
    ],
)
def test_what_cannot_be_written_is_named(options, said) -> None:
    with pytest.raises(CodekinError) as error:
        export_graph(CODE, "python", **options)
    assert said in str(error.value)


def test_dependence_within_functions_is_all_that_is_left() -> None:
    graph = semantic_graph(CODE, "python")
    left = graph.within_functions()
    assert {edge.kind.name for edge in left.edges()} == {"DATA", "CONTROL"}
    assert {edge.kind.name for edge in graph.edges()} == {"DATA", "CONTROL", "CALL", "ROOT"}
    assert len(left) == len(graph)
