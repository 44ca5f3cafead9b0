from __future__ import annotations

import re

from codekin.report.demo import read_demo


def test_table_and_report(process, tmp_path) -> None:
    done = process("demo")
    assert done.returncode == 0, done.stderr
    report = tmp_path / "codekin-report.html"
    assert f"Report: {report}" in done.stdout
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")
    rows = read_demo()
    for group in {row["group"] for row in rows}:
        n = sum(row["group"] == group for row in rows)
        assert re.search(rf"^{group} +{n} ", done.stdout, re.M), group
    assert re.search(r"^equal +5 +1.00 +0.0 1.00 ", done.stdout, re.M)
    assert re.search(r"^jaccard +=reformatted, .*=reordered", done.stdout, re.M)
    assert re.search(r"^tsed +.*=renamed, broken \(\d of 10\)", done.stdout, re.M)
    assert re.search(r"^exact +nothing$", done.stdout, re.M)


def test_no_report(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = cli("demo", "--no-report")
    assert result.exit_code == 0
    assert "Report" not in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_where_no_report_can_be_written(process) -> None:
    done = process("demo", "-o", "no/such/folder.html")
    assert done.returncode == 2
    assert re.fullmatch(r"codekin: .*folder.html: No such file or directory\n", done.stderr)


def test_narrow_terminals_get_several_tables(cli) -> None:
    result = cli("demo", "--no-report", width=50)
    assert len(re.findall(r"^group ", result.stdout, re.M)) > 1
    assert "…" not in result.stdout
