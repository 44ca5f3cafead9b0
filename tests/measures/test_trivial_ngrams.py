from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tools.trivial_ngrams import main

import codekin
from codekin import Source, measure
from codekin.languages import languages
from codekin.measures.crystalbleu import NgramCounts, most_frequent, shipped_ngrams

COMMAND = Path(__file__).parents[2] / "tools" / "trivial_ngrams.py"
DATA = Path(codekin.__file__).parent / "data" / "trivial_ngrams"
BUILT_IN = [language.name for language in languages()][:12]

ONE = "def f(x):\n    return x\n"
TWO = "def g(x):\n    '''Say it.'''\n    return x  # it\n"


def run(*arguments: str | Path, seed: str = "0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(COMMAND), *map(str, arguments)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )


def make(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def made(output: Path, *arguments: str | Path) -> dict[str, object]:
    main(["--language", "python", "-o", str(output), *map(str, arguments)])
    table: dict[str, object] = json.loads(output.read_text(encoding="utf-8"))
    return table


# The sets that ship.


@pytest.mark.parametrize("language", BUILT_IN)
def test_every_language_has_500_distinct_ngrams(language: str) -> None:
    table = json.loads((DATA / f"{language}.json").read_text(encoding="utf-8"))
    ngrams = [tuple(ngram) for ngram in table["ngrams"]]
    assert (table["language"], table["k"], table["order"]) == (language, 500, 4)
    assert len(ngrams) == len(set(ngrams)) == 500
    assert {len(ngram) for ngram in ngrams} == {1, 2, 3, 4}
    assert all(isinstance(text, str) and text for ngram in ngrams for text in ngram)
    assert shipped_ngrams(language) == tuple(ngrams)


@pytest.mark.parametrize("language", BUILT_IN)
def test_shipped_sets_come_from_many_projects_and_much_code(language: str) -> None:
    table = json.loads((DATA / f"{language}.json").read_text(encoding="utf-8"))
    assert len(set(table["projects"])) == len(table["projects"]) >= 5
    assert table["tokens"] >= 300_000


@pytest.mark.parametrize("language", BUILT_IN)
def test_parts_of_a_shipped_ngram_rank_before_it(language: str) -> None:
    # A part occurs at least as often in every project, hence at least as often in the median.
    rank = {ngram: i for i, ngram in enumerate(shipped_ngrams(language))}
    for ngram, place in rank.items():
        if len(ngram) > 1:
            assert rank[ngram[1:]] < place
            assert rank[ngram[:-1]] < place


def test_layout_of_python_is_among_its_ngrams() -> None:
    assert ("⏎",) in shipped_ngrams("python")
    assert not any("⏎" in ngram for ngram in shipped_ngrams("java"))


def test_a_language_without_a_file_has_no_ngrams() -> None:
    assert shipped_ngrams("no-such-language") == ()


# Counting and ranking.


def test_counts_are_those_of_a_plain_definition() -> None:
    texts = [["a", "b", "a", "b"], ["b"], []]
    expected: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        for n in (1, 2, 3):
            expected.update(tuple(text[i : i + n]) for i in range(len(text) - n + 1))
    counts = NgramCounts(order=3)
    for text in texts:
        counts.add(text)
    assert counts.counts == expected
    assert counts.tokens == 5


def test_ties_go_to_the_shorter_and_then_to_the_earlier_text() -> None:
    table = {("b",): 2, ("a", "b"): 2, ("a", "a"): 2, ("c",): 3, ("a",): 1}
    assert most_frequent(table, 4) == (("c",), ("b",), ("a", "a"), ("a", "b"))
    assert most_frequent(table, 99)[-1] == ("a",)


def test_the_rarest_ngrams_are_forgotten_first() -> None:
    counts = NgramCounts(order=1, limit=2)
    counts.add(["a", "a", "a", "b", "b", "c"])
    assert counts.counts == {("a",): 3, ("b",): 2}
    assert counts.tokens == 6
    counts.add(["d", "d"])
    assert counts.counts == {("a",): 3}


# The command.


def test_the_command_ranks_a_small_project(tmp_path: Path) -> None:
    table = made(tmp_path / "out.json", "--k", "9", make(tmp_path / "p-1.0", {"a.py": ONE}))
    # f and x are names; x stands twice, line ends twice, all else once.
    assert table == {
        "language": "python",
        "k": 9,
        "order": 4,
        "files": 1,
        "tokens": 12,
        "projects": ["p-1.0"],
        "ngrams": [["x"], ["⏎"], ["("], [")"], [":"], ["def"], ["f"], ["return"], ["⇤"]],
    }


def test_the_file_has_one_ngram_a_line(tmp_path: Path) -> None:
    made(tmp_path / "out.json", "--k", "3", make(tmp_path / "p", {"a.py": ONE}))
    lines = (tmp_path / "out.json").read_text(encoding="utf-8").splitlines()
    assert lines[-5:] == ['    ["x"],', '    ["⏎"],', '    ["("]', "  ]", "}"]


def test_the_command_agrees_with_fit_on_one_project(tmp_path: Path) -> None:
    project = make(tmp_path / "p", {"a.py": ONE, "b.py": TWO})
    table = made(tmp_path / "out.json", "--k", "40", project)
    fitted = measure("crystalbleu").fit([TWO, ONE], k=40, language="python")
    assert [tuple(ngram) for ngram in table["ngrams"]] == list(fitted.trivial)


def test_the_result_depends_on_contents_alone(tmp_path: Path) -> None:
    files = {"a.py": ONE, "b.py": TWO, "c/d.py": "import os\nprint(os)\n"}
    first = [make(tmp_path / "1" / name, files) for name in ("p", "q")]
    (first[1] / "e.py").write_text("import sys\n")
    renamed = dict(zip(["z.py", "y/y.py", "x.py"], files.values(), strict=True))
    second = [make(tmp_path / "2" / name, renamed) for name in ("p", "q")]
    (second[1] / "0.py").write_text("import sys\n")
    for seed, folders in (("1", first), ("2", second[::-1])):
        output = tmp_path / f"{seed}.json"
        done = run("--language", "python", "-o", output, *folders, seed=seed)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()


def test_what_one_project_repeats_is_not_shared(tmp_path: Path) -> None:
    projects = [
        make(tmp_path / "p", {"a.py": "wizard\n" * 50}),
        make(tmp_path / "q", {"a.py": "print(1)\n"}),
        make(tmp_path / "r", {"a.py": "print(2)\n"}),
    ]
    ngrams = made(tmp_path / "out.json", *projects)["ngrams"]
    assert isinstance(ngrams, list)
    assert ["wizard"] not in ngrams
    assert ["print", "("] in ngrams


def test_what_nobody_wrote_for_use_is_left_out(tmp_path: Path) -> None:
    project = make(
        tmp_path / "tests" / "p",  # only folders below the project count
        {
            "a.py": ONE,
            "copy.py": ONE,
            "broken.py": "def (((\n",
            "empty.py": "# nothing\n",
            "binary.py": "a\0b\n",
            "made.py": "# Generated by a tool, do not edit\nmade = 1\n",
            "wide.py": "wide = '" + "x" * 1_000 + "'\n",
            "huge.py": "huge = 1\n" * 40_000,
            "other.java": "class Other {}\n",
            "test_a.py": "tested = 1\n",
            "tests/a.py": "tested = 2\n",
            "vendor/lib/a.py": "vendored = 1\n",
        },
    )
    table = made(tmp_path / "out.json", project)
    assert (table["files"], table["tokens"]) == (1, 12)


def test_a_second_copy_in_another_project_does_not_count(tmp_path: Path) -> None:
    projects = [make(tmp_path / name, {"a.py": ONE}) for name in ("p", "q")]
    assert made(tmp_path / "out.json", *projects)["projects"] == ["p"]


def test_a_project_counts_up_to_its_share(tmp_path: Path) -> None:
    files = {f"{i}.py": f"a{i} = {i}\n" for i in range(20)}
    size = len(Source(files["0.py"], "python").tokens)
    table = made(tmp_path / "out.json", "--tokens", str(5 * size), make(tmp_path / "p", files))
    assert (table["files"], table["tokens"]) == (5, 5 * size)


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    missing = run("--language", "python", "-o", output, tmp_path / "none")
    assert missing.returncode == 2
    assert "no such folder" in missing.stderr
    empty = run("--language", "python", "-o", output, make(tmp_path / "p", {"a.c": "int i;\n"}))
    assert empty.returncode == 1
    assert "no readable Python files" in empty.stderr
    assert not output.exists()
