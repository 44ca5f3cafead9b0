"""Names of files in pages, which are passed on: none says where on a computer the files were."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

__all__ = ["page_name", "page_names", "page_problem"]

_PLACE = re.compile(r"(^|, )(/.+?)(?=, (?:line|item|row) \d)")
"""An absolute path and what follows it if it is the place of a row."""


def page_names(names: Sequence[str]) -> list[str]:
    """What a page calls files: their paths as given, but never absolute ones.

    An absolute path becomes relative to the working directory if it is inside. The others become
    relative to the folder that contains all of them.

    Parameters
    ----------
    names : sequence of str
        Paths, or other names such as ``<stdin>``.

    Examples
    --------
    >>> page_names(["/far/away/old/a.py", "/far/away/new/a.py", "b.py", "<stdin>"])
    ['old/a.py', 'new/a.py', 'b.py', '<stdin>']
    """
    paths = {name: _normal(name) for name in names if Path(name).is_absolute()}
    here = Path.cwd()
    inside = {
        name: path.relative_to(here)
        for name, path in paths.items()
        if here not in (here.parent, path) and path.is_relative_to(here)
    }
    far = {name: path for name, path in paths.items() if name not in inside}
    if far:
        above = Path(os.path.commonpath([path.parent for path in far.values()]))
        inside |= {name: path.relative_to(above) for name, path in far.items()}
    return [str(inside.get(name, name)) for name in names]


def _normal(name: str) -> Path:
    """An absolute path without dots, and with one slash where two would mean another root."""
    path = os.path.normpath(name)
    return Path(path[1:] if path.startswith("//") else path)


def page_name(name: str) -> str:
    """What a page calls a file by itself.

    Examples
    --------
    >>> page_name("/far/away/a.py"), page_name("../a.py")
    ('a.py', '../a.py')
    """
    return page_names([name])[0]


def page_problem(text: str) -> str:
    """What a page says about a problem, which may name the place of a row in a file.

    Examples
    --------
    >>> page_problem("/far/away/rows.jsonl, line 7: 'candidate' is null")
    "rows.jsonl, line 7: 'candidate' is null"
    >>> page_problem("row 3: a / b")
    'row 3: a / b'
    """
    return _PLACE.sub(lambda found: found[1] + page_name(found[2]), text)
