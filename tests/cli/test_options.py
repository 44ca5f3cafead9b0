"""Options mean the same in every command: how they are declared, read and completed."""

from __future__ import annotations

import json
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

from codekin import CodekinError, score
from codekin.cli.app import COMMANDS, app
from codekin.cli.corpus import COMMANDS as CORPUS
from codekin.cli.detect import COMMANDS as DETECT
from codekin.cli.evaluate import COMMANDS as EVALUATE
from codekin.cli.index import COMMANDS as INDEX
from codekin.cli.scoring_job import column_names
from codekin.measures import given_measures, split_words

GROUPS = {"corpus": CORPUS, "detect": DETECT, "evaluate": EVALUATE, "index": INDEX}
ENTRIES = {(one.name,): one for one in COMMANDS if one.name not in GROUPS} | {
    (group, one.name): one for group, table in GROUPS.items() for one in table
}
SUMMARIES = {words: one.summary for words, one in ENTRIES.items()}
WORDS = list(SUMMARIES)

OTHER_MEANINGS = {
    # What a ratio counts: there is no table whose lines a field could choose.
    ("corpus", "split", "--by"),
}
"""Options that mean something else in one command, with the reason."""


def function(words: tuple[str, ...]) -> Any:
    *groups, name = (word.replace("-", "_") for word in words)
    module = import_module(f".{ENTRIES[words].module or name}", ".".join(("codekin.cli", *groups)))
    return getattr(module, f"{name}_command")


def parameters(words: tuple[str, ...]) -> list[Any]:
    """The options and arguments of a command, as typer sees them."""
    group = typer.main.get_command(app)
    context = typer.Context(group)
    for word in words:
        _, command, _ = group.resolve_command(context, [word])
        group, context = command, typer.Context(command, parent=context, info_name=word)
    return list(command.params)


@pytest.mark.parametrize("words", WORDS)
def test_the_table_says_what_the_help_of_a_command_says(words) -> None:
    assert function(words).__doc__.splitlines()[0] == SUMMARIES[words]


@pytest.mark.parametrize("words", WORDS)
def test_every_command_has_an_example_with_options_that_exist(words) -> None:
    example = function(words).example.split()
    assert tuple(example[: len(words) + 1]) == ("codekin", *words)
    known = {name for one in parameters(words) for name in one.opts}
    assert {word for word in example if word.startswith("-")} <= known


def test_columns_may_be_repeated_but_not_contradict_each_other() -> None:
    said = ["candidate=a, id=", "reference=b"]
    assert column_names(said) == {"candidate": "a", "id": "", "reference": "b"}
    with pytest.raises(CodekinError, match=r"two columns for candidate; .*'candidate=a\|x y'"):
        column_names(["candidate=a", "candidate=x y"])
    with pytest.raises(CodekinError, match="cannot read 'candidate'"):
        column_names(["candidate"])


def test_an_option_means_the_same_everywhere() -> None:
    meant: dict[str, set[str]] = {}
    for words in WORDS:
        for one in parameters(words):
            for name in one.opts:
                if name.startswith("-") and (*words, name) not in OTHER_MEANINGS:
                    meant.setdefault(name, set()).add(one.help)
    for name in ("--by", "--groups", "--seed", "--format", "--cluster"):
        assert len(meant[name]) == 1, name
    assert all(len(one) > 10 for texts in meant.values() for one in texts)


@pytest.mark.parametrize("other", sorted(OTHER_MEANINGS))
def test_an_option_with_another_meaning_is_there(other) -> None:
    *words, option = other
    (found,) = (one for one in parameters(tuple(words)) if option in one.opts)
    (usual,) = (one for one in parameters(("summarize",)) if option in one.opts)
    assert found.help != usual.help


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["score", "a.jsonl", "-l", "python", "-l", "java"], "--language"),
        (["score", "a.jsonl", "--on", "id", "--on", "id"], "--on"),
        (["scan", ".", "--top", "3", "--top=4"], "--top"),
        (["evaluate", "outcomes", "a.jsonl", "--language", "c", "-l", "c"], "--language"),
    ],
)
def test_an_option_that_takes_one_value_refuses_a_second(command, words, option) -> None:
    done = command(*words)
    assert done.returncode == 2
    assert done.stderr == f"codekin: {option} is given twice; it takes one value\n"


