from __future__ import annotations

import re
from pathlib import Path

from codekin import measure_names
from codekin.report.demo import read_demo, read_demo_edits
from codekin.runs import settings

DOCS = Path(__file__).parents[2] / "docs"


def test_tables_and_report(process, tmp_path) -> None:
    done = process("demo")
    assert done.returncode == 0, done.stderr
    report = tmp_path / "codekin-report.html"
    assert f"Report: {report}" in done.stdout
    page = report.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    predictions, edits = re.split(r"^(?=40 edits)", done.stdout, flags=re.M)
    for rows, printed, run in (
        (read_demo(), predictions, "predictions"),
        (read_demo_edits(), edits, "edits"),
    ):
        for group in {row["group"] for row in rows}:
            n = sum(row["group"] == group for row in rows)
            assert re.search(rf"^{group} +{n} ", printed, re.M), group
            assert f'<tr data-name="{run} · {group}">' in page
    assert re.search(r"^equal +5 +1.00 +0.0 1.00 ", predictions, re.M)
    assert re.search(r"^jaccard +=reformatted, .*=reordered", predictions, re.M)
    assert re.search(r"^tsed +.*=renamed, broken \(\d of 10\)", predictions, re.M)
    assert re.search(r"^exact +none$", predictions, re.M)
    assert "es-token" not in predictions
    assert re.search(r"^ed +.*=nothing", edits, re.M)
    assert re.search(r"^es +none$", edits, re.M)


def test_the_page_shows_what_is_printed_of_the_measures_on_it(cli, monkeypatch) -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    section = page.partition("$ codekin demo\n")[2].partition("```")[0]
    shown = [name for name in measure_names() if re.search(rf"^{name} +[=\w]", section, re.M)]
    assert len(shown) >= 19
    monkeypatch.setattr(settings, "measure_names", lambda: shown)
    printed = cli("demo", "--no-report", width=100).stdout
    assert printed.count("\n") > 40
    assert printed in page


def test_no_report_in_a_narrow_terminal(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("demo", "--no-report", width=50)
    assert result.exit_code == 0
    assert "Report" not in result.stdout
    assert list(tmp_path.iterdir()) == []
    # Narrow terminals get several tables.
    assert max(map(len, result.stdout.splitlines())) <= 50
    assert len(re.findall(r"^group ", result.stdout, re.M)) > 4
    assert "…" not in result.stdout


def test_where_no_report_can_be_written(command) -> None:
    done = command("demo", "-o", "no/such/folder.html")
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"codekin: .*folder.html: there is no folder .*; make it.*\n", done.stderr)
