"""The page of a graph with its functions, its search and its call graph, as a browser shows it."""

from __future__ import annotations

import random
import time
import xml.etree.ElementTree as ET

import pytest
from tests.report.nasty import NASTY

from codekin import semantic_graph
from codekin.report.graph import graph_page, graph_svg
from codekin.report.graph.call_graph import call_graph, call_graph_svg
from codekin.report.graph.stages import export_graph
from codekin.report.graph.views import GraphViews

CODE = """\
def classify(values, limit):
    total = 0
    for value in values:
        if value > limit:
            total += value
        else:
            total -= 1
    return half(total)


def half(x):
    return x // 2
"""


def _many(count: int) -> str:
    """A file with many functions, every second of which calls another."""
    chance = random.Random(1)
    return "\n".join(
        f"def step_{i}(value, limit):\n    if value > limit + {i}:\n"
        f"        value -= {i}\n    return "
        + (f"step_{chance.randrange(count)}(value, limit)\n" if i % 2 else "value\n")
        for i in range(count)
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "many.html"
    path.write_text(graph_page(semantic_graph(_many(600), "python"), "many.py"), "utf-8")
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.html"
    path.write_text(graph_page(semantic_graph(CODE, "python"), "small.py"), "utf-8")
    return path


def test_six_hundred_functions_open_quickly(page, large):
    assert large.stat().st_size < 5_000_000
    page.send("Page.navigate", url="about:blank")
    begun = time.monotonic()
    page.open(large)
    assert time.monotonic() - begun < 5
    assert len(page.texts(".functions li")) == 600
    assert page.run("document.querySelectorAll('.canvas .node').length") > 20
    assert page.run("document.querySelector('[data-stage=flow]').disabled")


def test_a_function_of_many_is_picked_from_the_list_and_from_the_calls(page, large):
    page.open(large)
    page.choose("#pick", "12")
    page.until("document.querySelector('.frame text')?.textContent === 'step_11'")
    lines = page.texts(".code li")
    assert lines[0] == "def step_11(value, limit):"
    assert lines[-1].strip().startswith("return step_")
    assert page.run("getComputedStyle(document.querySelector('.functions')).display") == "none"
    page.run("location.hash = '#whole'")
    page.until("document.querySelector('.sg.calls') !== null")
    number = page.run("Number(document.querySelector('.sg.calls .node').dataset.node)")
    page.run(
        "document.querySelector('.sg.calls .node').dispatchEvent("
        "new MouseEvent('click', {bubbles: true}))"
    )
    page.until(f"document.querySelector('.frame')?.dataset.function === '{number}'")


@pytest.mark.parametrize("width", [420, 1400])
def test_dependence_and_control_flow_of_a_function(page, small, width):
    page.resize(width, 900)
    page.open(small)
    assert page.texts(".code li") == CODE.splitlines()
    assert {"true", "false"} <= set(page.run(_BRANCHES))
    page.choose("#pick", "1")
    page.until("document.querySelectorAll('.frame').length === 1")
    assert page.texts(".code li") == CODE.splitlines()[:8]
    page.click("[data-stage=flow]")
    page.until("document.querySelector('.drawn').classList.contains('flow')")
    assert page.run(
        "[...document.querySelectorAll('.label')].some((n) => n.textContent === 'exit')"
    )
    assert page.run(_BRANCHES).count("true") == 2
    assert page.run("document.documentElement.scrollWidth") <= width
    page.run("history.back()")
    page.until("!document.querySelector('.drawn').classList.contains('flow')")
    # Code and picture still point at each other.
    page.run("document.querySelector('.code li:nth-child(4) span[data-a]').click()")
    assert page.run("document.querySelectorAll('.node.lit').length") > 0


_BRANCHES = "[...document.querySelectorAll('.branch')].map((one) => one.textContent)"


def test_a_search_finds_names_and_code(page, small, large):
    page.open(small)
    page.write("#find", "TOTAL")
    assert page.text("#found") == "0 functions, 4 lines"
    page.click("#results li:nth-child(2) button")
    page.until("document.querySelector('.sought') !== null")
    assert page.text(".sought") == "            total += value"
    assert page.run("document.querySelectorAll('.node.lit').length") > 0
    page.write("#find", "half")
    assert page.text("#found") == "1 function, 2 lines"
    page.write("#find", "nowhere")
    assert page.text("#found") == "0 functions, 0 lines"
    page.open(large)
    page.write("#find", "step_599")
    page.click("#results li:nth-child(1) button")
    page.until("document.querySelector('.frame text')?.textContent === 'step_599'")
    page.write("#find", "limit + 300")
    page.click("#results li:nth-child(1) button")
    page.until("document.querySelector('.sought')?.innerText.includes('limit + 300')")
    assert page.run("document.querySelector('.frame text').textContent") == "step_300"


def test_a_page_may_open_with_the_control_flow(page, tmp_path):
    path = tmp_path / "flow.html"
    path.write_text(export_graph(CODE, "python", name="a.py", stage="cfg", form="html"), "utf-8")
    page.open(path)
    page.until("document.querySelector('.drawn').classList.contains('flow')")
    assert len(page.run("[...document.querySelectorAll('.frame')].map((one) => 1)")) == 2


def test_a_slice_fades_what_it_leaves_out(page, tmp_path):
    path = tmp_path / "slice.html"
    path.write_text(export_graph(CODE, "python", name="a.py", form="html", slice_at=12), "utf-8")
    page.open(path)
    assert "what line 12 may depend on" in page.text("h1")
    faded = page.run(
        "[...document.querySelectorAll('.code li')].map((li) => li.querySelector('.out') !== null)"
    )
    assert not faded[11]
    path.write_text(
        export_graph(CODE, "python", name="a.py", form="html", function="half"), "utf-8"
    )
    page.open(path)
    assert page.texts(".code li") == CODE.splitlines()[10:]
    assert (
        page.run("getComputedStyle(document.querySelector('.code')).getPropertyValue('--before')")
        == "10"
    )
    page.write("#find", "return")
    page.click("#results button")
    page.until("document.querySelector('.sought') !== null")
    assert page.text(".sought") == "    return x // 2"


def test_names_and_code_with_markup_are_shown_as_text(page, tmp_path):
    text = "".join(f"def f{i}(x):\n    return g({one!r})\n\n" for i, one in enumerate(NASTY))
    graph = semantic_graph(text + "def g(y):\n    return y\n", "python")
    path = tmp_path / "nasty.html"
    path.write_text(graph_page(graph, "".join(NASTY)), "utf-8")
    page.open(path)
    for view in range(len(NASTY) + 1):
        for stage in ("dependence", "flow"):
            page.run(f"location.hash = '#view-{view}-{stage}'")
            page.settle()
            assert page.run("document.querySelectorAll('img, .canvas script').length") == 0
    page.write("#find", "return")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.run("window.hit ?? null") is None


def test_functions_whose_names_have_markup(page, tmp_path):
    """JavaScript allows any property name; the function is named after it."""
    named = "'<img src=x onerror=window.hit=1>': function () { return h(); }"
    text = f"const o = {{ {named} }};\nfunction h() {{}}\n"
    graph = semantic_graph(text, "javascript")
    path = tmp_path / "names.html"
    path.write_text(graph_page(graph, "names.js"), "utf-8")
    page.open(path)
    for view in range(len(GraphViews(graph).functions) + 1):
        page.choose("#pick", str(view))
    assert page.run("document.querySelectorAll('img').length") == 0
    drawn, _ = call_graph_svg(call_graph(graph))
    ET.fromstring(drawn)


@pytest.mark.parametrize(
    "text",
    ["", "x = 1\n", "# nothing\n", "def f(:\n", "x = " + "(" * 3000 + "1" + ")" * 3000 + "\n"],
)
def test_files_without_functions_and_deep_ones_have_pages(page, tmp_path, text):
    path = tmp_path / "page.html"
    path.write_text(export_graph(text, "python", form="html"), "utf-8")
    page.open(path)
    page.run("document.querySelector('#find').dispatchEvent(new Event('input'))")
    ET.fromstring(export_graph(text, "python", stage="cfg", form="svg"))


def test_the_call_graph_has_callers_above_what_they_call():
    chain = "".join(f"def f{i}():\n    return f{i + 1}()\n\n" for i in range(5, -1, -1))
    graph = semantic_graph(
        chain + "def f6():\n    return 1\n\ndef alone():\n    return 2\n", "python"
    )
    calls = call_graph(graph)
    assert len(calls.calls) == 6
    drawn, notes = call_graph_svg(calls)
    root = ET.fromstring(drawn)
    name = "{http://www.w3.org/2000/svg}"
    height = {
        g.find(f"{name}text").text: float(g.find(f"{name}rect").get("y"))
        for g in root.iter(f"{name}g")
    }
    assert [height[f"f{i}"] for i in range(7)] == sorted(height.values())
    assert "alone" not in height
    assert notes == ("Only in the list: 1 function without calls to or from others.",)


def test_a_picture_names_the_outcomes_of_tests():
    drawn = ET.fromstring(graph_svg(semantic_graph(CODE, "python")))
    words = [one.text for one in drawn.iter() if one.get("class") == "branch"]
    assert sorted(set(words)) == ["false", "true"]
    flow = ET.fromstring(export_graph(CODE, "python", stage="cfg", form="svg"))
    assert "Control flow with" in flow.get("aria-label")