def test_measures_are_separated_by_commas_or_repeated() -> None:
    assert split_words(["bleu,tsed", "ED"]) == ["bleu", "tsed", "ed"]
    assert split_words(["BLEU:order=2,smoothing=floor,Tsed, ed"]) == [
        "bleu:order=2,smoothing=floor", "tsed", "ed"
    ]  # fmt: skip
    assert split_words(["bleu:compat=nltk,weights=0.5,0.5,ed:unit=tokens,My.Own:overlap"]) == [
        "bleu:compat=nltk,weights=0.5,0.5", "ed:unit=tokens", "My.Own:overlap"
    ]  # fmt: skip
    assert split_words(["blue,tsed"]) == ["blue", "tsed"]
    assert split_words(["my.own:overlap,nes"]) == ["my.own:overlap", "nes"]
    assert given_measures(None) is None
    assert given_measures([]) == []
    with pytest.raises(CodekinError, match=r"unknown measure 'blue'; did you mean 'bleu'\?"):
        given_measures(["tsed,blue"])


def test_measures_of_a_list_are_those_of_a_repeated_option(cli, tmp_path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(f"{name[0]} = 1\n")
    words = ("compare", tmp_path / "a.py", tmp_path / "b.py", "--format", "json")
    listed = cli(*words, "-m", "BLEU:order=2,smoothing=floor,nes", "-m", "Ed")
    repeated = cli(*words, "-m", "bleu:order=2,smoothing=floor", "-m", "nes", "-m", "ed")
    assert listed.exit_code == 0, listed.output
    assert listed.stdout == repeated.stdout
    assert [one["measure"] for one in json.loads(listed.stdout)["scores"]] == ["bleu", "nes", "ed"]


@pytest.fixture
def run(tmp_path) -> Path:
    rows = [
        {"id": str(i), "language": "python", "candidate": f"x = {i}", "reference": "x = 1"}
        for i in range(6)
    ]
    return score(rows, ["nes"], output=tmp_path / "run", workers=0).path


def test_the_suffix_chooses_the_format(cli, run, tmp_path, monkeypatch) -> None:
    words = ("summarize", run)
    for suffix, form in (
        (".json", "json"),
        (".csv", "csv"),
        (".md", "markdown"),
        (".TEX", "latex"),
    ):
        path = tmp_path / f"result{suffix}"
        for _ in range(2):  # an earlier one is replaced
            done = cli(*words, "-o", path)
            assert (done.exit_code, done.stdout) == (0, f"Written: {path}\n")
        assert path.read_text("utf-8") == cli(*words, "--format", form).stdout
    path = tmp_path / "result.txt"
    monkeypatch.setenv("FORCE_COLOR", "1")
    cli(*words, "-o", path)
    monkeypatch.delenv("FORCE_COLOR")
    assert path.read_text("utf-8") == cli(*words).stdout


def test_a_format_overrides_the_suffix(cli, run, tmp_path) -> None:
    path = tmp_path / "result.data"
    cli("summarize", run, "-o", path, "--format", "JSON")
    assert json.loads(path.read_text())["rows"] == 6
    again = cli("summarize", run, "-o", path, "--format", "csv")
    assert "exists and is not a .csv file, so it is not replaced" in str(again.exception)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.png", "a.png: unknown suffix '.png' (known: .html, .htm, .json, .csv, .md, .tex"),
        ("a.svg", "a.svg: this command does not write svg (it writes: .html, .htm, .json, .csv"),
        ("a.jsn", "a.jsn: unknown suffix '.jsn'; did you mean 'a.json'? (known: .html"),
        ("a", "a: has no suffix to tell its format (known: .html"),
        (".", "is a folder; name a file"),
        ("no/a.csv", "no/a.csv: there is no folder no; make it, or name another"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(cli, tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    result = cli("summarize", "nowhere", "-o", name)
    assert isinstance(result.exception, CodekinError)
    assert said in str(result.exception)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sumarize"], "No such command 'sumarize'; did you mean 'summarize'? (see codekin -h)"),
        (["evaluate", "cards"], "did you mean 'card'? (see codekin evaluate -h)"),
        (["score", "--workrs", "2"], "--workrs; did you mean --workers? (see codekin score -h)"),
        (["score", "--colums", "a=b"], "--colums; did you mean --columns? (see codekin score -h)"),
        (["summarize", "x", "--format", "tex"], "did you mean 'latex'?"),
        (["graph", "x", "--stage", "semantc"], "did you mean 'semantic'?"),
        (["evaluate", "adequacy", "--criterion", "3x"], "unknown criterion '3x' (known: 1a, 1b"),
        (["evaluate", "adequacy", "--criterion", "3x"], "; did you mean '3'?"),
        (["evaluate", "adequacy", "-l", "pythn"], "did you mean 'python'?"),
    ],
)
def test_what_may_have_been_meant_is_said(command, words, said) -> None:
    done = command(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


FOLDERS = [
    *("score", "estimate", "plan", "evaluate triplets", "evaluate outcomes", "evaluate card"),
    *("corpus abstract", "corpus build", "corpus pairs", "corpus read", "corpus split"),
    *("corpus type", "detect benchmark", "detect train"),
]
"""The commands of which --output is a folder."""


def test_commands_that_write_folders() -> None:
    metavars = {
        " ".join(words): one.metavar
        for words in WORDS
        for one in parameters(words)
        if "-o" in one.opts
    }
    assert {name for name, metavar in metavars.items() if metavar != "FILE"} == set(FOLDERS)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((words, "card.html") for words in FOLDERS),
        *(("score", name) for name in ("a/x.json", "x.csv", "x.md", "x.tex", "x.SVG", "x.jsonl")),
    ],
)
def test_a_folder_is_not_called_like_a_file(cli, tmp_path, monkeypatch, words, name) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli(*words.split(), "-o", name)
    assert isinstance(done.exception, CodekinError)
    assert "name a folder, such as " + name.rpartition(".")[0] in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_how_to_write_a_file_about_a_run_is_said(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli("evaluate", "card", "-m", "jaccard", "-o", "card.html")
    assert str(done.exception) == (
        "card.html: --output is a folder here, and this is the name of a file; name a folder, such "
        "as card, and then: codekin report card -o card.html"
    )
    assert "codekin summarize 'my run' -o 'my run.csv'" in str(
        cli("score", "rows.jsonl", "-o", "my run.csv").exception
    )
    (tmp_path / "old.html").mkdir()
    assert "rows.jsonl: no such file" in str(cli("score", "rows.jsonl", "-o", "old.html").exception)


@pytest.mark.parametrize("words", WORDS)
def test_an_option_without_its_value_is_named(command, words) -> None:
    options = [
        name
        for one in parameters(words)
        for name in one.opts
        if name.startswith("-") and not getattr(one, "is_flag", False) and name != "--show"
    ]
    assert options or words in (("measures",), ("languages",)), words
    for option in options:
        done = command(*words, option)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), option
        assert done.stderr.startswith(f"codekin: {option} needs a value: {option} ")
        assert done.stderr.endswith(f"; see {' '.join(('codekin', *words))} -h\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", "--resume"], "--resume needs a value: --resume RUN; see codekin score -h"),
        (["scan", "homework", "--submissions"], "--submissions needs a value: --submissions "),
        (["compare", "-m"], "-m needs a value: -m NAME,...; see codekin compare -h"),
        (["measures", "--format"], "--format needs a value: --format table|json; see codekin"),
        (["score", "--strict=yes"], "--strict"),
    ],
)
def test_what_an_option_needs_is_said(command, words, said) -> None:
    done = command(*words)
    assert done.returncode == 2
    assert said in done.stderr


