"""Detectors, predictions and clone reports judged by labelled pairs."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin import CodekinError, Corpus, Role, Snippet, evaluate_detector
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Problems
from codekin.detectors import clone_reports, evaluating
from codekin.detectors.measure_detector import MeasureDetector
from codekin.results import UNKNOWN

CODE = "int f{}(int a) {{\n  a += {};\n  a *= 2;\n  return a;\n}}"


def corpus(
    pairs: Sequence[dict[str, object]],
    *,
    places: dict[str, tuple[str, int, int]] | None = None,
    roles: dict[str, str] | None = None,
    projects: dict[str, str] | None = None,
) -> Corpus:
    """A corpus of the snippets that pairs name, with their places, functionalities and projects."""
    names = dict.fromkeys(str(pair[end]) for pair in pairs for end in ("id1", "id2"))
    snippets = []
    for number, name in enumerate(names):
        file, *lines = (places or {}).get(name, (None,))
        role = (roles or {}).get(name)
        snippets.append(
            Snippet(
                *(name, "c", CODE.format(number, number), (Role(role),) if role else ()),
                *((projects or {}).get(name), file, None, tuple(lines) or None),
            )
        )
    problems = Problems("pairs")
    made = Pairs.of_rows(pairs, snippets, problems)
    problems.check()
    return Corpus("tiny", tuple(snippets), made)


def predictions(path: Path, *rows: Sequence[object], head: str = "id1,id2,score") -> Path:
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([head.split(","), *rows])
    return path


def labelled(labels: Sequence[int], **columns: Sequence[object]) -> list[dict[str, object]]:
    """Pairs a1 b1, a2 b2, ... with labels and other columns."""
    return [
        {"id1": f"a{i}", "id2": f"b{i}", "label": label}
        | {name: values[i] for name, values in columns.items()}
        for i, label in enumerate(labels)
    ]


def random_scores(count: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(7)
    labels = generator.random(count) < 0.3
    scores = np.round(np.clip(0.3 * labels + generator.random(count) * 0.7, 0, 1), 2)  # with ties
    return scores, labels


def test_the_numbers_are_those_of_scikit_learn(tmp_path):
    metrics = pytest.importorskip("sklearn.metrics")
    scores, labels = random_scores(400)
    path = predictions(
        tmp_path / "p.csv", *((f"b{i}", f"a{i}", score) for i, score in enumerate(scores.tolist()))
    )
    found = evaluate_detector(path, corpus(labelled(labels.astype(int))), threshold=0.5).all
    called = scores >= 0.5
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        labels, called, average="binary"
    )
    expected = {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "ap": metrics.average_precision_score(labels, scores),
        "auc": metrics.roc_auc_score(labels, scores),
        "rate": labels.mean(),
        "all_positive_f1": metrics.f1_score(labels, np.ones(400, bool)),
    }
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12), name
    assert found.gain == found.f1 - found.all_positive_f1
    assert found.f1_interval.low < found.f1 < found.f1_interval.high
    assert found.auc_interval.low < found.auc < found.auc_interval.high


def test_the_numbers_of_a_worked_example(tmp_path):
    """What scikit-learn 1.9 gives, and arithmetic: two of three clones found, one false alarm."""
    rows = [("a0", "b0", 0.9), ("a1", "b1", 0.8), ("a2", "b2", 0.7), ("a3", "b3", 0.4),
            ("a4", "b4", 0.1)]  # fmt: skip
    path = predictions(tmp_path / "p.csv", *rows)
    found = evaluate_detector(path, corpus(labelled([1, 0, 1, 1, 0])), threshold=0.7).all
    assert found.precision == pytest.approx(2 / 3, abs=1e-12)
    assert found.recall == pytest.approx(2 / 3, abs=1e-12)
    assert found.f1 == pytest.approx(2 / 3, abs=1e-12)
    assert found.ap == pytest.approx((1 + 2 / 3 + 3 / 4) / 3, abs=1e-12)
    assert found.auc == pytest.approx(4 / 6, abs=1e-12)
    assert found.all_positive_f1 == pytest.approx(0.75, abs=1e-12)


@pytest.mark.parametrize("name", ["p.parquet", "p.jsonl"])
def test_predictions_in_other_files(tmp_path, name):
    table = pa.table({"id1": ["a0", "a1"], "id2": ["b0", "b1"], "similarity": [0.9, 0.2]})
    if name.endswith(".parquet"):
        pq.write_table(table, tmp_path / name)
    else:
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))
    assert evaluate_detector(tmp_path / name, corpus(labelled([1, 0]))).all.f1 == 1


# Thresholds


def sided(count: int = 3) -> list[dict[str, object]]:
    return labelled([1, 0, 1, 0], side=["validation", "validation", "test", "test"])


def test_the_threshold_is_chosen_on_validation_and_test_is_judged(tmp_path):
    rows = [("a0", "b0", 30), ("a1", "b1", 10), ("a2", "b2", 40), ("a3", "b3", 20)]
    found = evaluate_detector(predictions(tmp_path / "p.csv", *rows), corpus(sided()))
    assert (found.threshold, found.side, found.all.pairs) == (30, "test", 2)
    assert found.threshold_from == "best F1 on 2 pairs of validation"
    assert found.all.f1 == 1
    assert "the pairs of the side test are judged, and not 2 of others" in found.remarks


def test_without_validation_the_threshold_is_the_middle_or_has_to_be_given(tmp_path):
    made = corpus(labelled([1, 0]))
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 0.6), ("a1", "b1", 0.2))
    assert evaluate_detector(path, made).threshold == 0.5
    path = predictions(tmp_path / "q.csv", ("a0", "b0", 6), ("a1", "b1", 2))
    with pytest.raises(CodekinError, match="give one with --threshold"):
        evaluate_detector(path, made)
    assert evaluate_detector(path, made, threshold=4).all.f1 == 1


def test_answers_without_scores_are_taken_as_they_are(tmp_path):
    made = corpus(labelled([1, 0, 1]))
    path = tmp_path / "predictions.txt"  # as CodeXGLUE writes them
    path.write_text("a0\tb0\t1\na1\tb1\t1\na2\tb2\t0\n")
    found = evaluate_detector(path, made)
    assert (found.all.precision, found.all.recall, found.threshold_from) == (
        0.5,
        0.5,
        "as predicted",
    )
    rows = [("a0", "b0", True), ("a1", "b1", False), ("a2", "b2", True)]
    path = predictions(tmp_path / "p.csv", *rows, head="id1,id2,prediction")
    assert evaluate_detector(path, made).all.f1 == 1


def test_the_answers_of_predict_keep_its_threshold(tmp_path):
    rows = [("a0", "b0", 0.3, "yes"), ("a1", "b1", 0.2, "no")]
    path = predictions(tmp_path / "p.csv", *rows, head="id1,id2,score,clone")
    found = evaluate_detector(path, corpus(labelled([1, 0])))
    assert (found.threshold, found.threshold_from) == (0.3, "by the column clone")


# What is missing, or wrong


def test_pairs_without_a_prediction_are_counted_and_are_no_clones(tmp_path):
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 0.9), ("gone", "b0", 1), ("a2", "b2", ""))
    found = evaluate_detector(path, corpus(labelled([1, 1, 0])), threshold=0.5)
    assert found.unscored == 2
    assert found.all.recall == 0.5
    assert "2 pairs without a score: they count as no clones" in found.warnings()
    assert "1 prediction of snippets that the corpus lacks" in found.remarks


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("a0", "b0", "high")], "a score that is not a finite number (row 1: 'high')"),
        ([("a0", "b0", "-inf")], "a score that is not a finite number (row 1: '-inf')"),
        ([("a0", "b0", 1), ("a0", "b0", 0.5)], "a pair with two scores (a0, b0)"),
        ([("x", "y", 1)], "has no score of any labelled pair of tiny; are these the ids"),
    ],
)
def test_wrong_predictions(tmp_path, rows, words):
    with pytest.raises(CodekinError) as error:
        evaluate_detector(predictions(tmp_path / "p.csv", *rows), corpus(labelled([1, 0])))
    assert words in str(error.value)


def test_a_score_of_more_digits_than_a_float_can_hold(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"id1": "a0", "id2": "b0", "score": 10**400}))
    with pytest.raises(CodekinError, match="a score that is not a finite number"):
        evaluate_detector(path, corpus(labelled([1, 0])))


def test_columns_of_predictions(tmp_path):
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 1), head="id1,id2,what")
    with pytest.raises(CodekinError, match="has no column score in 1 row, but id1, id2, what"):
        evaluate_detector(path, corpus(labelled([1, 0])))
    found = evaluate_detector(path, corpus(labelled([1, 0])), columns={"score": "what"})
    assert found.all.recall == 1


def test_nothing_to_judge_by(tmp_path):
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 1))
    with pytest.raises(CodekinError, match="has no labelled pairs to judge by"):
        evaluate_detector(path, corpus([{"id1": "a0", "id2": "b0"}]))
    with pytest.raises(CodekinError, match=r"no such file or folder; name a detector"):
        evaluate_detector(tmp_path / "none.csv", corpus(labelled([1, 0])))


def test_with_clones_alone_only_recall_is_known(tmp_path):
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 0.9), ("a1", "b1", 0.1))
    found = evaluate_detector(path, corpus(labelled([1, 1])), threshold=0.5)
    assert found.all.recall == 0.5
    assert math.isnan(found.all.precision) and math.isnan(found.all.f1)
    assert math.isnan(found.all.ap) and math.isnan(found.all.auc) and math.isnan(found.all.gain)
    assert found.table().heads == ("pairs of", "pairs", "recall", "interval")
    assert "All pairs are clones, so only recall is known." in found.notes()


# Detectors


def test_a_measure_is_judged_with_the_threshold_of_validation():
    pairs = [*sided(), {"id1": "a0", "id2": "a0", "label": 1, "side": "test"}]
    found = evaluate_detector("measure:measure=jaccard", corpus(pairs))
    assert found.side == "test"
    assert found.threshold_from == "best F1 on 2 pairs of validation"


def test_a_trained_detector_keeps_its_threshold(tmp_path):
    made = corpus(labelled([1, 0]))
    detector = MeasureDetector(measure="jaccard")
    detector.threshold = 0.25
    found = evaluate_detector(detector, made)
    assert (found.threshold, found.threshold_from) == (0.25, "that of the detector")
    assert evaluate_detector(detector, made, threshold=1).all.recall == 0


# Breakdowns


def test_recall_by_type_functionality_and_project(tmp_path):
    kinds = ["T1", "T1", "MT3", "MT3", None]
    pairs = labelled([1, 1, 1, 1, 0], type=kinds)
    roles = {"a0": "sort", "b0": "sort", "a1": "sort", "b1": "sort", "a2": "copy", "b2": "copy",
             "a3": "copy", "b3": "copy", "a4": "copy", "b4": "sort"}  # fmt: skip
    projects = {name: "p" if name in ("a0", "b0", "a2") else f"of {name}" for name in roles}
    rows = [(f"a{i}", f"b{i}", score) for i, score in enumerate((0.9, 0.8, 0.7, 0.2, 0.6))]
    made = corpus(pairs, roles=roles, projects=projects)
    found = evaluate_detector(predictions(tmp_path / "p.csv", *rows), made, threshold=0.5)
    assert [(part.name, part.clones, part.found, part.recall) for part in found.by_type] == [
        ("T1", 2, 2, 1.0), ("MT3", 2, 1, 0.5)
    ]  # fmt: skip
    functionalities = [(p.name, p.pairs, p.clones, p.precision) for p in found.by_functionality]
    assert functionalities == [("copy", 3, 2, 0.5), ("sort", 3, 2, 2 / 3)]
    assert [(p.name, p.pairs, p.recall) for p in found.by_project] == [
        ("within a project", 1, 1.0), ("between projects", 4, 2 / 3)
    ]  # fmt: skip
    within = found.by_type_and_project["within a project"]
    assert [(part.name, part.clones) for part in within] == [("T1", 1), ("MT3", 0)]
    recalls = {
        name: [part.recall for part in parts]
        for name, parts in found.by_functionality_and_type.items()
    }
    assert recalls["sort"][0] == 1 and recalls["copy"][1] == 0.5
    assert found.clusters == 2
    assert not any("without a type" in note for note in found.notes())
    made = corpus(labelled([1, 1, 1, 1, 0], type=["T1", None, "MT3", None, None]))
    found = evaluate_detector(tmp_path / "p.csv", made, threshold=0.5)
    assert "2 clones without a type: not in recall by type" in found.notes()


def test_intervals_draw_functionalities(tmp_path):
    """Pairs of one functionality rise and fall together, so that the interval is wide."""
    labels = [1] * 400
    rows = [(f"a{i}", f"b{i}", float(i % 4 != 0)) for i in range(400)]
    path = predictions(tmp_path / "p.csv", *rows)
    roles = {f"{end}{i}": f"f{i % 4}" for i in range(400) for end in "ab"}
    clustered = evaluate_detector(path, corpus(labelled(labels), roles=roles)).all.recall_interval
    alone = evaluate_detector(path, corpus(labelled(labels))).all.recall_interval
    assert clustered.high - clustered.low > 2 * (alone.high - alone.low)


def test_copies_of_training_are_left_out_in_a_second_line(tmp_path):
    pairs = labelled([1, 0, 1, 0], side=["train", "train", "test", "test"])
    pairs.append({"id1": "a0", "id2": "b2", "label": 1, "side": "test"})
    rows = [(pair["id1"], pair["id2"], pair["label"]) for pair in pairs]
    found = evaluate_detector(predictions(tmp_path / "p.csv", *rows), corpus(pairs))
    assert found.all.pairs == 3
    assert found.without_copies is not None and found.without_copies.pairs < 3


# Reports of clone tools


PLACES = {
    "a0": ("default/A.java", 1, 10), "b0": ("default/B.java", 11, 20),
    "a1": ("default/A.java", 21, 30), "b1": ("sample/C.java", 1, 10),
    "a2": ("default/D.java", 1, 10), "b2": ("default/D.java", 31, 40),
    "a3": ("default/D.java", 1, 10), "b3": ("sample/C.java", 1, 10),
}  # fmt: skip


def bigclonebench(labels: Sequence[int] = (1, 1, 1, 1)) -> Corpus:
    return corpus(labelled(labels, type=["T1", "T1", "T2", "MT3"]), places=PLACES)


def report(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_recall_by_type_as_bigcloneeval_computes_it(tmp_path):
    """By hand, at 70 % of the ten lines of every snippet.

    The first pair is covered by seven lines of either snippet, in the other order. Of the second,
    the report has six lines of one snippet. The third is covered by fragments that reach beyond.
    The fourth is in no line of the report, though both of its snippets are covered by others.
    """
    path = report(
        tmp_path / "tool.csv",
        "default,B.java,11,17,default,A.java,4,10",
        "default,A.java,21,30,sample,C.java,5,99",
        "default,D.java,1,12,default,D.java,25,60",
        "default,D.java,1,10,default,A.java,1,10",
        "sample,C.java,1,10,default,A.java,1,10",
        "default,Unknown.java,1,10,default,A.java,1,10",
    )
    found = evaluate_detector(path, bigclonebench())
    recalls = [(part.name, part.found, part.clones, part.recall) for part in found.by_type]
    assert recalls == [("T1", 1, 2, 0.5), ("T2", 1, 1, 1.0), ("MT3", 0, 1, 0.0)]
    assert found.all.recall == 0.5
    assert found.unscored == 0
    assert any("1 reported fragment in files without a snippet" in line for line in found.remarks)
    found = evaluate_detector(path, bigclonebench(), cover=0.6)
    assert found.by_type[0].recall == 1.0
    with pytest.raises(CodekinError, match="above 0 and at most 1"):
        evaluate_detector(path, bigclonebench(), cover=0)


def test_precision_of_a_report_where_other_pairs_are_known(tmp_path):
    path = report(
        tmp_path / "tool.csv",
        "default,A.java,1,10,default,B.java,11,20",
        "default,D.java,1,10,sample,C.java,1,10",
    )
    found = evaluate_detector(path, bigclonebench((1, 1, 1, 0))).all
    assert (found.precision, found.recall) == (0.5, 1 / 3)


def test_classes_and_pairs_of_nicad(tmp_path):
    path = report(
        tmp_path / "clones.xml",
        "<clones>",
        '<class classid="1" nclones="3" nlines="10" similarity="80">',
        '<source file="systems/default/A.java" startline="1" endline="10" pcid="1"></source>',
        '<source file="systems/default/B.java" startline="11" endline="20" pcid="2"></source>',
        '<source file="systems/x&amp;y.java" startline="1" endline="9" pcid="3"></source>',
        "</class>",
        '<clone nlines="10" similarity="100">',
        '<source file="systems/default/D.java" startline="1" endline="50" pcid="4"></source>',
        '<source file="systems/default/E.java" startline="1" endline="10" pcid="5"></source>',
        "</clone>",
        "</clones>",
    )
    found = evaluate_detector(path, bigclonebench())
    assert [(part.name, part.found) for part in found.by_type] == [("T1", 1), ("T2", 0), ("MT3", 0)]
    assert evaluate_detector(path, bigclonebench(), threshold=0.9).all.recall == 0


def test_a_class_of_many_fragments_has_every_pair_of_them(tmp_path):
    sources = [
        f'<source file="{file}" startline="{first}" endline="{last}"></source>'
        for file, first, last in dict.fromkeys(PLACES.values())
    ]
    ends = "<clones>", '<class classid="1">', "</class>", "</clones>"
    path = report(tmp_path / "clones.xml", *ends[:2], *sources, *ends[2:])
    assert evaluate_detector(path, bigclonebench()).all.recall == 1
    wide = '<source file="default/D.java" startline="1" endline="50"></source>'
    path = report(tmp_path / "one.xml", *ends[:2], wide, *ends[2:])
    assert evaluate_detector(path, bigclonebench()).all.recall == 0


def test_one_fragment_is_no_pair_even_if_it_covers_both(tmp_path):
    """D.java 1 to 50 covers both snippets of the third pair, and has no clone there."""
    path = report(tmp_path / "t.csv", "default,D.java,1,50,default,A.java,1,10")
    assert evaluate_detector(path, bigclonebench()).all.recall == 0
    path = report(tmp_path / "u.csv", "default,D.java,1,50,default,D.java,1,50")
    assert evaluate_detector(path, bigclonebench()).by_type[1].recall == 1


def test_the_report_of_a_scan(tmp_path):
    path = report(
        tmp_path / "scan.csv",
        "file1,start1,end1,file2,start2,end2,type,score",
        "src/default/A.java,1,10,src/default/B.java,11,20,T3,0.9",
        "src/default/A.java,21,30,src/sample/C.java,1,10,T3,0.4",
    )
    assert evaluate_detector(path, bigclonebench()).all.recall == 0.5
    assert evaluate_detector(path, bigclonebench(), threshold=0.8).all.recall == 0.25


def test_files_that_are_called_by_the_ids_of_snippets(tmp_path):
    path = report(tmp_path / "t.csv", "all,a0.c,1,5,all,b0.c,1,4", "all,a1.c,1,5,all,b1.c,1,2")
    found = evaluate_detector(path, corpus(labelled([1, 1, 1])))
    assert found.all.recall == 1 / 3


def test_lines_are_found_in_whole_files(tmp_path):
    made = corpus(labelled([1, 1]))
    texts = {s.id: f"// one\n// two\n{s.code}\n" for s in made.snippets}
    snippets = tuple(
        Snippet(s.id, s.language, s.code, (), None, f"src/{s.id}.c") for s in made.snippets
    )
    files = {f"src/{name}.c": text for name, text in texts.items()}
    placed = Corpus("tiny", snippets, made.pairs, files)
    path = report(tmp_path / "t.csv", "src,a0.c,3,7,src,b0.c,3,7", "src,a1.c,1,3,src,b1.c,3,7")
    assert evaluate_detector(path, placed).all.recall == 0.5
    with pytest.raises(CodekinError, match="no pair of tiny has both snippets at known lines"):
        evaluate_detector(report(tmp_path / "u.csv", "x,y.c,1,2,x,z.c,1,2"), made)


@pytest.mark.parametrize(
    "line", ["<clone " * 200_000, f"<clone {'a' * 1_000_000}>", "a='" * 300_000]
)
def test_tags_are_found_in_linear_time(tmp_path, line):
    path = report(tmp_path / "clones.xml", "<clones>", line, "</clones>")
    assert evaluate_detector(path, bigclonebench()).all.recall == 0


@pytest.mark.parametrize(
    ("name", "lines", "words"),
    [
        ("t.csv", ["a,b.c,1,2,a,c.c,1,2", "a,b.c,one,2,a,c.c,1,2"], "line 2 is not dir,file"),
        ("t.xml", ["<clones>", "<source file='a'>"], "line 2 has a source without file"),
        ("l.csv", ["a,b.c,1,2,a,c.c,1,2", f"{'a' * 200_000},b.c,1,2,a,c.c,1,2"], "field limit"),
        ("h.xml", ["<clones>", "<class similarity='90'>"], "ends before </clones>; is it whole?"),
        ("n.xml", ["<clones>", "<class similarity='nan'>"], "line 2 has a class without file"),
        (
            "s.csv",
            ["file1,start1,end1,file2,start2,end2", "a,x,2,b,1,2"],
            "line 2 is not as codekin",
        ),
    ],
)
def test_damaged_reports(tmp_path, name, lines, words):
    with pytest.raises(CodekinError, match=words):
        evaluate_detector(report(tmp_path / name, *lines), bigclonebench())


def test_a_class_that_is_closed_again_and_again_is_one(tmp_path):
    """Otherwise this would take the square of its length, which is minutes here."""
    lines = (
        "<class>" + "<source file='x.java' startline='1' endline='2'/>" * 3000,
        "</class>" * 100_000,
    )
    path = report(tmp_path / "t.xml", "<clones>", *lines, "</clones>")
    assert evaluate_detector(path, bigclonebench()).all.recall == 0


def test_lines_that_no_file_can_have(tmp_path):
    numbers = ("9" * 400, "1"), ("-" + "9" * 400, "9" * 400)
    rows = [f"default,A.java,{a},{b},default,B.java,{a},{b}" for a, b in numbers]
    found = evaluate_detector(report(tmp_path / "t.csv", *rows), bigclonebench())
    assert found.all.recall == 0.25


def test_fragments_over_too_many_snippets_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(clone_reports, "_LEAST_LIMIT", 0)
    monkeypatch.setattr(clone_reports, "_PER_FRAGMENT", 1)
    path = report(tmp_path / "t.csv", "default,A.java,1,99,default,A.java,1,99")
    with pytest.raises(CodekinError, match="its fragments lie over too many snippets of"):
        evaluate_detector(path, bigclonebench())


def test_the_longest_path_in_common_says_the_file(tmp_path):
    places = {
        **{"a0": ("x/A.java", 1, 9), "b0": ("y/x/A.java", 1, 9)},
        **{"a1": ("z/A.java", 1, 9), "b1": ("A.java", 1, 9)},
    }
    made = corpus(labelled([1, 1]), places=places)

    def recall(first: str, second: str) -> float:
        row = f"q,{first},1,9,q,{second},1,9"
        return evaluate_detector(report(tmp_path / "t.csv", row), made).all.recall

    assert recall("w/x/A.java", "w/y/x/A.java") == 0.5
    assert recall("z/A.java", "v/A.java") == 0.5
    assert recall("v/A.java", "w/x/A.java") == 0


def test_many_functionalities_are_not_all_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluating, "_MOST_PARTS", 2)
    monkeypatch.setattr(evaluating, "_MOST_CELLS", 3)
    roles = {f"{end}{i}": "FGGHHH"[i] for end in "ab" for i in range(6)}
    made = corpus(labelled([1] * 6, type=["T1", "T2"] * 3), roles=roles)
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 1), ("a3", "b3", 1))
    found = evaluate_detector(path, made)
    assert [part.name for part in found.by_functionality] == ["G", "H"]
    assert found.by_functionality_and_type == {}
    assert found.remarks[-2:] == (
        "by functionality, the 2 of 3 with the most pairs",
        "no numbers by functionality and type, which would be more than 3",
    )


# What is printed


def test_every_format_has_the_numbers(tmp_path):
    path = predictions(tmp_path / "p.csv", ("a0", "b0", 0.9), ("a1", "b1", 0.4), ("a2", "b2", 0.6))
    found = evaluate_detector(
        path, corpus(labelled([1, 1, 0], type=["T1", "T2", None])), threshold=0.5
    )
    document = found.document()
    assert document["all"]["f1"] == 0.5
    assert document["by_type"][1]["name"] == "T2"
    assert "0.500" in found.to_latex() and "Recall by clone type" in found.to_latex()
    assert "Precision by recall" in found.to_html()
    record = found.table().records()[0]
    assert (record["ap"], record["auc"]) == pytest.approx((5 / 6, 0.5))
    assert found.all.precision_interval != UNKNOWN
