from __future__ import annotations

import json
import math

import jsonschema
import pytest
from tests.cli.test_schemas import check_schema, schema
from tests.corpora.judges import document, export, paired

from codekin import CodekinError
from codekin.corpora.judgements import judged
from codekin.corpora.judging import judging_sample
from codekin.statistics.proportion import stratified_proportion, wilson_interval

REPORTED = [
    {"id1": f"sum/{i}", "id2": f"{other}/{j}"}
    for other in ("max", "count")
    for i in range(4)
    for j in range(4)
]


@pytest.fixture
def sample():
    """32 pairs that a tool reports as clones."""
    return judging_sample(paired(REPORTED), 32)


def test_precision_of_one_judge(tmp_path, sample) -> None:
    said = ["clone"] * 20 + ["no clone"] * 5 + ["undecided"] * 4 + [None] * 3
    found = judged(export(tmp_path / "a.json", sample, "Ann", lambda i, _: said[i]))
    [judge] = found.judges
    counts = judge.claimed
    assert (judge.judge, judge.file, judge.strata, judge.unclaimed) == ("Ann", "a.json", (), None)
    assert (counts.pairs, counts.clones, counts.others) == (32, 20, 5)
    assert (counts.undecided, counts.open) == (4, 3)
    assert counts.share == 0.8
    assert counts.interval.low == pytest.approx(wilson_interval(20, 25).low)
    assert found.agreements == ()
    assert found.warnings() == ["Ann has not answered 3 pairs"]
    assert "0.800" in str(found)


def test_pairs_called_no_clones_are_no_part_of_precision(tmp_path) -> None:
    sample = judging_sample(paired(), 66)

    def say(_: int, pair) -> str:
        wrong = "0" in (pair.first.id[-1], pair.second.id[-1])
        return "clone" if (pair.label == 1) != wrong else "no clone"

    [judge] = judged(export(tmp_path / "a.json", sample, "Ann", say)).judges
    assert (judge.claimed.pairs, judge.claimed.clones) == (18, 9)
    assert judge.claimed.share == 0.5
    assert (judge.unclaimed.pairs, judge.unclaimed.clones) == (48, 21)
    assert judge.unclaimed.share == 21 / 48


def test_strata_are_weighted_by_their_sizes(tmp_path) -> None:
    sample = judging_sample(paired(), 12, by="type")
    said = {"MT3": "no clone", "T2": "clone", None: "clone"}
    found = judged(export(tmp_path / "a.json", sample, "Ann", lambda _, pair: said[pair.type]))
    [judge] = found.judges
    assert [(one.name, one.size, one.counts.share) for one in judge.strata] == [
        ("T2", 15, 1.0),
        ("MT3", 3, 0.0),
    ]
    assert judge.claimed.share == pytest.approx(15 / 18)
    share, interval = stratified_proportion([(5, 5, 15), (0, 3, 3)])
    assert (judge.claimed.share, judge.claimed.interval) == (share, interval)
    assert judge.unclaimed.share == 1.0
    rows = found.table().records()
    assert [(row["judge"], row["stratum"], row["size"]) for row in rows] == [
        ("Ann", "all", 18),
        ("Ann", "T2", 15),
        ("Ann", "MT3", 3),
    ]


def test_a_stratum_without_decisions_is_left_out_and_named(tmp_path) -> None:
    sample = judging_sample(paired(), 12, by="type")
    said = {"MT3": "undecided", "T2": "clone", None: "clone"}
    found = judged(export(tmp_path / "a.json", sample, "Ann", lambda _, pair: said[pair.type]))
    assert found.judges[0].claimed.share == 1.0
    assert math.isnan(found.judges[0].strata[1].counts.share)
    [warning] = found.warnings()
    assert "leaves out type MT3, where nothing is decided" in warning


