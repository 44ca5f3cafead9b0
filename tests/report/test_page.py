"""The report in a real browser: what its reader sees, clicks and presses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.report.browser import Page
from tests.report.nasty import NASTY
from tests.report.synthetic import synthetic_run

from codekin import Run, score
from codekin.report import write_report

NIGHTLY = float(os.environ.get("CODEKIN_EXAMPLES", "0")) > 1
MANY_ROWS = 100_000 if NIGHTLY else 20_000


def rows() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for i in range(30):
        for group, change in (("good", ""), ("poor", " + other")):
            made.append(
                {
                    "id": f"task-{i}",
                    "group": group,
                    "language": "python" if i % 2 else "go",
                    "candidate": f"a = {i}\nb = a{change}\nprint(b)\n",
                    "reference": f"a = {i}\nb = a\nprint(b, {i})\n",
                    "outcome": i % 3 == 0,
                    "note": f"the note of {i}",
                }
            )
    for i in (3, 4):
        del made[i]["reference"]
        made[i]["references"] = ["while True:\n    pass\n", made[i]["candidate"], "x\n"]
        made[i]["origin"] = "the = origin\n"
    made[7]["candidate"] = 7
    made[10]["candidate"] += "needle = 1\n"
    made[13]["reference"] += "haystack = 2\n"
    return made


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("page") / "run"
    return score(rows(), ["nes", "bleu", "ed"], output=folder, workers=0)


@pytest.fixture(scope="module")
def report(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(run, tmp_path_factory.mktemp("page") / "report.html", explain=50)


def values(page: Page) -> list[float]:
    return [float(text.replace("−", "-")) for text in page.texts("#items .value") if text != "–"]


def address(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.run(
        "Object.fromEntries(new URLSearchParams(location.hash.slice(1)))"
    )
    return found


def test_it_opens_with_a_pair_and_its_explanation(page, report) -> None:
    page.open(report)
    assert page.text("#found").startswith("60 rows; the numbers are bleu")
    assert page.text("#detail h3").startswith("task-")
    assert page.run("document.querySelectorAll('.pane .row').length") >= 6
    assert page.run("document.querySelectorAll('.pane mark').length") > 0
    assert "shaded by the longest run" in page.text(".why p")
    assert "found in the other text" in page.text(".under")
    assert "bleu|tree-sitter-" in page.text(".signature code")


def test_comments_that_a_measure_ignores_are_unmarked(page, tmp_path) -> None:
    text = 'def f(a):\n    """Doc string here."""\n    # a comment\n    return a + 1\n'
    row = {"language": "python", "candidate": text, "reference": text}
    run = score([row], ["bleu", "nes"], output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "report.html"))
    assert "100 % found" in page.text(".pane h4")
    assert page.run("document.querySelectorAll('.pane .u').length") == 0
    assert "unmarked: not compared" in page.text(".under")
    page.press("l")
    assert "100 % found" in page.text(".pane h4")
    assert "unmarked" not in page.text(".under")


def test_fields_keep_their_line_ends_and_text_is_not_called_code(page, tmp_path) -> None:
    row = {"language": "text", "candidate": "a b c", "reference": "a b d"}
    row |= {"prompt": "first line\n  second line", "test": "assert f(1)\nassert f(2)", "n": 3}
    run = score([row], ["bleu"], output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "report.html"))
    notes = page.run("[...document.querySelectorAll('.note')].map((one) => one.innerText)")
    assert notes == ["prompt: \nfirst line\n  second line", "test: \nassert f(1)\nassert f(2)"]
    assert "n: 3" in page.text(".meta")
    assert page.text(".why p").startswith("Each token is shaded")


def test_a_click_opens_a_row(page, report) -> None:
    page.open(report)
    page.click("#option-2")
    assert page.text("#detail h3") == "task-1"
    assert page.text("#detail .meta") == "good · Python · outcome 0"
    assert page.text("#detail .note") == "the note of 1"
    assert page.texts(".pane .code")[0].splitlines() == ["a = 1", "b = a", "print(b)"]
    assert page.run("document.querySelector('#option-2').ariaSelected") == "true"
    assert address(page)["row"] == "3"


def test_keys_go_through_rows_and_measures(page, report) -> None:
    page.open(report, "pair=task-0&row=1")
    page.press("j", "j", "k")
    assert (page.text("#detail h3"), address(page)["row"]) == ("task-0", "2")
    page.press("l")
    assert page.text("#detail [aria-selected=true]").startswith("ed")
    page.press("h", "h")
    assert page.text("#detail [aria-selected=true]").startswith("nes")
    assert "the numbers are nes" in page.text("#found")
    page.press("/")
    assert page.run("document.activeElement.id") == "q"
    page.press("j")  # a letter now, and no command
    assert page.run("document.querySelector('#q').value") == "j"
    page.write("#q", "")
    page.press("Escape")
    assert page.run("document.activeElement.id") == "list"
    page.press("End")
    assert address(page)["row"] == "60"
    active = "document.querySelector('#list').getAttribute('aria-activedescendant')"
    assert page.run(active) == "option-59"
    assert page.run("document.querySelector('#option-59').getAttribute('aria-posinset')") == "60"
    page.press("ArrowUp")
    assert address(page)["row"] == "59"
    page.press("Enter")
    assert page.run("document.activeElement.id") == "detail"
    page.press("Escape", "Home")
    assert address(page)["row"] == "1"


def test_rows_are_sorted_by_a_measure_or_a_difference(page, report) -> None:
    page.open(report)
    page.choose("#sort", "nes")
    up = values(page)
    assert up == sorted(up)
    page.choose("#order", "down")
    down = values(page)
    assert down == sorted(down, reverse=True)
    assert down[0] > up[0]
    page.choose("#minus", "bleu")
    apart = values(page)
    assert apart == sorted(apart, reverse=True)
    assert "nes minus bleu" in page.text("#found")
    assert page.text("#order option:checked") == "highest first"
    page.choose("#sort", "ed")
    page.choose("#minus", "")
    page.choose("#order", "up")
    far = values(page)
    assert far == sorted(far, reverse=True)  # the least alike are the farthest apart


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("group", "poor", 30),
        ("language", "go", 30),
        ("outcome", "1", 20),
        ("show", "failed", 1),
        ("show", "scored", 59),
        ("show", "explained", 50),
    ],
)
def test_rows_are_filtered(page, report, field, value, found) -> None:
    page.open(report)
    page.choose(f"#{field}", value)
    assert page.text("#found").startswith(f"{found} of 60 rows")
    assert page.run("document.querySelectorAll('#items li').length") <= found
    page.click("#reset")
    assert page.text("#found").startswith("60 rows")


def test_values_are_limited_by_two_sliders(page, report, run) -> None:
    page.open(report)
    page.click("#more summary")
    page.choose("#range", "nes")
    for slider, value in (("from", "700"), ("to", "900")):
        page.choose(f"#{slider}", value)
    nes = run.values("nes")
    inside = int(((nes >= 0.7) & (nes <= 0.9)).sum())
    assert 0 < inside < 60
    assert page.text("#found").startswith(f"{inside} of 60 rows")
    shown = "document.querySelector('#from').getAttribute('aria-valuetext')"
    assert page.run(shown) == page.text("#from-shown") == "0.70"


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("needle", {"task-5"}),
        ("HAYSTACK", {"task-6"}),
        ("note of 29", {"task-29"}),
        ("task-17", {"task-17"}),
        ("the = origin", {"task-1", "task-2"}),
    ],
)
def test_texts_are_found(page, report, words, ids) -> None:
    page.open(report)
    page.write("#q", words)
    assert set(page.texts("#items b")) == ids
    assert page.text("#detail h3") in ids
    assert address(page)["q"] == words


def test_where_nothing_fits_the_page_says_so(page, report) -> None:
    page.open(report)
    page.write("#q", "nothing of the kind")
    assert page.text("#detail") == "No row fits the filters."
    assert page.text("#found").startswith("0 of 60 rows")
    page.press("j")
    page.click("#reset")
    assert page.text("#detail h3").startswith("task-")


def test_the_address_holds_what_is_shown(page, report) -> None:
    page.open(report)
    page.choose("#group", "poor")
    page.choose("#sort", "bleu")
    page.choose("#order", "down")
    page.press("j", "j", "l")
    before = (page.text("#detail"), page.texts("#items b"), page.text("#found"))
    fragment = page.run("location.hash.slice(1)")
    page.open(report, fragment)
    assert (page.text("#detail"), page.texts("#items b"), page.text("#found")) == before
    page.run("location.hash = 'group=good&sort=nes'")
    page.settle()
    assert page.run("document.querySelector('#group').value") == "good"
    assert page.run("document.querySelector('#order').value") == "up"


def test_links_in_the_tables_lead_to_rows(page, report) -> None:
    page.open(report)
    page.click(".heat .group a[href='#group=poor']")
    assert page.text("#found").startswith("30 of 60 rows")
    page.click(".matrix a[href='#x=ed&y=nes']")
    assert page.run("document.querySelector('#x').value") == "ed"
    page.click("#failures a")
    assert page.text("#detail h3") == "task-3"
    assert "candidate must be a text, not a number" in page.text(".trouble")
    assert "no candidate to show" in page.text(".boxed")


def test_a_click_on_the_scatter_plot_opens_the_row(page, report) -> None:
    page.open(report)
    assert page.run("document.querySelector('#canvas').ariaLabel") == (
        "60 rows, bleu across and nes up"
    )
    spot = page.run("""(() => {
      const canvas = document.querySelector('#canvas');
      canvas.scrollIntoView({ block: 'center' });
      const box = canvas.getBoundingClientRect();
      const [left, top] = [Math.ceil(box.left), Math.ceil(box.top)]; // a mouse is on whole pixels
      for (let y = top; y < box.bottom; y += 3) for (let x = left; x < box.right; x += 3) {
        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }));
        if (document.querySelector('#scatter-told b')) return [x, y];
      }
    })()""")
    told = page.text("#scatter-told")
    name = page.text("#scatter-told b")
    page.click_at(*spot)
    assert page.text("#detail h3") == name
    bleu = page.text("#detail [role=tab]:nth-child(2) span")
    assert f"bleu {bleu}" in told
    page.choose("#x", "ed")
    assert page.run("document.querySelector('#canvas').ariaLabel").startswith("60 rows, ed across")
    assert address(page)["x"] == "ed"
    page.click("#scatter-legend button")
    assert page.run("document.querySelector('#group').value") == "good"


def test_the_scatter_plot_has_ink(page, report) -> None:
    page.open(report)
    inked = """(() => {
      const canvas = document.querySelector('#canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 60) count++;
      return count;
    })()"""
    assert page.run(inked) > 1000


def test_each_reference_and_the_origin_can_be_held_against(page, report) -> None:
    page.open(report, "pair=task-2&group=good&measure=nes")
    assert page.texts(".against button") == [
        "Reference 1",
        "Reference 2 likest",
        "Reference 3",
        "Origin",
        "Both edits of the origin",
    ]
    assert page.text(".pane:nth-child(2) h4").startswith("Reference 2")
    assert page.run("document.querySelector('.plain-word')") is None
    page.click(".against button:nth-of-type(1)")
    assert "A plain line diff, not what nes saw" in page.text(".plain-word")
    assert "about the likest reference" in page.text(".plain-word")
    assert "while True:" in page.text(".pane:nth-child(2) .code")
    page.click(".against button:nth-of-type(4)")
    assert page.text(".pane:nth-child(2) h4").startswith("Origin")
    assert page.text(".pane:nth-child(2) .code").strip() == "the = origin"
    assert address(page)["against"] == "origin"


def test_a_row_without_an_explanation_shows_a_line_diff(page, run, tmp_path) -> None:
    path = write_report(run, tmp_path / "r.html", explain=0)
    page.open(path, "pair=task-9&group=poor")
    assert "A plain line diff, not what bleu saw" in page.text(".plain-word")
    assert "codekin report RUN --rows 'task-9'" in page.text(".plain-word code")
    marks = page.texts(".pane:nth-child(1) mark")
    assert marks == ["a = 9"]
    assert page.texts(".pane:nth-child(1) .u") == ["b = a + other", "print(b)"]
    assert "brevity penalty" in page.text(".parts")


def test_rows_of_the_same_reference_are_linked(page, report) -> None:
    page.open(report, "pair=task-9&group=good")
    assert page.text(".siblings button").startswith("poor")
    page.click(".siblings button")
    assert page.text("#detail .meta").startswith("poor")
    assert page.run("document.querySelector('#group').value") == ""


def test_rows_of_one_group_are_told_apart_by_their_ids(page, tmp_path) -> None:
    long = "a-very-long-name/of-a-file/in-a-folder"
    made = [
        {"id": name, "group": group, "candidate": name, "reference": "x"}
        for name, group in (("one", "a"), ("two", "a"), (f"{long}/3", "b"), (f"{long}/4", "b"))
    ]
    run = score(made, "nes", output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "r.html"), "pair=one")
    assert page.texts(".siblings code") == [
        "two",
        "a-very-long…-a-folder/3",
        "a-very-long…-a-folder/4",
    ]
    assert page.texts(".siblings b") == ["a", "b", "b"]
    page.resize(360, 800)
    assert page.run("document.documentElement.scrollWidth") <= 360


def test_a_pair_that_is_not_there_is_told(page, report) -> None:
    page.open(report, "pair=nope")
    told = "document.querySelector('#missing')"
    assert page.text("#missing") == "no such row: nope"
    assert page.run(f"{told}.role") == "status"
    assert page.run(f"{told}.getBoundingClientRect().top") < 900
    assert (page.text("#detail h3"), page.text("#detail .meta")[:4]) == ("task-0", "good")
    page.press("j")
    assert page.text("#missing") == ""
    page.open(report, "pair=nope&group=poor&q=note")
    page.until("document.querySelector('#found').innerText.indexOf('searched') < 0")
    assert page.text("#missing") == "no such row: nope"
    assert page.text("#detail .meta").startswith("poor")
    page.run("location.hash = 'pair=task-9'")
    page.settle()
    assert (page.text("#missing"), page.text("#detail h3")) == ("", "task-9")


def test_an_address_names_no_pair_where_none_fits(page, report) -> None:
    page.open(report, "q=nothing of the kind")
    page.until("document.querySelector('#found').innerText.startsWith('0 of 60')")
    page.settle()
    assert "pair" not in address(page)


@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_labels_of_axes_are_not_cut(page, tmp_path, width) -> None:
    made = [
        {"group": f"g{i}", "candidate": "x" * (1150 + 10 * i), "reference": "y" * 1200}
        for i in range(3)
    ]
    run = score(made, ["ed", "nes", "bleu"], output=tmp_path / "run", workers=0)
    page.resize(width, 900)
    page.open(write_report(run, tmp_path / "r.html"))
    ticks = "[...document.querySelectorAll('.histogram .tick')]"
    assert page.run(f"{ticks}.some((one) => one.textContent.length > 3)")
    right = "getBoundingClientRect().right"
    cut = f"{ticks}.filter((one) => one.{right} > one.ownerSVGElement.{right})"
    assert page.run(f"{cut}.map((one) => one.textContent)") == []


def test_a_run_without_texts_says_so(page, tmp_path) -> None:
    run = score(rows(), "nes", output=tmp_path / "run", workers=0, texts=False)
    page.open(write_report(run, tmp_path / "r.html"))
    assert "made without texts" in page.text(".boxed")


def test_very_long_texts_are_shown_in_part_until_asked_for(page, tmp_path) -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(9000))
    row = {"language": "python", "candidate": text, "reference": text + "last\n"}
    run = score([row], "nes", output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "r.html"))
    shown = "document.querySelector('.pane:nth-child(1) .code').childElementCount"
    assert page.run(shown) == 1500
    page.click(".pane:nth-child(1) .rest")
    assert page.run(shown) == 9000
    assert page.texts(".pane:nth-child(2) h4 span") == ["Python · 99 % found"]  # not all of it
    assert page.texts(".pane:nth-child(1) h4 span") == ["Python · 100 % found"]


def test_rows_without_a_language_do_not_name_one(page, tmp_path) -> None:
    row = {"id": "one", "candidate": "a b", "reference": "a c"}
    run = score([row], "nes", output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "r.html"))
    assert page.text("#items small") == ""
    assert page.text(".pane h4 span") == "50 % found"


def test_themes(page, report) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.prefer("dark")
    page.open(report)
    dark = page.run(paper)
    assert page.text("#theme") == "Light"
    page.click("#theme")
    assert page.run(paper) != dark
    assert address(page)["theme"] == "light"
    page.prefer("light")
    page.open(report)
    assert page.text("#theme") == "Dark"
    page.click("#theme")
    assert page.run(paper) == dark


@pytest.mark.parametrize("width", [360, 420, 800, 1280, 1920])
def test_no_width_scrolls_sideways(page, report, width) -> None:
    page.resize(width, 900)
    page.open(report, "pair=task-2&group=good")
    assert page.run("document.documentElement.scrollWidth") <= width
    page.choose("#range", "nes")
    page.click(".pills button:last-child")
    assert page.run("document.documentElement.scrollWidth") <= width


def test_scores_scroll_under_the_names_of_systems(page, report) -> None:
    page.resize(360, 900)
    page.open(report)
    under = page.run("""(() => {
      const row = document.querySelector('#means tbody tr'), name = row.querySelector('th');
      const middle = (node) => {
        const box = node.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
      };
      row.scrollIntoView({ block: 'center' });
      row.closest('.scroll').style.width = '160px';  // as if there were more measures
      const score = row.querySelector('td[data-heat] span');
      row.closest('.scroll').scrollLeft += middle(score)[0] - middle(name)[0];
      return [middle(score)[0] - middle(name)[0],
              name.contains(document.elementFromPoint(...middle(score)))];
    })()""")
    assert under == [pytest.approx(0, abs=2), True]


def test_every_control_can_be_reached_and_seen_by_keyboard(page, report) -> None:
    page.open(report)
    page.press("Tab")
    assert page.text(":focus") == "Skip to the rows"
    assert page.run("document.activeElement.getBoundingClientRect().left") >= 0
    unnamed = page.run("""[...document.querySelectorAll('button, select, input, [role]')]
      .filter((node) => !node.closest('[hidden]'))
      .filter((node) => !['presentation', 'status', 'tabpanel', 'img'].includes(node.role))
      .filter((node) => !(node.innerText || node.ariaLabel || node.labels?.length
                          || node.getAttribute('aria-labelledby')))
      .map((node) => node.outerHTML.slice(0, 80))""")
    assert unnamed == []
    page.run("document.querySelector('#list').focus()")
    page.press("j")
    assert page.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_paper_gets_the_open_row_and_not_the_list(page, report, tmp_path) -> None:
    page.open(report, "pair=task-9&theme=dark")
    page.send("Emulation.setEmulatedMedia", media="print")
    seen = "getComputedStyle(document.querySelector('%s')).display"
    assert page.run(seen % ".side") == page.run(seen % "#theme") == "none"
    assert page.run(seen % "#detail") != "none"
    page.pdf(tmp_path / "r.pdf")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


def test_nasty_texts_are_only_texts(page, tmp_path) -> None:
    made = [
        {
            "id": f"{i} {text}",
            "language": "python",
            "candidate": text,
            "reference": f"{text} # 1",
            "group": text,
            "note": text,
        }
        for i, text in enumerate(NASTY)
    ]
    run = score(made, ["nes", "bleu"], output=tmp_path / "run", workers=0)
    page.open(write_report(run, tmp_path / "r.html", title=NASTY[0]))
    for i, text in enumerate(NASTY):
        page.click(f"#option-{i}")
        assert page.run("document.querySelector('#detail h3').textContent").startswith(f"{i} ")
        if text.isprintable():
            assert page.text("#detail h3") == " ".join(f"{i} {text}".split())
            assert text in page.text(".pane .code")
    assert page.run("document.images.length") == 0
    page.click("#option-3")
    page.run("document.querySelector('#detail [role=tab]').click()")
    page.settle()
    assert "".join(page.texts(".pane:nth-child(1) mark")) == "a😀 = '😀' # 😀"


def test_very_many_rows_open_in_three_seconds(page, tmp_path, monkeypatch) -> None:
    # How the intervals were found does not matter to who opens the page.
    monkeypatch.setattr("codekin.report.summary._RESAMPLES", {60: 20})
    run = synthetic_run(tmp_path / "run", MANY_ROWS, ("nes", "jaccard", "tsed"))
    path = write_report(run, tmp_path / "r.html", explain=100)
    page.open(path)
    opened = float(page.run("document.documentElement.dataset.ready"))
    assert opened < 3000
    assert page.text("#found").startswith(f"{MANY_ROWS:,} rows")
    assert page.run("document.querySelectorAll('#items li').length") < 60
    page.run("document.querySelector('#list').focus()")
    page.press("End")
    assert page.text("#detail h3") == f"row-{MANY_ROWS - 1}"
    assert "return x + " in page.text(".pane .code")
    page.choose("#sort", "nes")
    up = values(page)
    assert up == sorted(up)
    page.write("#q", "def f15432(")
    assert page.texts("#items b") == ["row-15432"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 50 systems of which each is likelier than the one before, the last aside."""
    folder = tmp_path_factory.mktemp("many")
    groups = [f"model-{i}" for i in range(50)]
    made = []
    for i, group in enumerate(groups):
        for j in range(3):
            text = "x = 1\n" * (1 + j) + "y = 2\n" * (49 - i)
            made.append(
                {"group": group, "language": "python", "candidate": text, "reference": "x = 1\n"}
            )
    for one in made[-3:]:
        one["candidate"] = 7  # no score at all
    run = score(made, ["nes", "ed"], output=folder / "run", workers=0)
    return write_report(run, folder / "r.html", explain=0)


def names(page: Page) -> list[str]:
    return page.texts("#means tbody tr:not([hidden]) .group")


def labels(page: Page, kind: str, card: int = 0) -> list[str]:
    found: list[str] = page.run(
        f"[...document.querySelectorAll('[data-kind={kind}] [data-measure=\"{card}\"] .system')]"
        ".sort((a, b) => a.transform.baseVal[0].matrix.f - b.transform.baseVal[0].matrix.f)"
        ".map((row) => row.querySelector('.label').firstChild.data)"
    )
    return found


def test_systems_are_ordered_by_a_measure_or_by_name(page, many) -> None:
    page.open(many)
    given = names(page)
    assert given == [f"model-{i}" for i in range(30)]
    before = page.run("document.querySelector('[data-kind=intervals]').outerHTML")
    page.click("#means [data-rank=nes] .by")
    assert names(page)[:3] == ["model-48", "model-47", "model-46"]
    assert labels(page, "intervals") == labels(page, "histograms", 1) == names(page)[:20]
    assert page.run("document.querySelector('[data-rank=nes]').ariaSort") == "descending"
    assert (address(page)["rank"], address(page)["see"]) == ("nes", "overview")
    page.press("Enter")  # the head has the focus still
    assert names(page)[:2] == ["model-0", "model-1"]
    assert address(page)["ranked"] == "up"
    page.press("Enter")
    assert names(page) == given
    assert "rank" not in address(page)
    assert page.run("document.querySelector('[data-kind=intervals]').outerHTML") == before
    page.choose("#rank", "ed")  # a distance: the smallest is the likest
    assert names(page)[0] == "model-48"
    assert page.run("document.querySelector('[data-rank=ed]').ariaSort") == "ascending"
    page.choose("#rank", "(name)")
    page.choose("#ranked", "up")
    assert names(page)[:2] == ["model-49", "model-48"]
    assert page.text("#ranked option:checked") == "Z to A"


def test_all_systems_can_be_listed_and_any_drawn(page, many) -> None:
    page.open(many, "rank=nes")
    assert page.text(".fold") == (
        "The first 30 of 50 groups are listed, by nes, most alike first. Show all 50"
    )
    page.click(".fold button")
    assert len(names(page)) == 50
    assert names(page)[-1] == "model-49"  # without a value
    page.choose("#drawn", "31")
    assert labels(page, "intervals") == labels(page, "histograms") == names(page)[30:]
    told = "Drawn are 31 to 50 of 50 groups, by nes, most alike first; 30 are not."
    assert page.texts(".drawn-told") == [told, told]
    fragment = page.run("location.hash.slice(1)")
    assert "see=side-by-side" in fragment
    shown = page.run("document.querySelector('[data-kind=intervals]').outerHTML")
    page.open(many, fragment)
    assert len(names(page)) == 50
    assert page.run("document.querySelector('[data-kind=intervals]').outerHTML") == shown
    assert 0 <= page.run("document.querySelector('#side-by-side').getBoundingClientRect().top") < 60
    page.open(many, "rank=nobody&drawn=7&ranked=sideways")
    assert names(page)[0] == "model-0"


def test_without_scripts_the_systems_stand_as_given(page, many) -> None:
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.send("Page.navigate", url=many.as_uri() + "#rank=nes")
    page.until("document.readyState === 'complete' && document.querySelector('#means') !== null")
    assert names(page) == [f"model-{i}" for i in range(50)]
    assert labels(page, "intervals") == [f"model-{i}" for i in range(20)]
    assert "Drawn are the first 20 of 50 groups, in the given order." in page.text("#side-by-side")
    controls = "[...document.querySelectorAll('#ranking, .fold, .cards-choice')]"
    assert page.run(f"{controls}.every((one) => one.hidden)")
    page.send("Emulation.setScriptExecutionDisabled", value=False)


def test_nasty_names_are_only_names_in_any_order(page, tmp_path) -> None:
    wild = [*(text[:60] for text in NASTY), "\x0b\x1b]\x00", "<g>&amp;</g></svg><script>alert(1)"]
    groups = [f"tame {i}" for i in range(20)] + list(dict.fromkeys(filter(None, wild)))
    run = synthetic_run(tmp_path / "run", 2 * len(groups), ("nes",), groups)
    page.open(write_report(run, tmp_path / "r.html", explain=0), "rank=nes&drawn=2")
    shown = set(labels(page, "intervals"))
    page.choose("#drawn", str(len(groups) - 19))
    shown |= set(labels(page, "intervals"))
    assert len(shown) == len(groups)
    every = "[...document.querySelectorAll('.system *')].map((one) => one.localName)"
    assert set(page.run(every)) == {"text", "title", "g", "line", "circle", "rect", "path"}
