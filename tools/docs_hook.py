"""A mkdocs hook that fills in the table of measures, the changelog, and pages in the navigation.

``mkdocs.yml`` names this file under ``hooks``. The page of a measure has its name, or that of its
module or of another measure in it. An evaluation has a page of its name, or a section in
``evaluation.md``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from codekin.evaluation.registry import EVALUATIONS
from codekin.measures import Measure, named_classes

__all__ = [
    "bare_pipes",
    "changelog",
    "evaluation_pages",
    "measure_pages",
    "measure_table",
    "on_config",
    "on_page_markdown",
]

DOCS = Path(__file__).parents[1] / "docs"
PAGES = DOCS / "measures"
PLACE = "<!-- table of measures -->"
CHANGES = "<!-- changelog -->"


def measure_pages() -> dict[str, str]:
    """The page of each measure in docs/measures."""
    classes = _defaults()
    found: dict[str, str] = {}
    for name, cls in classes.items():
        module = cls.__module__
        family = [other for other, one in classes.items() if one.__module__ == module]
        names = [name, module.rpartition(".")[2], *family]
        pages = [f"{one}.md" for one in names if (PAGES / f"{one}.md").is_file()]
        if not pages:
            raise FileNotFoundError(f"the measure {name} has no page: write {PAGES / name}.md")
        found[name] = pages[0]
    return found


def measure_table() -> str:
    """The measures as a table in Markdown."""
    lines = ["| name | what it is | several references |", "|---|---|---|"]
    pages = measure_pages()
    for name, cls in _defaults().items():
        joins = "nearest" if cls.distance and cls.joins == "best" else cls.joins
        what = cls.summary + (" (needs an origin)" if cls.needs_origin else "")
        lines.append(f"| [{name}]({pages[name]}) | {what} | {joins} |")
    return "\n".join(lines)


def _defaults() -> dict[str, type[Measure]]:
    return {name: forms[None] for name, forms in named_classes().items()}


def evaluation_pages() -> list[str]:
    """The pages in docs of those evaluations that have one of their own."""
    pages = [f"{one.name}.md" for one in EVALUATIONS]
    return [page for page in pages if (DOCS / page).is_file()]


def on_config(config: Any) -> Any:
    """Add the pages of measures and evaluations to the end of their sections."""
    titles: dict[str, list[str]] = {}
    for name, page in measure_pages().items():
        titles.setdefault(page, []).append(name)
    added = {
        "Measures": [{" and ".join(names): f"measures/{page}"} for page, names in titles.items()],
        "Evaluation": [{Path(page).stem.capitalize(): page} for page in evaluation_pages()],
    }
    _extend(config["nav"], added)
    return config


def _extend(entries: list[Any], added: dict[str, list[dict[str, str]]]) -> None:
    """Add pages to the sections of a navigation that have the given titles, at any depth."""
    for entry in entries:
        for title, below in entry.items() if isinstance(entry, dict) else ():
            if isinstance(below, list):
                _extend(below, added)
                below.extend(added.get(title, ()))


def changelog() -> str:
    """CHANGELOG.md with its links seen from the folder of the pages."""
    text = (DOCS.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.sub(r"\]\(docs/", "](", text)


def bare_pipes(markdown: str) -> str:
    r"""Pipes in the code of tables without the backslash that GitHub needs, and mkdocs would show.

    Examples
    --------
    >>> bare_pipes(r"| `--format table\|json` | a \| b |")
    '| `--format table|json` | a \\| b |'
    """
    return re.sub(
        r"^\|.*`.*$",
        lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace(r"\|", "|"), row[0]),
        markdown,
        flags=re.MULTILINE,
    )


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Replace the placeholders in a page by what is generated, and write pipes as mkdocs does."""
    for place, text in ((PLACE, measure_table), (CHANGES, changelog)):
        if place in markdown:
            markdown = markdown.replace(place, text())
    return bare_pipes(markdown)
