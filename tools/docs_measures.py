"""A mkdocs hook that fills in the table of measures and their pages from the registry.

``mkdocs.yml`` names this file under ``hooks``. The page of a measure has its name, or that of its
module or of another measure in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codekin.measures import Measure, measure_classes

__all__ = ["measure_pages", "measure_table", "on_config", "on_page_markdown"]

PAGES = Path(__file__).parents[1] / "docs" / "measures"
PLACE = "<!-- table of measures -->"
SECTION = "Measures"


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
    return {name: forms[None] for name, forms in measure_classes().items()}


def on_config(config: Any) -> Any:
    """Add the pages of the measures to the end of their section."""
    titles: dict[str, list[str]] = {}
    for name, page in measure_pages().items():
        titles.setdefault(page, []).append(name)
    section = next(one[SECTION] for one in config["nav"] if SECTION in one)
    section += [{" and ".join(names): f"measures/{page}"} for page, names in titles.items()]
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Replace the placeholder in a page by the table."""
    return markdown.replace(PLACE, measure_table()) if PLACE in markdown else markdown
