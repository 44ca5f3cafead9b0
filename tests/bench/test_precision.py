from __future__ import annotations

import random
from pathlib import Path

import pytest

from codekin import CodekinError
from codekin.detectors.line_coverage import FileLines
from planting import Planted
from precision import corpus_of, judge, other_pairs, pair_id, read_answers, sample_of, unplanted

FUNCTION = (
    "int f{0}(int a) {{\n  int b = a + {0};\n  if (b > {0}) {{\n    b--;\n  }}\n  return b;\n}}\n"
)


@pytest.fixture
def code(tmp_path) -> Path:
    (tmp_path / "c").mkdir()
    for name in "ab":
        text = "".join(FUNCTION.format(i) for i in range(6))
        (tmp_path / "c" / f"{name}.c").write_text(text)
    return tmp_path


def lines(name: str, number: int) -> FileLines:
    return FileLines(f"c/{name}.c", 7 * number + 1, 7 * number + 7)


def test_findings_with_a_planted_copy_are_left_out() -> None:
    pair = Planted("c", "T1", "c/a.c", 1, 7, "c/b.c", 8, 14, ())
    natural = (lines("a", 0), lines("b", 3))
    touching = (lines("a", 2), FileLines("c/b.c", 1, 8))
    assert unplanted([pair], [natural, touching, touching[::-1]]) == [natural]


def test_other_pairs_are_of_similar_size_and_in_no_finding(code: Path) -> None:
    findings = [(lines("a", i), lines("b", i)) for i in range(6)]
    others = other_pairs(code, findings[:4], findings, random.Random(1))
    assert len(others) == 4
    for one, two in others:
        assert one != two and (one.end - one.start, two.end - two.start) == (6, 6)
        assert (one, two) not in findings and (two, one) not in findings


def test_readers_give_precision_and_agreement(code: Path, tmp_path: Path) -> None:
    findings = [(lines("a", i), lines("b", i)) for i in range(4)]
    others = [(lines("a", 4), lines("a", 5)), (lines("b", 4), lines("b", 5))]
    corpus = corpus_of(code, findings, others, random.Random(3))
    corpus.save(tmp_path / "sample")
    sample = sample_of(tmp_path)
    assert len(sample) == 6
    labels = [one.label for one in sample.pairs]
    assert sorted(labels) == [0, 0, 1, 1, 1, 1] and labels != sorted(labels, reverse=True)
    for name, wrong in (("one", 0), ("two", 1)):
        rows = ["id,answer"]
        for place, label in enumerate(labels):
            yes = label == 1 and not (wrong and place == labels.index(1))
            rows.append(f"{pair_id(place)},{'yes' if yes else 'no'}")
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n")
    found = judge(tmp_path, [tmp_path / "one.csv", tmp_path / "two.csv"])
    assert [one.claimed.share for one in found.judges[:2]] == [1.0, 0.75]
    assert found.judges[0].unclaimed is not None and found.judges[0].unclaimed.share == 0
    assert found.agreements[0].decided.observed == pytest.approx(5 / 6)


@pytest.mark.parametrize("text", ["P01,yes\n", "P01,yes\nP02,maybe\n", "P01,yes\nP03,no\n"])
def test_missing_or_other_answers_are_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.csv").write_text("id,answer\n" + text)
    with pytest.raises(CodekinError, match=r"one\.csv: needs yes or no"):
        read_answers(tmp_path / "one.csv", 2)
