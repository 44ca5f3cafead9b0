from __future__ import annotations

from pathlib import Path

import pytest
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED, REPORT, REWRITTEN

from codekin import CodekinError, Detector, Scan, detector, rerank_scan, scan_paths
from codekin.detectors.detector import Fitted


def judge(threshold: float, *languages: str) -> Detector:
    """A detector that compares tokens, as it would be after training."""
    made = detector("measure", measure="jaccard")
    made.threshold, made.languages = threshold, languages
    made.fitted = Fitted(10, 10)
    return made


@pytest.fixture
def scan(tmp_path, monkeypatch) -> Scan:
    monkeypatch.chdir(tmp_path)
    Path("code").mkdir()
    texts = {"a.py": MEAN, "b.py": MEAN, "c.py": RENAMED, "d.py": CHANGED, "e.py": OTHER}
    for name, text in (texts | {"f.py": REPORT, "g.py": REWRITTEN}).items():
        Path("code", name).write_text(text)
    return scan_paths(["code"], workers=0)


def test_scores_and_order_are_those_of_the_detector(scan: Scan) -> None:
    found = rerank_scan(scan, judge(0.0), workers=0)
    assert len(found.findings) == len(scan.findings) == 7
    scores = [one.score for one in found.findings]
    assert scores == sorted(scores, reverse=True)
    before = {(one.first, one.second): one.score for one in scan.findings}
    changed = [one for one in found.findings if one.score != before[one.first, one.second]]
    assert {one.type for one in found.findings} - {one.type for one in changed} == {"T1"}
    renamed = next(one for one in found.findings if one.type == "T2")
    assert 0 < renamed.score < 1
    assert [one.number for one in found.classes] == [1, 2]
    assert found.classes[0].score >= found.classes[1].score
    assert scan.reranking is None and found.reranking is not None
    assert (found.reranking.scored, found.reranking.dropped) == (6, 0)


def test_what_the_detector_calls_no_clone_is_dropped(scan: Scan) -> None:
    every = rerank_scan(scan, judge(0.0), workers=0)
    middle = sorted(one.score for one in every.findings)[3]
    found = rerank_scan(scan, judge(middle), workers=0)
    assert [(one.first, one.second, one.score) for one in found.findings] == [
        (one.first, one.second, one.score) for one in every.findings if one.score >= middle
    ]
    assert found.reranking is not None and found.reranking.dropped == 3
    regions = {end for one in found.findings for end in (one.first, one.second)}
    assert {region for one in found.classes for region in one.members} <= regions
    assert found.duplicated_lines == sum(one.lines for one in regions)
    assert "dropped 3 of 6 pairs that it scored" in found.notes()[0]


def test_exact_copies_stay_whatever_the_detector_says(scan: Scan) -> None:
    found = rerank_scan(scan, judge(1.1), workers=0)
    assert [(one.type, one.score) for one in found.findings] == [("T1", 1.0)]
    assert [len(one.members) for one in found.classes] == [2]
    assert found.findings_of(found.classes[0]) == list(found.findings)


def test_a_class_falls_apart_without_what_joined_it(scan: Scan) -> None:
    assert sorted(len(one.members) for one in scan.classes) == [2, 4]
    names = {"a.py": MEAN, "b.py": MEAN, "c.py": RENAMED, "d.py": RENAMED}
    for name, text in names.items():
        Path("code", name).write_text(text)
    files = [f"code/{name}" for name in names]
    assert len(scan_paths(files, workers=0).classes) == 1
    found = rerank_scan(scan_paths(files, workers=0), judge(1.1), workers=0)
    assert [[one.file for one in each.members] for each in found.classes] == [files[:2], files[2:]]


def test_other_languages_keep_their_scores(scan: Scan) -> None:
    found = rerank_scan(scan, judge(1.1, "java"), workers=0)
    assert {(one.first, one.second, one.score) for one in found.findings} == {
        (one.first, one.second, one.score) for one in scan.findings
    }
    assert found.reranking is not None
    assert found.reranking.unscored == {"in python, which the detector was not trained on": 6}
    assert found.notes()[1].startswith("Kept without its score: 6 pairs in python")


def test_files_that_are_gone_keep_their_scores(scan: Scan) -> None:
    Path("code/c.py").unlink()
    found = rerank_scan(scan, judge(1.1), workers=0)
    assert found.reranking is not None
    assert found.reranking.unscored == {"in files that can no longer be read": 3}
    assert {one.type for one in found.findings} == {"T1", "T2", "T3"}


def test_languages_that_are_compared_are_read_as_the_wider_one(scan: Scan) -> None:
    code = "int f(int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) {\n" + (
        "    if (a[i] > 2) {\n      s += a[i] * n;\n    }\n  }\n  return s - n;\n}\n"
    )
    Path("code/h.c").write_text(code)
    Path("code/i.cpp").write_text(code.replace("s", "t"))
    both = scan_paths(["code"], languages=["c", "cpp"], workers=0)
    assert [one.type for one in both.findings] == ["T2"]
    assert rerank_scan(both, judge(1.1, "cpp"), workers=0).findings == ()
    known = rerank_scan(both, judge(1.1, "c"), workers=0)
    assert known.reranking is not None and list(known.reranking.unscored.values()) == [1]


def test_an_empty_scan_stays_empty(scan: Scan) -> None:
    nothing = scan_paths(["code/e.py"], workers=0)
    assert rerank_scan(nothing, judge(0.5), workers=0).classes == ()


def test_a_folder_without_a_detector_is_an_error(scan: Scan) -> None:
    with pytest.raises(CodekinError, match=r"code: is not a detector .* no model.json"):
        rerank_scan(scan, "code")