def test_agreement_of_two_judges(tmp_path, sample) -> None:
    """20 clones and 6 no clones by both, 4 to 1 in dispute, one undecided by the second judge."""
    pairs = [("clone", "clone")] * 20 + [("no clone", "no clone")] * 6
    pairs += [("clone", "no clone")] * 4 + [("no clone", "clone")] + [("clone", "undecided")]
    files = [
        export(tmp_path / f"{name}.json", sample, name, lambda i, _, k=k: pairs[i][k])
        for k, name in enumerate(("Ann", "Ben"))
    ]
    found = judged(*files)
    assert [one.judge for one in found.judges] == ["Ann", "Ben", "majority"]
    majority = found.judges[2].claimed
    assert (majority.clones, majority.others, majority.undecided) == (21, 6, 5)
    [both] = found.agreements
    assert both.judges == ("Ann", "Ben")
    assert both.table == ((20, 4, 1), (1, 6, 0), (0, 0, 0))
    assert both.decided.pairs == 31
    assert both.decided.observed == 26 / 31
    chance = (24 * 21 + 7 * 10) / 31**2
    kappa = (26 / 31 - chance) / (1 - chance)
    assert both.decided.kappa.value == pytest.approx(kappa)
    assert both.decided.kappa.known.low < kappa < both.decided.kappa.known.high
    assert both.answered.pairs == 32
    assert both.answered.observed == 26 / 32
    assert len(both.disagreements) == 6
    first = sample.pairs[26]
    assert (both.disagreements[0].id1, both.disagreements[0].id2) == (
        first.first.id,
        first.second.id,
    )
    assert both.disagreements[0].answers == ("clone", "no clone")
    assert judged(*files) == found
    page = found.to_html()  # which shows the answers that both gave, too
    assert all(f">{count}</td>" in page.replace("</span></td>", "</td>") for count in (20, 6, 4))
    swapped = judged(*reversed(files)).agreements[0]
    assert swapped.decided.kappa.value == pytest.approx(kappa)


