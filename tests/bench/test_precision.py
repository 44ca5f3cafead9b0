from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from codekin import CodekinError
from codekin.detectors.line_coverage import FileLines
from planting import Planted
from precision import (
    Agreement,
    corpus_of,
    count,
    judge,
    keep,
    mixed,
    other_pairs,
    pair_id,
    places,
    read_answers,
    sheet,
    unplanted,
)

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
    corpus = corpus_of(code, mixed(findings, others, random.Random(3)))
    corpus.save(tmp_path / "sample")
    labels = corpus.pairs.label.tolist()
    assert sorted(labels) == [0, 0, 1, 1, 1, 1] and labels != sorted(labels, reverse=True)
    for name, wrong in (("one", 0), ("two", 1)):
        rows = ["id,answer"]
        for place, label in enumerate(labels):
            yes = label == 1 and not (wrong and place == labels.index(1))
            rows.append(f"{pair_id(place)},{'yes' if yes else 'no'}")
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n")
    found = judge(tmp_path, [tmp_path / "one.csv", tmp_path / "two.csv"])
    assert [count.share for count in found.findings.values()] == [1.0, 0.75]
    assert [(count.yes, count.pairs) for count in found.others.values()] == [(0, 2), (0, 2)]
    [agreement] = found.agreements.values()
    assert (agreement.same, agreement.pairs) == (5, 6)
    shown = str(found).splitlines()
    assert shown[3] == "| two | 3 of 4, 75% (30 to 95) | 0 of 2, 0% (0 to 66) |"
    assert shown[-1] == "one and two agree on 5 of 6 pairs, kappa 0.67"


def test_kappa_is_that_of_statsmodels() -> None:
    chance = random.Random(5)
    for _ in range(20):
        first, second = (chance.choices(("yes", "no"), k=30) for _ in range(2))
        table = [
            [sum(pair == (a, b) for pair in zip(first, second, strict=True)) for b in ("yes", "no")]
            for a in ("yes", "no")
        ]
        expected = cohens_kappa(table, return_results=False)
        assert Agreement.of(first, second).kappa == pytest.approx(expected)
    assert math.isnan(Agreement.of(["yes"], ["yes"]).kappa)


def test_the_sheet_shows_all_code_and_no_label_or_file(code: Path) -> None:
    findings = [(lines("a", i), lines("b", i)) for i in range(3)]
    corpus = corpus_of(code, mixed(findings, [(lines("a", 4), lines("b", 5))], random.Random(2)))
    text = sheet(corpus)
    assert [f"{'=' * 20} {pair_id(i)} (c)" in text for i in range(5)] == [True] * 4 + [False]
    assert all(snippet.code in text and snippet.id not in text for snippet in corpus.snippets)
    assert ".c" not in text and "label" not in text


def test_a_sample_is_kept_with_its_places_and_answers(code: Path, tmp_path: Path) -> None:
    labelled = mixed(
        [(lines("a", 0), lines("b", 0))], [(lines("a", 4), lines("b", 5))], random.Random(2)
    )
    (tmp_path / "places.csv").write_text(places(labelled))
    answers = ["yes" if label else "no" for _, label in labelled]
    rows = [f"{pair_id(i)},{answer}" for i, answer in enumerate(answers)]
    (tmp_path / "one.csv").write_text("\n".join(["id,answer", *rows]))
    keep(tmp_path, tmp_path / "one.csv", tmp_path / "kept.csv")
    kept = (tmp_path / "kept.csv").read_text().splitlines()
    assert kept[0] == "id,finding,file1,start1,end1,file2,start2,end2,answer"
    assert {line.split(",", 1)[1] for line in kept[1:]} == {
        ",".join([answer, *(str(part) for end in pair for part in end), answer])
        for (pair, _), answer in zip(labelled, answers, strict=True)
    }
    assert [(found.yes, found.pairs) for found in count(tmp_path / "kept.csv")] == [(1, 1), (0, 1)]


def test_readers_need_names_of_their_own(code: Path, tmp_path: Path) -> None:
    findings = [(lines("a", 0), lines("b", 0))]
    corpus_of(code, mixed(findings, [], random.Random(1))).save(tmp_path / "sample")
    paths = [tmp_path / folder / "one.csv" for folder in ("x", "y")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("id,answer\nP01,yes\n")
    with pytest.raises(CodekinError, match="the same name"):
        judge(tmp_path, paths)


@pytest.mark.parametrize("text", ["P01,yes\n", "P01,yes\nP02,maybe\n", "P01,yes\nP03,no\n"])
def test_missing_or_other_answers_are_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.csv").write_text("id,answer\n" + text)
    with pytest.raises(CodekinError, match=r"one\.csv: needs yes or no"):
        read_answers(tmp_path / "one.csv", 2)
