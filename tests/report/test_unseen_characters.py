"""Characters that cannot be seen, or turn a text around, are on no page."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from tests.cli.conftest import cli  # noqa: F401, a fixture
from tests.scan.test_submissions import COPY, PROGRAMS

import codekin
from codekin.plain_text import plain_html
from codekin.report.page_file import template_environment, with_files

ODD = "\x00\x1b\x7f\x9b\u202e\u2066\u2028\u2029\u200b\ufeff\U000e0041"
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\u200b\ufeff]")
BODY = """def {0}(values):
    total = 0
    for value in values:
        if value is None:
            continue
        total += value * 3
    result = total / len(values)
    print(result)
    return result
"""


@pytest.fixture
def odd(tmp_path, monkeypatch) -> list[str]:
    """The names of files that are odd, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    names = [f"{sign}{number}x.py" for number, sign in enumerate(ODD[1:])]
    for name in names:
        Path("src", name).write_text(f"# {ODD[1:]}\n" + BODY.format("f"), "utf-8")
    for name, text in PROGRAMS.items():
        Path("src", f"\u202e{name}.c").write_text(text + COPY.replace("main", "m"))
    rows = [
        {
            **{"id": f"{ODD}{number}", "system": f"s\u202e{number % 2}", "language": "python"},
            **{"candidate": f"x = {number} # {ODD[1:]}", "reference": "x = 1", "note": ODD},
            **{"functionality": f"{ODD}{number % 2}", "code": BODY.format(f"f{number}")},
        }
        for number in range(6)
    ]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [f"src/{name}" for name in names]


def test_no_page_of_a_command_has_them(cli, odd):  # noqa: F811
    first, second, third = odd[:3]
    done = cli("score", "rows.jsonl", "-m", "kin,exact", "-o", "run", "-w", "1")
    assert done.exit_code == 0, (done.output, done.exception)
    commands = (
        *(["scan", "src"], ["scan", "--submissions", "src"], ["matrix", "src"], ["report", "run"]),
        *(["cluster", first, *odd], ["graph", first], ["align", first, second, "--origin", third]),
        *(["compare", first, second, "-m", "cssg"], ["audit", "rows.jsonl"]),
        *(["corpus", "info", "rows.jsonl"], ["summarize", "run"], ["abstract", first]),
    )
    for words in commands:
        done = cli(*words, "-o", "page.html")
        assert Path("page.html").exists(), (words, done.output, done.exception)
        page = Path("page.html").read_text("utf-8")
        Path("page.html").unlink()
        assert page.startswith("<!doctype html>"), words
        found = RAW.search(page.replace("\r", ""))
        assert not found, (words, found and page[max(0, found.start() - 50) : found.end() + 50])


def test_they_are_shown_by_name():
    page = with_files(
        template_environment(), "result.html.j2", [], [], **_content(f"a{ODD}<b>\n")
    ).decode()
    assert "a␀␛␡&lt;U+009B&gt;&lt;U+202E&gt;&lt;U+2066&gt;" in page


def _content(title: str) -> dict[str, object]:
    from codekin.report.sections import SECTION_TOOLS
    from codekin.results import Section

    lines: list[str] = []
    section = Section(title, ())
    return {
        **{"section": section, "lines": lines, "warnings": lines, "conclusion": lines},
        **{"version": "1", **SECTION_TOOLS},
    }


def test_every_page_is_made_in_one_place_and_no_file_of_ours_has_any():
    folder = Path(codekin.__file__).parent
    makers = [
        path.name for path in folder.rglob("*.py") if "get_template(" in path.read_text("utf-8")
    ]
    assert makers == ["page_file.py"]
    for path in (folder / "report" / "templates").iterdir():
        text = path.read_text("utf-8")
        assert plain_html(text) == text, path.name


def test_scripts_know_the_same_characters():
    script = (files("codekin.report") / "templates" / "pieces.js").read_text("utf-8")
    known = re.search(r"HIDDEN = /(\[.*?\])\|", script)
    assert known is not None
    known_in_scripts = re.compile(re.sub(r"\\u\{(\w+)\}", r"\\U000\1", known[1]))
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    here = {sign for sign in every if plain_html(sign) != sign}
    assert set(known_in_scripts.findall(every)) == here | {"\r"}