def test_three_judges_are_compared_in_pairs(tmp_path, sample) -> None:
    said = ("clone", "no clone", "undecided")
    files = [
        export(tmp_path / f"{k}.json", sample, "", lambda i, _, k=k: said[(i // 2 + i * k) % 3])
        for k in range(3)
    ]
    found = judged(*files)
    assert [one.judges for one in found.agreements] == [("0", "1"), ("0", "2"), ("1", "2")]
    assert len(found.grids()) == 2 + 3 * 2


def test_nothing_in_common(tmp_path, sample) -> None:
    ann = export(tmp_path / "a.json", sample, "Ann", lambda i, _: "clone" if i < 9 else None)
    ben = export(tmp_path / "b.json", sample, "Ben", lambda i, _: None if i < 9 else "clone")
    [both] = judged(ann, ben).agreements
    assert (both.decided.pairs, both.disagreements) == (0, ())
    assert math.isnan(both.decided.kappa.value)
    one_answer = judged(ann, export(tmp_path / "c.json", sample, "Cem", lambda *_: "clone"))
    assert one_answer.agreements[0].decided.observed == 1.0
    assert math.isnan(one_answer.agreements[0].decided.kappa.value)


def test_documents_are_valid(tmp_path) -> None:
    sample = judging_sample(paired(), 20, by="basis")
    ann = export(tmp_path / "a.json", sample, "Ann", lambda i, _: "clone" if i % 3 else "no clone")
    ben = export(tmp_path / "b.json", sample, "Ben", lambda i, _: "clone" if i % 2 else None)
    printed = [json.loads(judged(*files).to_json()) for files in ((ann,), (ann, ben))]
    check_schema("corpus-judged", printed)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(printed[0] | {"level": 2}, schema("corpus-judged"))


def damaged(change):
    """A sample's export in which something was changed."""
    made = document(judging_sample(paired(), 6, by="label"), "Ann", lambda *_: "clone")
    change(made)
    return made


CHANGES = {
    "unknown answer": lambda d: d["pairs"][1].update(answer="yes"),
    "pair 2: answer is": lambda d: d["pairs"][1].update(answer=1),
    "missing (pair 3: note": lambda d: d["pairs"][2].pop("note"),
    "missing (the file: judge": lambda d: d.pop("judge"),
    "unknown field (the file: extra": lambda d: d.update(extra=1),
    "unknown field (pair 1: html": lambda d: d["pairs"][0].update(html=""),
    "a label other than 0 and 1": lambda d: d["pairs"][0].update(label=2),
    "wrong type (pair 1: label is": lambda d: d["pairs"][0].update(label=True),
    "a stratum that is not there": lambda d: d["pairs"][0].update(stratum=2),
    "a number below 0 (pair 1: stratum": lambda d: d["pairs"][0].update(stratum=-1),
    "no pair (": lambda d: d.update(pairs=[]),
    "listed twice": lambda d: d["pairs"].__setitem__(1, d["pairs"][0]),
    "not an object (pair 1": lambda d: d["pairs"].__setitem__(0, []),
    "16 hex digits": lambda d: d["sample"].update(fingerprint="../../x"),
    "unknown kind of strata": lambda d: d["sample"].update(by="size"),
    "more clones than pairs": lambda d: d["sample"]["strata"][0].update(claimed=10**6),
    "smaller than the sample of it": lambda d: d["sample"]["strata"][0].update(pairs=1, claimed=1),
    "is in format 2": lambda d: d.update(format=2),
    "holds no judgements": lambda d: d.update(kind="codekin-corpus"),
}


@pytest.mark.parametrize(("problem", "change"), CHANGES.items())
def test_a_changed_export_is_refused(tmp_path, problem, change) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(damaged(change)))
    with pytest.raises(CodekinError) as refused:
        judged(path)
    assert str(refused.value).startswith(str(path))
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not JSON"),
        (b'{"kind": "codekin-judg', "is not JSON, or only a part of it"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"kind": ' + b"9" * 5000 + b"}", "is not JSON"),
        (b"[1]", "holds no judgements"),
        (b"null", "holds no judgements"),
    ],
)
def test_garbage_is_refused(tmp_path, content, problem) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(CodekinError, match=problem):
        judged(path)


def test_problems_are_counted(tmp_path) -> None:
    path = tmp_path / "a.json"
    made = damaged(lambda d: [one.update(answer="?") for one in d["pairs"]])
    path.write_text(json.dumps(made))
    with pytest.raises(
        CodekinError, match=r"an unknown answer \(6 times, first pair 1: \?, pair 2"
    ):
        judged(path)


def test_exports_of_other_samples_and_the_same_judge_are_refused(tmp_path, sample) -> None:
    ann = export(tmp_path / "a.json", sample, "Ann", lambda *_: "clone")
    other = judging_sample(paired(REPORTED), 32, seed=1)
    with pytest.raises(CodekinError, match=r"is of another sample .* exports of the same page"):
        judged(ann, export(tmp_path / "b.json", other, "Ben", lambda *_: "clone"))
    with pytest.raises(CodekinError, match=r"b.json: is by 'Ann', as .*a.json is; give one export"):
        judged(ann, export(tmp_path / "b.json", sample, "Ann", lambda *_: "clone"))
    with pytest.raises(CodekinError, match="another name than 'majority'"):
        judged(ann, export(tmp_path / "b.json", sample, "majority", lambda *_: "clone"))
    made = document(sample, "Ben", lambda *_: "clone")
    made["pairs"].reverse()
    (tmp_path / "b.json").write_text(json.dumps(made))
    with pytest.raises(CodekinError, match="does not list the pairs of"):
        judged(ann, tmp_path / "b.json")
    with pytest.raises(CodekinError, match="nothing to read"):
        judged()
    with pytest.raises(CodekinError, match="No such file"):
        judged(tmp_path / "none.json")
    with pytest.raises(CodekinError, match="level must be between 0 and 1"):
        judged(ann, level=95)
