from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from codekin import CodekinError, measure
from codekin.report import (
    ReportRow,
    html,
    read_demo,
    render_report,
    score_row,
    summarise,
    write_report,
)
from codekin.report.payload import embed, utf16_offsets

MEASURES = [measure(name) for name in ("exact", "ed", "nes", "bleu")]
NASTY = (
    "</script><script>alert(1)</script>",
    "<!-- <script> -->",
    "\u2028 and \u2029",
    "\ud800 alone",
    "a😀 = '😀' # 😀",
    "\0\x1b[31m\x7f",
    "{{ 1 + 1 }} {% raw %}",
    "\u202edesrever",
    "&lt; &amp; \"quoted\" 'too'",
)


def row(identity: str, candidate: str, reference: str, group: str = "g") -> ReportRow:
    given = {"id": identity, "language": "python", "candidate": candidate, "reference": reference}
    return score_row(given | {"group": group, "note": f"note {identity}"}, MEASURES)


def demo() -> list[ReportRow]:
    return [score_row(one, MEASURES) for one in read_demo()[:11]]


class Page(HTMLParser):
    """Collects what a browser would: elements, attributes, and the data of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag) -> None:
        self._inside = False

    def handle_data(self, data) -> None:
        if self._inside:
            self.scripts[-1] += data


def data_of(page: str) -> dict:
    loaded: dict = json.loads(Page(page).scripts[0], parse_constant=pytest.fail)
    return loaded


def test_the_same_rows_give_the_same_bytes(tmp_path) -> None:
    first = write_report(demo(), tmp_path / "a.html").read_bytes()
    assert write_report(demo(), tmp_path / "b.html").read_bytes() == first


def test_the_file_is_complete() -> None:
    page = render_report(demo())
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    links = [a for tag, a in Page(page).tags if tag in ("link", "img", "script", "iframe")]
    assert all((a.get("href") or a.get("src") or "data:").startswith("data:") for a in links)


def test_data_holds_scores_and_explanations() -> None:
    rows = demo()
    data = data_of(render_report(rows))
    assert [one["name"] for one in data["measures"]] == ["exact", "ed", "nes", "bleu"]
    assert [one["distance"] for one in data["measures"]] == [False, True, False, False]
    for given, one in zip(rows, data["rows"], strict=True):
        assert one["candidate"]["text"] == given.candidate
        for name, score in given.scores.items():
            shown = one["scores"][name]
            assert shown["value"] == score.value
            assert shown["signature"] == score.signature
            assert shown["summary"] == score.explain().summary
            spans = shown["spans"][0]
            assert [tuple(spans[i : i + 2]) for i in range(0, len(spans), 3)] == [
                (s.start, s.end) for s in score.explain().candidate
            ]


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_stay_data(text) -> None:
    given = row(text, text, f"x = 1 # {text}", group=text)
    page = render_report([given], title=text)
    parsed = Page(page)
    assert len(parsed.scripts) == 2
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    (one,) = data_of(page)["rows"]
    assert (one["id"], one["candidate"]["text"]) == (text, text)
    assert one["reference"]["text"] == f"x = 1 # {text}"


def test_nasty_texts_can_be_written(tmp_path) -> None:
    rows = [row(f"{i} {text}", text, text[::-1], group=text) for i, text in enumerate(NASTY)]
    path = write_report(rows, tmp_path / "nasty.html", title="\ud800")
    assert path.read_bytes().decode("utf-8").startswith("<!doctype html>")


def test_embedding_escapes_everything_that_could_end_it() -> None:
    for text in NASTY:
        shown = embed(text)
        assert json.loads(shown) == text
        assert shown.isascii()
        assert not set("<>&") & set(shown)


def test_numbers_that_json_cannot_write() -> None:
    given = row("one", "a", "b")
    score = given.scores["nes"]
    odd = type(score)(score.measure, score.value, {"ratio": float("nan")}, *score.pair)
    page = render_report([ReportRow(**vars(given) | {"scores": {"nes": odd}})])
    assert data_of(page)["rows"][0]["scores"]["nes"]["parts"] == [["ratio", None]]


def test_offsets_are_those_of_javascript() -> None:
    text = "a😀b😀c"
    offset = utf16_offsets(text)
    for i in range(len(text) + 1):
        assert offset(i) == len(text[:i].encode("utf-16-le")) // 2


def test_failures_are_kept_and_shown() -> None:
    class Failing(type(measure("nes"))):  # type: ignore[misc]
        name = "failing"

        def _pair(self, candidate, reference):
            raise ValueError("it <broke>")

    given = score_row(
        {"id": "one", "language": "python", "candidate": "a", "reference": "b"},
        [Failing(), measure("nes")],
    )
    assert given.failures == {"failing": "measure('failing') cannot score the texts: it <broke>"}
    assert list(given.scores) == ["nes"]
    page = render_report([given])
    assert "1 score could not be computed" in page
    assert "it &lt;broke&gt;" in page
    assert data_of(page)["rows"][0]["failures"] == dict(given.failures)


def test_forms_of_one_measure_keep_their_scores() -> None:
    forms = [measure("crystalbleu", trivial=[(sign,)]) for sign in "=+1"]
    forms += [measure("bleu"), measure("bleu", order=2)]
    text = {"id": "one", "language": "python", "candidate": "x = 1 + y", "reference": "x = 1 + z"}
    given = score_row(text, forms)
    names = ["crystalbleu", "crystalbleu 2", "crystalbleu 3", "bleu", "bleu 2"]
    assert list(given.scores) == names
    assert [score.measure for score in given.scores.values()] == forms
    data = data_of(render_report([given]))
    assert [one["name"] for one in data["measures"]] == names
    shown = data["rows"][0]["scores"]
    assert len({shown[name]["signature"] for name in names}) == len(names)


def test_ids_must_be_unique() -> None:
    with pytest.raises(CodekinError, match="'same' stands on two rows"):
        render_report([row("same", "a", "b"), row("same", "c", "d")])


def test_no_rows_give_a_page() -> None:
    assert data_of(render_report([])) == {"measures": [], "rows": []}


def test_tables_have_headers_and_controls_have_labels() -> None:
    page = render_report(demo())
    tags = Page(page).tags
    assert all("scope" in a for tag, a in tags if tag == "th")
    assert all(a.get("aria-label") for tag, a in tags if tag == "svg" and a.get("role") == "img")
    for control in ("q", "group", "language", "sort", "order"):
        assert re.search(rf'<label[^>]*><span>[^<]+</span><(?:input|select) id="{control}"', page)


def test_blind_spots() -> None:
    rows = [
        row("a", "x = 1", "x = 1", "equal"),
        row("b", "x  =  1", "x = 1", "spaced"),
        row("c", "x = 2", "x = 1", "other"),
        row("d", "x = 1", "x = 1", "other"),
    ]
    summary = summarise(rows)
    assert summary.groups == {"equal": 1, "spaced": 1, "other": 2}
    assert summary.blind_spots("bleu") == [("spaced", 1, 1), ("other", 1, 2)]
    assert summary.blind_spots("ed") == [("other", 1, 2)]
    cell = summary.cells["other", "nes"]
    assert (cell.mean, cell.scored, cell.as_equal) == (pytest.approx(0.9), 2, 1)
    assert render_report(rows).count('<b class="blind"') == 1


def contrast(first: str, second: str) -> float:
    """WCAG's contrast of two colours written #rrggbb."""

    def light(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        lin = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_colours_have_contrast_on_every_ground() -> None:
    pairs = dict(re.findall(r"--(\w+): light-dark\((#\w{6}, #\w{6})\)", render_report([])))
    for theme in (0, 1):
        color = {name: value.split(", ")[theme] for name, value in pairs.items()}
        for ink in ("ink", "soft", "accent", "miss", "keyword", "string"):
            for ground in ("paper", "surface", "sunken"):
                assert contrast(color[ink], color[ground]) >= 4.5, (theme, ink, ground)
        assert contrast(color["ink"], color["mark"]) >= 4.5


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")
def test_a_browser_shows_nasty_texts(tmp_path: Path) -> None:
    rows = [row(f"id {i}", text, text, group="g") for i, text in enumerate(NASTY)]
    path = write_report(rows, tmp_path / "nasty.html")
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
        f"{path.as_uri()}#pair=id+4&measure=nes",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    page = done.stdout.decode("utf-8", "replace")
    assert "CONSOLE" not in done.stderr.decode("utf-8", "replace")
    assert page.count('role="option"') == len(NASTY)
    assert '<mark style="--level: 1;">a😀 = </mark>' in page


@pytest.mark.parametrize(("cards", "columns"), [(4, 4), (6, 3), (8, 4), (9, 3), (12, 4)])
def test_cards_fill_their_rows(cards, columns) -> None:
    assert html._columns(cards) == columns
