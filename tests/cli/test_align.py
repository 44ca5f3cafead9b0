from __future__ import annotations

import copy
import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codekin import CodekinError

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "align"
ORIGIN, REFERENCE, CANDIDATE = (
    FOLDER / f"{name}.py" for name in ("origin", "reference", "candidate")
)


def edits(origin: Any, reference: Any, candidate: Any) -> list[Any]:
    """The words that name three texts."""
    return [candidate, reference, "--origin", origin]


EDITS = edits(ORIGIN, REFERENCE, CANDIDATE)
LOREM = edits(*(FOLDER / f"lorem{name}.txt" for name in ("", "-reference", "-candidate")))


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(resources.files("codekin").joinpath("data/align.schema.json").read_text())


def valid(document: Any, schema: Any) -> None:
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(document)
    # A key more or less would not pass, so that the schema says all there is.
    for key in document:
        less = copy.deepcopy(document)
        del less[key]
        assert not validator.is_valid(less)
    assert not validator.is_valid(document | {"more": 1})


def files(folder: Path, *texts: str | bytes, suffix: str = ".py") -> list[Path]:
    paths = []
    for name, text in zip("oab", texts, strict=True):
        path = folder / f"{name}{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(path)
    return paths


def test_wide_terminals_have_three_columns(cli) -> None:
    result = cli("align", *EDITS, width=160)
    assert result.exit_code == 0, result.output
    row = next(line for line in result.stdout.splitlines() if "range([=1=]" in line)
    origin, reference, candidate = row.split(" │ ")
    assert origin.split() == ["4", "for", "i", "in", "range([=1=][r-,-]", "len(values)):"]
    assert reference.split() == ["6", "for", "i", "in", "range(len(values)):"]
    assert candidate.split() == ["6", "for", "i", "in", "range({+0+},", "len(values)):"]
    assert max(map(len, result.stdout.splitlines())) <= 160


def test_narrow_terminals_have_one_below_the_other(cli) -> None:
    result = cli("align", *EDITS, width=80)
    told = result.stdout.splitlines()
    at = next(i for i, line in enumerate(told) if "[=1=]" in line)
    assert [line.split()[0] for line in told[at : at + 3]] == ["origin", "reference", "candidate"]
    assert max(map(len, told)) <= 80
    assert " │ " not in result.stdout


def test_colours_take_the_place_of_signs(cli, monkeypatch) -> None:
    plain = cli("align", *EDITS).stdout
    assert "{=" in plain and "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    coloured = cli("align", *EDITS).stdout
    assert "\x1b[" in coloured and "{=" not in coloured
    assert ";9;" in coloured.replace("[9;", "[;9;")  # struck through


def test_the_summary_and_the_scores_stand_above(cli) -> None:
    told = cli("align", *EDITS, width=200).stdout
    assert (
        "5 regions; 21 tokens changed: 9 alike, 0 only by the reference, 3 only by the candidate, "
        "9 differently; 108 kept"
    ) in told
    assert told.index("sari") < told.index("5 regions") < told.index("1 · lines 3 to 4")


@pytest.mark.parametrize("more", [[], ["--unit", "line"], ["--lcs", "threeway"], ["-l", "text"]])
def test_documents_are_valid(cli, schema, more) -> None:
    result = cli("align", *EDITS, "--format", "json", *more)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    valid(document, schema)
    assert document["unit"] == ("line" if "line" in more else "word" if "text" in more else "token")
    assert document["lcs"] == ("threeway" if "threeway" in more else "pairwise")
    assert document["candidate"]["bytes"] == CANDIDATE.stat().st_size
    texts = {p.stem: p.read_text() for p in (ORIGIN, REFERENCE, CANDIDATE)}
    for region in document["regions"]:
        for role, text in texts.items():
            for edit in region["edits"]:
                span, whole = edit[role], region[role]
                if span:
                    assert whole["start"] <= span["start"] <= span["end"] <= whole["end"]
                    assert text[: span["start"]].count("\n") + 1 == span["line"]
    first = document["regions"][0]["edits"][0]
    if document["unit"] == "token":
        assert (first["edit"], first["by"], first["origin"]) == ("insert", "both", None)


def test_the_example_of_the_paper(cli, schema) -> None:
    """Asked for is bar in place of anim; the candidate puts foo in place of veniam."""
    document = json.loads(cli("align", *LOREM, "--format", "json").stdout)
    valid(document, schema)
    assert document["unit"] == "word"
    assert document["origin"]["language"] == "text"
    assert [region["verdict"] for region in document["regions"]] == [
        "only the candidate replaces `veniam` by `foo`",
        "only the reference replaces `anim` by `bar`",
    ]
    told = cli("align", *LOREM).stdout
    assert "the texts are not code, so words are aligned" in told


def test_html_is_one_page(cli, tmp_path) -> None:
    printed = cli("align", *EDITS, "--format", "html").stdout
    path = tmp_path / "page.html"
    result = cli("align", *EDITS, "--format", "html", "-o", path)
    assert f"Written: {path}" in result.stdout
    assert path.read_text("utf-8") == printed
    assert cli("align", *LOREM, "--format", "html", "-o", path).exit_code == 0  # replaced
    assert "veniam" in path.read_text("utf-8")


