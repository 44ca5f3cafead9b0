"""external: the coverage rule, results from files and commands, and commands that fail."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.detectors.tasks import names_task

from codekin import Snippet
from codekin.detectors.detector import labelled, load_detector, parse_detector
from codekin.detectors.external import External, FileLines, covers, write_snippets
from codekin.errors import CodekinError

TEN = "\n".join(f"int x{i};" for i in range(10)) + "\n"
THREE = [Snippet(name, "java", TEN) for name in ("a", "b", "c")]
PAIRS = np.array([0, 2, 1], np.int32), np.array([1, 0, 2], np.int32)


def saved(path: Path, *lines: str) -> External:
    path.write_text("".join(f"{line}\n" for line in lines))
    return External(results=str(path))


@given(*(st.integers(1, 30) for _ in range(4)), st.sampled_from([0.3, 0.7, 1.0]))
def test_coverage_counts_lines(one: int, two: int, three: int, four: int, share: float) -> None:
    reported = FileLines("f", min(one, two), max(one, two))
    wanted = FileLines("f", min(three, four), max(three, four))
    lines = set(range(wanted.start, wanted.end + 1))
    common = lines & set(range(reported.start, reported.end + 1))
    assert covers(reported, wanted, share) == (len(common) / len(lines) >= share)
    assert not covers(reported._replace(file="g"), wanted, share)


def test_report_is_matched_by_coverage(tmp_path: Path) -> None:
    report = saved(
        tmp_path / "clones.csv",
        "snippets,000001.java,4,10,/any/where/snippets,000000.java,1,9",
        "snippets,000000.java,1,10,snippets,000002.java,5,10",
        "other,000077.java,1,10,snippets,000002.java,5,10",
    )
    assert report.score_pairs(THREE, *PAIRS).tolist() == [1, 0, 0]
    report.coverage = 0.6
    assert report.score_pairs(THREE, *PAIRS).tolist() == [1, 1, 0]
    report.coverage = 0.8
    assert report.score_pairs(THREE, *PAIRS).tolist() == [0, 0, 0]


def test_report_on_whole_files(tmp_path: Path) -> None:
    folder = tmp_path / "files" / "lib"
    folder.mkdir(parents=True)
    (folder / "A.java").write_text("class A {\r\n" + TEN.replace("\n", "\r\n") + "void f() {}\r\n}")
    (folder / "B.java").write_text(TEN)
    snippets = [
        Snippet("one", "java", TEN, file="lib/A.java"),
        Snippet("two", "java", "void f() {}", file="lib/A.java"),
        Snippet("three", "java", TEN, file="lib/B.java"),
        Snippet("gone", "java", "int gone;", file="lib/B.java"),
        Snippet("out", "java", TEN, file="../../secret.java"),
    ]
    report = saved(tmp_path / "clones.csv", "lib,A.java,1,11,lib,B.java,1,10")
    report.files = str(tmp_path / "files")
    first, second = np.array([0, 1, 0, 0, 4], np.int32), np.array([2, 2, 1, 3, 0], np.int32)
    scores = report.score_pairs(snippets, first, second)
    assert scores[:3].tolist() == [1, 0, 0] and np.isnan(scores[3:]).all()
    with pytest.raises(CodekinError, match="a file outside of the folder"):
        report.score_pairs(snippets[4:], first[:0], second[:0])
    report.files = str(tmp_path / "nothing")
    with pytest.raises(CodekinError, match="is not a folder"):
        report.score_pairs(snippets, first, second)


def test_lines_in_the_ids_of_a_report(tmp_path: Path) -> None:
    snippets = [
        Snippet(f"lib/A.java:{start}-{end}", "java", "int x;", project="lib", file="lib/A.java")
        for start, end in ((1, 10), (11, 20), (21, 30))
    ]
    report = saved(tmp_path / "clones.csv", "lib,A.java,2,9,lib,A.java,11,40")
    assert report.score_pairs(snippets, *PAIRS).tolist() == [1, 1, 0]


def test_scores_of_a_file(tmp_path: Path) -> None:
    listed = saved(
        tmp_path / "scores.csv", "id1,id2,score", "b,a,0.25", "a,b,0.75", "", "c,zork,1", "c,b,.5"
    )
    assert listed.score_pairs(THREE, *PAIRS).tolist() == [0.75, 0, 0.5]
    assert saved(tmp_path / "none.csv").score_pairs(THREE, *PAIRS).tolist() == [0, 0, 0]


def test_fit_save_and_load(tmp_path: Path) -> None:
    corpus = names_task()
    pairs = labelled(corpus, "validation")
    ids = [one.id for one in corpus.snippets]
    rows = [
        f"{ids[i]},{ids[j]},{0.6 if label else 0.3}"
        for i, j, label in zip(pairs.first, pairs.second, pairs.label, strict=True)
    ]
    one = saved(tmp_path / "scores.csv", "id1,id2,score", *rows)
    fitted = one.fit(corpus)
    assert one.threshold == np.float32(0.6) and fitted.validation == (1.0,)
    assert "only the threshold" in fitted.notes[0]
    one.save(tmp_path / "model")
    loaded = load_detector(tmp_path / "model")
    both = [x.score_pairs(corpus.snippets, pairs.first, pairs.second) for x in (one, loaded)]
    assert np.array_equal(*both) and loaded.threshold == one.threshold
    report = saved(tmp_path / "clones.csv", "s,000000.java,1,1,s,000001.java,1,1")
    report.fit(corpus)
    assert report.threshold == 0.5


TOOL = """
import itertools, pathlib, sys
folder = pathlib.Path(sys.argv[1])
files = sorted(folder.iterdir())
out = open(sys.argv[2], "w") if len(sys.argv) > 2 else sys.stdout
for one, two in itertools.combinations(files, 2):
    if set(one.read_text().split()) == set(two.read_text().split()):
        print(folder.name, one.name, 1, 1, folder.name, two.name, 1, 1, sep=",", file=out)