def test_fields_that_may_have_been_meant_are_said(cli, run) -> None:
    for words in (("summarize", run, "--by"), ("summarize", run, "--cluster")):
        assert "did you mean 'language'?" in str(cli(*words, "langage").exception)
    result = cli("compare-runs", run, run, "--on", "referense")
    assert "did you mean 'reference'?" in str(result.exception)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("compare-",), ["compare-runs"]),
        (("evaluate", "t"), ["triplets"]),
        (("compare", "-m", "crys"), ["crystalbleu"]),
        (("compare", "-m", "bleu,crys"), ["bleu,crystalbleu"]),
        (("graph", "-l", "java"), ["java", "javascript"]),
        (("summarize", "--format", "l"), ["latex"]),
        (("compare", "--exp"), ["--explain"]),
    ],
)
def test_shells_complete(command, monkeypatch, words, found) -> None:
    monkeypatch.setenv("_CODEKIN_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(("codekin", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    done = command()
    assert not done.stderr
    assert done.stdout.split() == found


@pytest.mark.parametrize("name", ["score", "plan", "compare-runs", "scan", "cluster"])
def test_paragraphs_of_the_help_fill_the_width(cli, monkeypatch, name) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = cli(name, "-h").stdout.split("╭─ Arguments")[0]
    for paragraph in re.split(r"\n *\n", text)[2:]:
        lines = [line.strip() for line in paragraph.strip().split("\n")]
        for line, following in pairwise(lines):
            assert len(f"{line} {following.split()[0]}") > 78
