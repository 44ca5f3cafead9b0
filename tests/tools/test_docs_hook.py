"""The documentation knows every measure of the registry, and no other."""

from __future__ import annotations

import re

import yaml
from tools.docs_hook import (
    CHANGES,
    DOCS,
    PAGES,
    PLACE,
    bare_pipes,
    changelog,
    measure_pages,
    measure_table,
    on_config,
    on_page_markdown,
)

import codekin
from codekin.measures import measure_names, named_classes


def test_every_measure_has_a_page_and_every_page_a_measure() -> None:
    pages = measure_pages()
    assert list(pages) == list(named_classes()) == [*measure_names(), "bertscore"]
    assert pages["nes"] == pages["ed"] == "edit.md"
    assert pages["es-line"] == "es-token.md"
    assert {path.name for path in PAGES.glob("*.md")} == {"index.md", *pages.values()}


def test_every_page_is_about_its_measures() -> None:
    for name, page in measure_pages().items():
        assert name in (PAGES / page).read_text(encoding="utf-8"), page


def test_pipes_in_the_code_of_tables_lose_their_backslash() -> None:
    row = r"| `--format table\|json` | a \| b |"
    assert bare_pipes(row) == r"| `--format table|json` | a \| b |"
    assert bare_pipes(r"in text, `a\|b`") == r"in text, `a\|b`"
    written = on_page_markdown((DOCS / "cli.md").read_text(encoding="utf-8"), page=None)
    assert "`--missing zero|skip`" in written


def test_the_table_has_a_row_per_measure_and_takes_its_place() -> None:
    table = measure_table().splitlines()
    assert [row.partition("]")[0] for row in table[2:]] == [f"| [{n}" for n in named_classes()]
    written = on_page_markdown((PAGES / "index.md").read_text(encoding="utf-8"), page=None)
    assert PLACE not in written
    assert "\n".join(table) in written


def test_the_navigation_has_every_page_once() -> None:
    before = {"Measures": [{"All measures": "measures/index.md"}]}
    judging = {"Evaluation": [{"Judging measures": "evaluation.md"}]}
    guides = {"Guides": ["api/index.md", judging]}
    config = on_config({"nav": [{"Home": "index.md"}, before, guides]})
    assert config["nav"][2]["Guides"][1]["Evaluation"][:3] == [
        {"Judging measures": "evaluation.md"},
        {"Triplets": "triplets.md"},
        {"Adequacy": "adequacy.md"},
    ]
    listed = [page for one in config["nav"][1]["Measures"] for page in one.values()]
    assert listed[0] == "measures/index.md"
    assert sorted(listed[1:]) == sorted({f"measures/{page}" for page in measure_pages().values()})


def test_the_changelog_is_a_page_whose_links_work() -> None:
    written = on_page_markdown((DOCS / "changelog.md").read_text(encoding="utf-8"), page=None)
    assert CHANGES not in written
    assert written.startswith("# Changelog")
    links = re.findall(r"\]\(([^)#:]+)[)#]", changelog())
    assert links
    assert [one for one in links if not (DOCS / one).is_file()] == []


def navigation() -> list[dict[str, object]]:
    text = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    found: list[dict[str, object]] = yaml.safe_load(text)["nav"]
    return found


def test_the_navigation_has_at_most_seven_top_entries() -> None:
    assert len(navigation()) <= 7


def test_every_public_name_is_documented() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    documented = set(re.findall(r"^::: codekin\.(\w+)$", pages, re.M))
    public = {name for name in codekin.__all__ if not name.startswith("__")}
    assert public - documented == set()