def test_what_is_no_page_is_not_replaced(cli, tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n")
    result = cli("align", *LOREM, "--format", "html", "-o", path)
    assert "is not a page that codekin wrote, so it is not replaced" in str(result.exception)
    assert path.read_text() == "x = 1\n"
    assert "is a folder" in str(cli("align", *LOREM, "--format", "html", "-o", tmp_path).exception)
    said = str(cli("align", *LOREM, "-o", path).exception)
    assert "mine.py: unknown suffix '.py' (known: .html, .htm, .json, .txt; --format" in said


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("x = 1\n", "x = 1\n", "x = 1\n"), "all three texts are the same"),
        (("x = 1\n", "x = 2\n", "x = 2\n"), "the candidate is the reference"),
        (("x = 1\n", "x = 1\n", "x = 2\n"), "the reference is the origin"),
        (("x = 1\n", "x = 2\n", "x = 1\n"), "the candidate is the origin, untouched"),
        (("", "x = 2\n", "x = 1\n"), "the origin is empty"),
        (("x = 1\n", "", " \n"), "the candidate is empty"),
        (("", "", ""), "nothing differs; 0 tokens kept"),
        (("x\n", "x\n", "x  # y\n"), "nothing differs"),
    ],
)
def test_odd_texts_are_said_to_be(cli, tmp_path, schema, texts, told) -> None:
    paths = files(tmp_path, *texts)
    for width in (60, 140):
        result = cli("align", *edits(*paths), width=width)
        assert result.exit_code == 0, result.output
        assert told in result.stdout
    valid(json.loads(cli("align", *edits(*paths), "--format", "json").stdout), schema)
    assert cli("align", *edits(*paths), "--format", "html").exit_code == 0
    assert cli("align", *edits(*paths), "--unit", "line").exit_code == 0


@pytest.mark.parametrize("language", ["python", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "\x1b[31m\u202e",
        "'" * 50,
        "(" * 500,
        "\r\r\n\t",
        "é😀" * 30,
        "\x0c x\x0b y",
        "a" * 5000,
    ],
)
def test_garbage_is_shown_harmlessly(cli, tmp_path, language, text) -> None:
    paths = files(tmp_path, "x = 1\n", "\ufeff" + text, f"x = {text}\n", suffix=".none")
    for more in ([], ["--format", "json"], ["--format", "html"]):
        result = cli("align", *edits(*paths), "-l", language, *more)
        if result.exit_code == 0:
            assert not {"\x1b", "\u202e", "\x0b"} & set(result.stdout)
        else:
            assert isinstance(result.exception, CodekinError)
            assert "looks binary" in str(result.exception)


def test_errors_are_for_people(cli, tmp_path) -> None:
    def error(*words: Any) -> str:
        result = cli("align", *edits(*words[:3]), *words[3:])
        assert isinstance(result.exception, CodekinError)
        return str(result.exception)

    assert error(ORIGIN, tmp_path / "none.py", CANDIDATE).endswith("none.py: no such file")
    assert "is a folder" in error(ORIGIN, tmp_path, CANDIDATE)
    assert "only once" in error("-", "-", CANDIDATE)
    assert "unknown language" in error(ORIGIN, REFERENCE, CANDIDATE, "-l", "cobol")
    binary = files(tmp_path, "x", "x", b"\x00\x01\x02")[2]
    assert "looks binary" in error(ORIGIN, REFERENCE, binary)
    paths = files(tmp_path, *(" ".join(words * 300) for words in ("abc", "cab", "bca")))
    too_long = error(*paths, "--lcs", "threeway")
    assert too_long.endswith("steps; --lcs threeway is for short texts; leave --lcs out")


def test_stdin_has_the_language_of_the_others(cli) -> None:
    text = CANDIDATE.read_text("utf-8")
    words = ("align", "-", REFERENCE, "--origin", ORIGIN, "--format", "json")
    document = json.loads(cli(*words, stdin=text).stdout)
    assert document["candidate"]["path"] == "<stdin>"
    assert document["candidate"]["language"] == "python"
    assert document["summary"]["regions"] == 5


def test_files_without_a_suffix_are_read_by_their_content(cli, tmp_path) -> None:
    texts = (path.read_text("utf-8") for path in (ORIGIN, REFERENCE, CANDIDATE))
    paths = files(tmp_path, *texts, suffix="")
    document = json.loads(cli("align", *edits(*paths), "--format", "json").stdout)
    assert document["origin"]["language"] == "python"


def test_texts_that_would_take_minutes_are_refused(cli, tmp_path):
    long = tmp_path / "long.py"
    long.write_text("x = 1\n" * 60_000)
    result = cli("align", *edits(*[str(long)] * 3))
    assert "has 360,000 bytes; more than 300,000 may take minutes" in str(result.exception)
    assert "codekin.align_revisions takes longer texts" in str(result.exception)
    long.write_text("x = 1\n" * 100)
    assert cli("align", *edits(*[str(long)] * 3)).exit_code == 0


def test_the_origin_is_an_option(command) -> None:
    done = command("align", "c.py", "r.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "codekin align CANDIDATE REFERENCE --origin ORIGIN" in done.stderr
    done = command("align", "c.py", "my reference.py", "o.py")
    assert done.stderr == (
        "codekin: 3 files are given, but align takes two and their origin: codekin align CANDIDATE "
        "REFERENCE --origin ORIGIN\n"
    )