"""


@pytest.fixture
def tool(tmp_path: Path) -> str:
    (tmp_path / "my tool.py").write_text(TOOL)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'my tool.py'))} {{folder}}"


def test_command(tool: str, tmp_path: Path) -> None:
    snippets = [Snippet(str(i), "java", code) for i, code in enumerate(("a b", "no", "b a", "a b"))]
    first, second = np.array([0, 2, 0, 2], np.int32), np.array([2, 1, 3, 3], np.int32)
    expected = [1, 0, 1, 1]
    printed = External(command=tool)
    assert printed.score_pairs(snippets, first, second).tolist() == expected
    written = External(command=f"{tool} {{output}}")
    assert written.score_pairs(snippets, first[:2], second[:2]).tolist() == expected[:2]


def test_command_is_never_taken_from_a_file(tool: str, tmp_path: Path) -> None:
    corpus = names_task()
    one = External(command=tool)
    one.fit(corpus)
    one.save(tmp_path / "model")
    place = tmp_path / "model" / "model.json"
    about = json.loads(place.read_text())
    about["settings"]["command"] = f"touch {tmp_path / 'ran'} {{folder}}"
    place.write_text(json.dumps(about))
    loaded = load_detector(tmp_path / "model")
    with pytest.raises(CodekinError, match="not kept in a saved detector"):
        loaded.score_pairs(corpus.snippets, *PAIRS)
    assert not (tmp_path / "ran").exists()
    named = load_detector(tmp_path / "model", command=tool)
    assert set(named.score_pairs(corpus.snippets, *PAIRS)) <= {0, 1}
    with pytest.raises(CodekinError, match=r"external: coverage was fixed by training"):
        load_detector(tmp_path / "model", coverage="0.5")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no licence')", "ended with code 1; it printed to stderr: no lic"),
        ("import time; print('slow', flush=True); time.sleep(60)", "took longer than 0.5 seconds"),
        ("print('gibberish')", "the command: a line other than dir,file,start,end twice"),
    ],
)
def test_commands_that_fail(program: str, said: str) -> None:
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(program)} {{folder}}"
    with pytest.raises(CodekinError, match=said):
        External(command=command, timeout=0.5).score_pairs(THREE, *PAIRS)


def test_errors(tmp_path: Path) -> None:
    for settings, said in (
        ({"coverage": 0.0}, "coverage must be above 0"),
        ({"timeout": 0.0}, "timeout must be above 0"),
        ({"results": "a", "command": "b"}, "not both"),
    ):
        with pytest.raises(CodekinError, match=said):
            External(**settings)
    for command, said in (
        ("zork-tool {folder}", "cannot run zork-tool"),
        ("ls", "write {folder} in it"),
        ("ls '{folder}", "cannot read the command"),
    ):
        with pytest.raises(CodekinError, match=said):
            External(command=command).score_pairs(THREE, *PAIRS)
    with pytest.raises(CodekinError, match="name a file of results or a command"):
        External().score_pairs(THREE, *PAIRS)
    with pytest.raises(CodekinError, match="No such file"):
        External(results=str(tmp_path / "no.csv")).score_pairs(THREE, *PAIRS)
    for lines, said in (
        (("id1,id2,score", "a,b,1.5", "a,b"), r"score from 0 to 1 \(2 times, first line 2, line 3"),
        (("s,f,1,x,s,g,1,2",), "a line other than dir,file,start,end twice"),
        (("s,f,5,1,s,g,1,2",), "lines end before they start"),
    ):
        with pytest.raises(CodekinError, match=said):
            saved(tmp_path / "bad.csv", *lines).score_pairs(THREE, *PAIRS)
    write_snippets(THREE, tmp_path / "out")
    assert (tmp_path / "out" / "000002.java").read_text() == TEN
    with pytest.raises(CodekinError, match="cannot be written"):
        write_snippets(THREE, tmp_path / "out")
    one = parse_detector("external:results=a.csv,coverage=0.5")
    assert one.word == "external:results=a.csv,coverage=0.5"
