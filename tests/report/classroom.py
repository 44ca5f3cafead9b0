"""A small class with two copies, hostile names if wanted, dates, and starter code."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from tests.scan.test_submission_evidence import MOVED, PYTHON
from tests.scan.test_submissions import COPY, PROGRAMS

from codekin import Submissions, compare_submissions

STARTER = """
#include <stdio.h>
void greet(const char *who) {
    printf("hello, %s, this is task 3\\n", who);
    fflush(stdout);
}
"""


def classroom(folder: Path, more: dict[str, str] | None = None) -> Submissions:
    """The comparison of a class in a new folder."""
    place = folder / "class"
    place.mkdir()
    texts = {**PROGRAMS, "ben": COPY, "zoe": MOVED}
    for day, (name, text) in enumerate(texts.items(), 1):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            date = (2026, 5, day, 12, 0, 0)
            archive.writestr(zipfile.ZipInfo("main.c", date), f"/* {name} */{STARTER}{text}")
            if name == "dora":
                archive.writestr(zipfile.ZipInfo("util.c", date), "int twice(int b) { return b; }")
        (place / f"{name}.zip").write_bytes(data.getvalue())
    (place / "kim.py").write_text(PYTHON)
    for name, text in (more or {}).items():
        (place / name).write_text(text)
    (place / "xaver.c").write_text("")
    (folder / "starter.c").write_text(STARTER)
    return compare_submissions(place, template=folder / "starter.c")
