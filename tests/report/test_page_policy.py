"""What pages allow: their own style, their own script, and nothing that the data bring."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.report.classroom import classroom
from tests.report.judging.judgements import card, outcome_judgement, triplet_judgement
from tests.report.judging.test_page_of_judgement import judged
from tests.report.many_clones import many_clones
from tests.report.many_files import matrix
from tests.report.many_revisions import clustering
from tests.represent.hand_made import little_graph

from codekin import measure
from codekin.report import write_report
from codekin.report.alignment_page import page as three_way_page
from codekin.report.clustering_page import clustering_page
from codekin.report.graph import graph_page
from codekin.report.graph.pair_page import pair_text
from codekin.report.matrix_page import matrix_page
from codekin.report.page_file import Looks
from codekin.report.scan_page import scan_page
from codekin.revisions.alignment import align_revisions
from codekin.revisions.alignment_view import view_of

KINDS = (
    *("plain", "triplets", "outcomes", "card", "matrix", "clustering", "graph", "pair", "align"),
    *("scan", "class"),
)
ATTACK = """
(() => {
  const seen = [];
  document.addEventListener("securitypolicyviolation", (e) => seen.push(e.effectiveDirective));
  const here = document.createElement("div");
  document.body.append(here);
  here.innerHTML = '<img src="x:" onerror="window.hit=1"><svg onload="window.hit=2"></svg>' +
    '<a id="lure" href="javascript:void(window.hit=3)">x</a><p id="styled" style="color:red">x</p>';
  const script = document.createElement("script");
  script.textContent = "window.hit = 4";
  document.body.append(script);
  const style = document.createElement("style");
  style.textContent = "body { display: none }";
  document.head.append(style);
  document.getElementById("lure").click();
  return new Promise((done) => setTimeout(() => done({
    hit: window.hit ?? null,
    shown: getComputedStyle(document.body).display,
    color: getComputedStyle(document.getElementById("styled")).color,
    seen: [...new Set(seen)].sort(),
  }), 200));
})()
"""


@pytest.fixture(scope="module")
def pages(demo_run, tmp_path_factory) -> dict[str, Path]:
    """A page of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    at = {kind: folder / f"{kind}.html" for kind in KINDS}
    write_report(demo_run, at["plain"], workers=0)
    judgements = {"triplets": triplet_judgement, "outcomes": outcome_judgement, "card": card}
    for kind, judgement in judgements.items():
        with judged(judgement()):
            write_report(demo_run, at[kind], explain=0)
    at["matrix"].write_bytes(matrix_page(matrix(2, 3)))
    at["clustering"].write_bytes(clustering_page(clustering(3, 4, groups=3), "o.py"))
    at["graph"].write_text(graph_page(little_graph(), "g.py"), "utf-8")
    one, other = "def f(a):\n    return a\n", "def f(a):\n    return -a\n"
    score = measure("cssg").score(one, other, language="python")
    at["pair"].write_text(pair_text(score, ["a.py", "b.py"], "html"), "utf-8")
    aligned = align_revisions("b = 1\n", "a = 2\n", origin="a = 1\n", language="python")
    names = ["o.py", "r.py", "c.py"]
    at["align"].write_text(three_way_page(aligned, view_of(aligned), (), names), "utf-8")
    classroom(tmp_path_factory.mktemp("class")).to_html(at["class"])
    at["scan"].write_bytes(scan_page(many_clones(folder, 8)))
    return at


class Inline(HTMLParser):
    """What a page has inside it that could run or style."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.policy = ""
        self.texts: dict[str, list[str]] = {"style": [], "script": []}
        self.attributes: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self.attributes += [name for name in given if name == "style" or name.startswith("on")]
        runs = given.get("type") in (None, "module", "text/javascript")
        self._inside = tag if tag == "style" or (tag == "script" and runs) else ""
        if self._inside:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside][-1] += data


@pytest.mark.parametrize("kind", KINDS)
def test_a_policy_names_the_style_and_the_script_by_their_hashes(pages, kind) -> None:
    found = Inline()
    found.feed(pages[kind].read_text("utf-8"))
    assert "unsafe" not in found.policy
    assert not found.attributes
    for name, texts in found.texts.items():
        digests = [hashlib.sha256(text.encode()).digest() for text in texts]
        hashes = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
        assert len(hashes) <= 1
        assert f"{name}-src {' '.join(hashes) or chr(39) + 'none' + chr(39)};" in found.policy
    for name in ("default-src", "base-uri", "form-action"):
        assert f"{name} 'none'" in found.policy


def test_the_browser_runs_nothing_that_is_put_into_a_page(pages, chromium) -> None:
    """And has nothing to say against the page itself."""
    window = chromium.page()
    for kind, path in pages.items():
        if kind == "align":  # which has no script that could say when it is ready
            window.send("Page.navigate", url=path.as_uri())
            window.until("document.readyState === 'complete' && location.protocol === 'file:'")
        else:
            window.open(path)
        assert window.complaints() == [], kind
        told = window.run(ATTACK)
        assert told["hit"] is None, kind
        assert told["shown"] != "none", kind
        assert told["color"] != "rgb(255, 0, 0)", kind
        assert {"script-src-attr", "style-src-attr", "style-src-elem"} <= {*told["seen"]}, kind
        chromium.events.clear()
    window.close()


def test_nothing_but_numbers_gets_into_a_style() -> None:
    looks = Looks()
    assert looks("heat", 0.5) == ' data-heat="0.5"'
    assert looks("heat", None) == ' data-heat=""'
    with pytest.raises(ValueError, match="could not convert"):
        looks("heat", '0"] { } body { display: none } [x="')
    assert list(looks.rules) == ['[data-heat="0.5"] { --heat: 0.5; }']


def test_templates_have_no_attributes_that_a_policy_would_stop() -> None:
    folder = Path(write_report.__globals__["__file__"]).parent
    for path in [*folder.rglob("*.j2"), *folder.rglob("*.js"), *folder.rglob("*.py")]:
        if path.parent.name == "graph" and path.name == "graph_page.py":
            continue  # the frame around a page, which belongs to a notebook
        if path.stem.endswith("_terminal"):
            continue  # text for a terminal, whose styles are those of rich
        assert not re.search(r"""[ "']style=["'](?!\{)""", path.read_text("utf-8")), path
