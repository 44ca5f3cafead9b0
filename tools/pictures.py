"""Make the pictures of pages in docs/images, from the examples of the documentation.

``python tools/pictures.py [NAME...]``: every picture, or those of these names. It needs Chromium
on the PATH, and Pillow, which makes the files small. ``balance.png`` and ``report-judgement.png``
need data that codekin does not have, and are not made here.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from tests.report.browser import Page, browser  # noqa: E402
from tests.report.classroom import classroom  # noqa: E402

EXAMPLES = ROOT / "docs" / "examples"
ALIGN = EXAMPLES / "align"


@dataclass(frozen=True)
class Picture:
    """A picture: its size, what writes its page into a folder, and what is done on the page."""

    width: int
    height: int
    write: Callable[[Path], Path]
    prepare: Callable[[Page], object] = lambda page: None
    fragment: str = ""


def run(*words: str, folder: Path = EXAMPLES) -> None:
    """Run a command of codekin in a folder."""
    command = [sys.executable, "-m", "codekin", *words]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def by(*words: str, folder: Path = EXAMPLES) -> Callable[[Path], Path]:
    """What writes a page by one command, whose last option is the output."""

    def write(place: Path) -> Path:
        run(*words, "-o", str(place / "page.html"), folder=folder)
        return place / "page.html"

    return write


def models(place: Path) -> Path:
    """The report of two models, as in the tutorial."""
    answers = ("models/small.jsonl", "models/large.jsonl", "--references", "models/gold.jsonl")
    options = ("-m", "kin,codebleu,bleu", "--extract-code", "first")
    run("score", *answers, *options, "-o", str(place / "run"))
    return by("report", str(place / "run"))(place)


def students(place: Path) -> Path:
    """The page of a class, that of the tests."""
    page = place / "class.html"
    classroom(place).to_html(page)
    return page


def at(selector: str, above: int = 0) -> Callable[[Page], object]:
    """What scrolls to an element."""
    return lambda page: page.run(
        f"scrollTo(0, document.querySelector('{selector}').getBoundingClientRect().top "
        f"+ scrollY - {above})"
    )


def pair(page: Page) -> None:
    """Scroll to the map, and point at the cell of the last pair that is outlined."""
    at("#heatmap", 20)(page)
    page.settle()
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=568, y=548)


def third(page: Page) -> None:
    """Scroll to the clones, and choose the third class."""
    page.press("j", "j")
    at("#clones", 10)(page)


SORTED = "sort=codebleu&minus=tsed&order=up&measure=codebleu&pair=java-matrix-rotation-renamed"
PICTURES = {
    "align": Picture(
        1400,
        1250,
        by(
            "align", "candidate.py", "reference.py", "--origin=origin.py", folder=EXAMPLES / "align"
        ),
    ),
    "audit": Picture(1000, 1260, by("audit", "clones/snippets.jsonl")),
    "matrix": Picture(1280, 860, by("matrix", "submissions"), pair),
    "report": Picture(1400, 1421, by("demo")),
    "report-models": Picture(1400, 1100, models),
    "report-pairs": Picture(1400, 1000, by("demo"), at("#pairs", 40), SORTED),
    "scan": Picture(1400, 940, by("scan", "src/codekin", folder=ROOT), third),
    "submissions": Picture(1280, 1010, students),
    "submissions-pair": Picture(1280, 760, students, fragment="pair-0"),
}


def small(data: bytes) -> bytes:
    """A picture with at most 256 colours."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    file = io.BytesIO()
    image.quantize(256, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def draw(page: Page, picture: Picture, place: Path) -> bytes:
    """The picture as bytes."""
    path = picture.write(place)
    page.resize(picture.width, picture.height)
    page.prefer("light")
    page.send(
        "Page.navigate", url=path.as_uri() + (f"#{picture.fragment}" if picture.fragment else "")
    )
    page.until("location.protocol === 'file:' && document.readyState === 'complete'")
    page.settle()
    picture.prepare(page)
    page.settle()
    page.picture(place / "picture.png")
    return small((place / "picture.png").read_bytes())


def main() -> None:
    """Make all pictures, or those that are named."""
    os.environ["COLUMNS"] = "100"
    names = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as chromium:
        for name in names:
            page = chromium.page()
            with tempfile.TemporaryDirectory() as place:
                data = draw(page, PICTURES[name], Path(place))
            page.close()
            (ROOT / "docs" / "images" / f"{name}.png").write_bytes(data)
            print(f"{name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
