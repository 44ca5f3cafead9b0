from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.report.nasty import NASTY
from tests.report.reading import Report

from codekin import CodekinError, Run, measure, score
from codekin.report import write_report
from codekin.report.demo import read_demo


@pytest.fixture(scope="module")
def demo(demo_run, tmp_path_factory) -> Report:
    return Report(write_report(demo_run, tmp_path_factory.mktemp("html") / "demo.html"))


def row(candidate: str, reference: str, **more: object) -> dict[str, object]:
    return {"language": "python", "candidate": candidate, "reference": reference, **more}


def test_the_same_rows_give_the_same_bytes(demo_run, tmp_path) -> None:
    names = ["exact", "ed", "nes", "bleu"]
    again = score(read_demo()[:11], names, output=tmp_path / "run", workers=0, shard_rows=3)
    first = write_report(demo_run, tmp_path / "a.html").read_bytes()
    assert write_report(again, tmp_path / "b.html").read_bytes() == first


def test_the_file_is_complete(demo) -> None:
    script = demo.scripts[-1][1]
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", demo.page)
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|import)\s*\(", script)
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\b", script)
    links = [a for tag, a in demo.tags if tag in ("link", "img", "script", "iframe")]
    assert all((a.get("href") or a.get("src") or "data:").startswith("data:") for a in links)
    (policy,) = [a["content"] for tag, a in demo.tags if a.get("http-equiv")]
    assert policy is not None
    assert policy.startswith("default-src 'none';")


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_stay_data(text, tmp_path) -> None:
    given = row(text, f"x = 1 # {text}", id=text, group=text, note=text, origin=text)
    run = score([given], ["nes", "bleu"], output=tmp_path / "run", workers=0)
    report = Report(write_report(run, tmp_path / "r.html", title=text))
    pieces = len(report.pieces) + 1  # and the script itself
    assert len(report.scripts) == pieces
    assert report.page.count("<script") == report.page.count("</script>") == pieces
    for attrs, content in report.scripts[:-1]:
        assert attrs["type"] in ("text/plain", "application/json")
        assert attrs["id"] == "about" or re.fullmatch(r"[A-Za-z0-9+/=]*", content)
    (one,) = report.rows
    assert (one["id"], one["candidate"], one["origin"]) == (text, text, text)
    assert one["references"] == [f"x = 1 # {text}"]
    assert one["fields"] == {"note": text}
    assert report.about["systems"][0]["name"] == text
    assert not any(tag == "img" for tag, _ in report.tags)


def test_titles_that_no_file_could_hold_are_written(demo_run, tmp_path) -> None:
    path = write_report(demo_run, tmp_path / "nasty.html", title="\ud800")
    assert path.read_bytes().decode("utf-8").startswith("<!doctype html>")


def test_failures_are_kept_and_shown(tmp_path) -> None:
    class Failing(type(measure("nes"))):  # type: ignore[misc]
        name = "failing"

        def _pair(self, candidate, reference):
            raise ValueError("it <broke>")

    run = score([row("a", "b")], [Failing(), measure("nes")], output=tmp_path / "r", workers=0)
    report = Report(write_report(run, tmp_path / "r.html"))
    assert "What could not be scored" in report.page
    assert "it &lt;broke&gt;" in report.page
    (one,) = report.rows
    assert "it <broke>" in one["told"]["problems"]["failing"]
    assert report.column("failed") == [1]
    assert list(report.explanations[0]["measures"]) == ["nes"]


def test_no_rows_give_a_page(tmp_path, run_without_rows) -> None:
    run = run_without_rows(["nes", "bleu"])
    report = Report(write_report(run, tmp_path / "r.html"))
    assert (report.about["rows"], report.rows) == (0, [])


def test_an_unfinished_run_says_so(demo_run, tmp_path) -> None:
    run = Run(demo_run.path)
    run.manifest["state"] = "running"
    assert "is not complete" in write_report(run, tmp_path / "r.html").read_text(encoding="utf-8")


def test_tables_have_headers_and_controls_have_labels(demo) -> None:
    assert all("scope" in a for tag, a in demo.tags if tag == "th")
    pictures = [a for tag, a in demo.tags if tag == "svg" and a.get("role") == "img"]
    assert pictures
    assert all(a.get("aria-label") for a in pictures)
    for control in ("q", "group", "language", "sort", "minus", "order", "show", "range"):
        pattern = rf'<label[^>]*><span>[^<]+</span><(?:input|select) id="{control}"'
        assert re.search(pattern, demo.page), control


def test_blind_spots_are_marked_where_there_are_equal_pairs(scored, tmp_path) -> None:
    rows = [row("x = 1", "x = 1", group="equal"), row("x  =  1", "x = 1", group="spaced")]
    page = write_report(scored(rows), tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count('<b class="blind"') == 1
    rows[0]["group"] = "same"
    page = write_report(scored(rows, name="b"), tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count('<b class="blind"') == 0


def test_agreeing_invariances_are_not_called_blind_spots(scored, tmp_path) -> None:
    rows = [row("x = 1", "x = 1", group="equal"), row("x  =  1", "x = 1", group="reformatted")]
    page = write_report(scored(rows), tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count('<b class="blind"') == 0
    assert page.count('<b class="alike"') == 1
    assert "<h3>Blind spots" not in page
    assert "<h3>Invariances: changes that keep the meaning" in page


def test_a_report_within_its_budget_says_how_much_it_explains(
    scored, tmp_path, monkeypatch
) -> None:
    rows = [row(f"x = {i}", "x = 1", id=str(i)) for i in range(12)]
    run = scored(rows)
    whole = write_report(run, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "are explained by their measures" not in whole
    monkeypatch.setattr("codekin.report.choice._STEPS", 300 * len(run.measures) * 5)
    seen = []
    path = write_report(run, tmp_path / "r.html", report=lambda *done: seen.append(done))
    assert "5 of 12 rows are explained by their measures" in path.read_text(encoding="utf-8")
    assert seen == [(i, 5) for i in range(1, 6)]


def test_a_report_is_written_whole_or_not_at_all(demo_run, tmp_path, monkeypatch) -> None:
    path = tmp_path / "r.html"
    before = "<!DOCTYPE html><p>as it was"
    path.write_text(before)
    monkeypatch.setattr("codekin.report.run_page.put_data", _full_disk)
    with pytest.raises(CodekinError, match=r"r\.html: No space left on device"):
        write_report(demo_run, path)
    assert path.read_text() == before
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.parametrize("text", ["{}\n", "<html>", " <!doctype html>"])
def test_only_html_is_replaced(demo_run, tmp_path, text) -> None:
    path = tmp_path / "r.html"
    path.write_text(text)
    with pytest.raises(CodekinError, match=r"r\.html: is not a page that codekin wrote"):
        write_report(demo_run, path)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("r.html", text)]
    for harmless in ("<!DOCTYPE HTML><p>", ""):
        path.write_text(harmless)
        assert write_report(demo_run, path).read_bytes().startswith(b"<!doctype html>")


def test_devices_and_pipes_are_not_replaced(demo_run, tmp_path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(CodekinError, match="pipe: is not a page that codekin wrote"):
        write_report(demo_run, path)
    assert path.is_fifo()


def test_folders_do_for_runs(demo_run, tmp_path) -> None:
    wanted = write_report(demo_run, tmp_path / "a.html").read_bytes()
    for given in (demo_run.path, str(demo_run.path), [str(demo_run.path)], (demo_run.path,)):
        assert write_report(given, tmp_path / "b.html").read_bytes() == wanted
    two = write_report([demo_run, str(demo_run.path)], tmp_path / "c.html").read_bytes()
    assert two == write_report([demo_run] * 2, tmp_path / "d.html").read_bytes() != wanted
    with pytest.raises(CodekinError, match="there is no run to report"):
        write_report([], tmp_path / "e.html")
    with pytest.raises(CodekinError, match="nowhere: no such folder"):
        write_report("nowhere", tmp_path / "e.html")


def test_where_no_file_can_be_the_reason_is_told(demo_run, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "r.html", tmp_path / "none" / "r.html", tmp_path):
        with pytest.raises(CodekinError, match=re.escape(str(path))):
            write_report(demo_run, path)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def _full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def contrast(first: str, second: str) -> float:
    """WCAG's contrast of two colours written #rrggbb."""

    def light(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        lin = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_have_contrast_on_every_ground(demo) -> None:
    pairs = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\)", demo.page))
    for theme in (0, 1):
        color = {name: value.split(", ")[theme] for name, value in pairs.items()}
        for ink in ("ink", "soft", "accent", "miss", "keyword", "string"):
            for ground in ("paper", "surface", "sunken"):
                assert contrast(color[ink], color[ground]) >= 4.5, (theme, ink, ground)
        assert contrast(color["ink"], color["mark"]) >= 4.5
        for i in range(8):
            assert contrast(color[f"system-{i}"], color["surface"]) >= 3, (theme, i)


def test_files_of_the_page_stay_small() -> None:
    folder = Path(str(write_report.__globals__["__file__"])).parent / "templates"
    for file in folder.iterdir():
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.name
