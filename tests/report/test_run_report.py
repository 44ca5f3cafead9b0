from __future__ import annotations

from html import unescape

import pytest

import codekin
from codekin import CodekinError
from codekin.report import write_report


def test_a_report_shows_itself_and_saves(demo_run, tmp_path) -> None:
    made = codekin.report(demo_run, title="A & B", explain=2)
    assert isinstance(made, codekin.RunReport)
    shown = made._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts" ')
    inside = shown[shown.index('srcdoc="') + 8 : shown.rindex('"></iframe>')]
    assert '"' not in inside
    assert unescape(inside) == made.html
    assert made.path is None
    path = made.save(tmp_path / "r.html")
    assert path == made.path
    expected = write_report(demo_run, tmp_path / "s.html", "A & B", explain=2)
    assert path.read_bytes() == expected.read_bytes()


def test_it_is_saved_where_a_path_is_given(demo_run, tmp_path) -> None:
    made = codekin.report([demo_run.path], tmp_path / "r.html", explain=0)
    assert (tmp_path / "r.html").read_text("utf-8") == made.html
    assert repr(made).endswith("r.html>")


def test_what_is_no_page_is_not_replaced(demo_run, tmp_path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}")
    with pytest.raises(
        CodekinError, match="is not a page that codekin wrote, so it is not replaced"
    ):
        codekin.report(demo_run, tmp_path / "rows.jsonl")
    assert (tmp_path / "rows.jsonl").read_text() == "{}"


@pytest.mark.parametrize("runs", [5, None, [5]])
def test_what_is_not_a_run_is_named(runs) -> None:
    with pytest.raises(CodekinError, match=r"^a run or the path of its folder is needed, not "):
        codekin.report(runs)


def test_its_text_is_the_conclusion(scored) -> None:
    rows = [
        {"id": f"{name}{i}", "group": name, "language": "python"}
        | {"candidate": f"x = {i * step}", "reference": f"x = {i}"}
        for name, step in (("a", 1), ("b", 1000))
        for i in range(1, 20)
    ]
    made = codekin.report(scored(rows, ["nes"]), explain=0)
    assert str(made).startswith("a scores higher than b on nes by ")
    assert made.conclusion()[0] in unescape(made.html)
