"""Small programs, and edits of them, for the tests of measures that compare revisions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hypothesis import strategies as st

from codekin import Source
from codekin.measures.excised import Units, excise

PROGRAMS = {
    "python": """\
import math, random
def total(xs):
    s = 0
    for x in xs:
        s -= x
    return s
def mean(xs, default):
    if xs:
        return total(xs) / len(xs)
    return default
print(mean([1, 2], 0))
""",
    "java": """\
import java.util.List;
class Sums {
  int total(List<Integer> xs) {
    int s = 0;
    for (int x : xs) {
      s -= x;
    }
    return s;
  }
  int twice(int a) {
    return a + a;
  }
}
record Unit(int a, int b) { }
""",
    "cpp": """\
static int first, second;
int total(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    s -= i;
  }
  return s;
}
int twice(int a) {
  return a + a;
}
static int last, least;
""",
    "javascript": """\
const one = 1, two = 2;
function total(xs) {
  let s = 0;
  for (const x of xs) {
    s -= x;
  }
  return s;
}
const twice = (a) => a + a;
console.log(total([one, two]));
""",
}
WORDS = ["a", "s", "x", "1", "+", "+=", "return", "", "y1"]


@dataclass(frozen=True)
class Case:
    """Two revisions of one program; the first and the last line stay."""

    language: str
    candidate: str
    reference: str
    origin: str

    @property
    def texts(self) -> tuple[str, str, str]:
        """In the order in which a measure takes them."""
        return self.candidate, self.reference, self.origin

    def framed(self, before: str = "", behind: str = "") -> tuple[str, str, str]:
        """The texts with the same put before and behind each."""
        candidate, reference, origin = (before + text + behind for text in self.texts)
        return candidate, reference, origin


@st.composite
def edits(draw: st.DrawFn, lines: list[str]) -> list[str]:
    """Some of the lines between the first and the last are deleted, doubled, moved or changed."""
    first, *out, last = lines
    for _ in range(draw(st.integers(0, 3))):
        if not out:
            break
        at = draw(st.integers(0, len(out) - 1))
        kind = draw(st.sampled_from(["delete", "copy", "new", "word"]))
        if kind == "delete":
            del out[at]
        elif kind == "copy":
            out.insert(draw(st.integers(0, len(out))), out[at])
        elif kind == "new":
            out.insert(at, draw(st.sampled_from(["  y = 2", "return a", "s += 1", "x"])))
        else:
            words = out[at].split(" ")
            plain = [k for k, word in enumerate(words) if not set(word) & set("()[]{}")]
            if plain:
                words[draw(st.sampled_from(plain))] = draw(st.sampled_from(WORDS))
            out[at] = " ".join(words)
    return [first, *out, last]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Two edits of a program."""
    language = draw(st.sampled_from(sorted(PROGRAMS)))
    lines = PROGRAMS[language].splitlines()
    candidate, reference = draw(edits(lines)), draw(edits(lines))
    return Case(
        language, *("".join(f"{x}\n" for x in text) for text in (candidate, reference, lines))
    )


def untouched_lines(case: Case, units: Units, distance: int = 0) -> list[tuple[int, int, int]]:
    """Where in the texts lines begin that all three share, so many units from each region."""
    sources = [Source(text, case.language) for text in case.texts]
    excised = excise(sources[0], sources[1], sources[2], units)
    candidate, reference, origin = (units.shown(source) for source in sources)
    lines = [set(units.lines(source).tolist()) for source in sources]
    regions = [[0] * 6, *excised.regions.tolist(), [0] * 4 + [len(origin) + distance] * 2]
    places = []
    for before, after in pairwise(regions):
        # How far the candidate and the reference are ahead of the origin.
        shift = before[3] - before[5], before[1] - before[5]
        for i in range(before[5] + (distance if before[5] else 0), after[4] - distance):
            at = i + shift[0], i + shift[1], i
            if all(k in starts for k, starts in zip(at, lines, strict=True)):
                starts = [
                    t.starts[k] for k, t in zip(at, (candidate, reference, origin), strict=True)
                ]
                a, b, o = (
                    text.rfind("\n", 0, int(start)) + 1 if start else 0
                    for text, start in zip(case.texts, starts, strict=True)
                )
                places.append((a, b, o))
    return places
