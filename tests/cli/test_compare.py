from __future__ import annotations

import json
import os
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from rich.cells import cell_len

from codekin import CodekinError, Source, compare, measure, measure_names
from codekin.languages import languages
from codekin.measures import parse_measure

SAMPLES = Path(__file__).parents[1] / "languages" / "samples"
SCHEMA = json.loads(resources.files("codekin").joinpath("data/compare.schema.json").read_text())
ONE = "def double(x):\n    return x * 2\n"
TWO = "def twice(y):\n    return y + y\n"


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.py"
    path.write_text(ONE)
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.py"
    path.write_text(TWO)
    return path


def document(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    loaded: dict[str, Any] = json.loads(result.stdout, parse_constant=pytest.fail)
    jsonschema.validate(loaded, SCHEMA, jsonschema.Draft202012Validator)
    return loaded


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_refuses(cli, one, two) -> None:
    good = document(cli("compare", one, two, "--format", "json", "--explain"))
    broken = [
        good | {"date": "today"},
        good | {"references": []},
        good | {"scores": [good["scores"][0] | {"value": 1.5, "distance": False}]},
        good | {"scores": [{k: v for k, v in good["scores"][0].items() if k != "signature"}]},
    ]
    for wrong in broken:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA, jsonschema.Draft202012Validator)


def test_table_names_every_measure(cli, one, two) -> None:
    result = cli("compare", one, two)
    assert result.exit_code == 0
    assert "one.py (Python, 32 bytes) against" in result.stdout.replace("\n", "")
    for name in measure_names():
        if not measure(name).needs_origin:
            assert re.search(rf"^{name} +\d", result.stdout, re.M), name
            assert re.search(rf"^{name}\|.*codekin-", result.stdout, re.M), name
    assert re.search(r"^ed +\d+ distance", result.stdout, re.M)


def test_table_and_json_agree(cli, one, two) -> None:
    found = document(cli("compare", one, two, "-m", "bleu", "--format", "json"))
    score = measure("bleu").score(ONE, TWO, language="python")
    (shown,) = found["scores"]
    assert shown["value"] == score.value
    assert shown["parts"] == dict(score.parts)
    assert shown["signature"] == score.signature
    assert f"{score.value:.4f}" in cli("compare", one, two, "-m", "bleu").stdout


def test_json_of_all_measures_with_explanations(cli, one, two) -> None:
    found = document(cli("compare", one, two, "--format", "json", "--explain"))
    assert found["candidate"] == {
        "path": str(one),
        "language": "python",
        "bytes": len(ONE),
        "problems": [],
    }
    for score in found["scores"]:
        for role, text in (("candidate", ONE), ("reference", TWO)):
            last = 0
            for span in score["explanation"]["spans"][role]:
                assert last <= span["start"] < span["end"] <= len(text)
                last = span["end"]


def test_explanations_only_when_asked(cli, one, two) -> None:
    assert "explanation" not in document(cli("compare", one, two, "--format", "json"))["scores"][0]


def test_several_references(cli, one, two) -> None:
    found = document(
        cli("compare", one, two, "-r", one, "-m", "nes", "--format", "json", "--explain")
    )
    assert [reference["path"] for reference in found["references"]] == [str(two), str(one)]
    assert found["scores"][0]["value"] == 1
    assert found["scores"][0]["explanation"]["reference"] == 1


def test_expanded_texts_come_with_their_spans(cli, tmp_path) -> None:
    path = tmp_path / "loop.cpp"
    path.write_text("#define BEGIN {\n#define END }\nint main() BEGIN return 0; END\n")
    found = document(cli("compare", path, path, "-m", "tsed", "--format", "json", "--explain"))
    why = found["scores"][0]["explanation"]
    assert "BEGIN" not in why["texts"]["candidate"]
    assert max(s["end"] for s in why["spans"]["candidate"]) <= len(why["texts"]["candidate"])


@pytest.mark.parametrize("language", [one.name for one in languages()])
def test_every_language(cli, language) -> None:
    sample = next(SAMPLES.glob(f"{language}.*"))
    found = document(cli("compare", sample, sample, "--format", "json"))
    assert found["candidate"]["language"] == language
    assert {s["measure"]: s["value"] for s in found["scores"]} == {
        s["measure"]: 0.0 if s["distance"] else 1.0 for s in found["scores"]
    }


def test_stdin_takes_its_language_from_the_text(cli, two) -> None:
    result = cli("compare", "-", two, "-m", "nes", "--format", "json", stdin=ONE)
    found = document(result)
    assert found["candidate"]["path"] == "<stdin>"
    assert found["candidate"]["language"] == "python"


def test_language_option_rules(cli, one, two) -> None:
    found = document(cli("compare", one, two, "-l", "Ruby", "--format", "json"))
    assert found["candidate"]["language"] == found["references"][0]["language"] == "ruby"


def test_different_languages_are_said(cli, one, tmp_path) -> None:
    other = tmp_path / "Twice.java"
    other.write_text("class Twice { int twice(int y) { return y + y; } }")
    assert "the languages differ" in cli("compare", one, other).stdout
    assert "the languages differ" not in cli("compare", one, one).stdout


def test_problems_are_noted(cli, one, tmp_path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1\ny = (\n")
    result = cli("compare", broken, one, "-m", "nes")
    assert result.exit_code == 0
    assert "did not parse, first at 2:5: '(' is never closed" in result.stdout
    found = document(cli("compare", broken, one, "-m", "nes", "--format", "json"))
    assert found["candidate"]["problems"][0]["line"] == 2


def test_the_language_that_a_text_parses_in_is_noted(cli, one) -> None:
    words = ("compare", one, one, "-m", "nes", "-l")
    assert "the text parses as python" in " ".join(cli(*words, "java").stdout.split())
    assert "parses as" not in cli(*words, "python").stdout
    graph = " ".join(cli("graph", one, "-l", "java").stderr.split())
    assert "opaque operation" in graph
    assert graph.endswith("; the text parses as python")


def test_a_path_is_no_code(one) -> None:
    found = compare(str(one), "x = 1", language="python", measures="nes")
    assert found.notes()[0].startswith("the candidate is the path of a file, and is compared as it")
    found = compare("x", Source.from_file(one), language="python", measures="nes")
    assert "path" not in str(found)
    with pytest.raises(CodekinError, match=r"Source\.from_file"):
        compare(one, "x", language="python", measures="nes")


@pytest.mark.parametrize("texts", [("", ONE), (ONE, ""), ("", ""), ("\n \n", ONE)])
def test_empty_files_have_scores(cli, tmp_path, texts) -> None:
    paths = []
    for name, text in zip(("a.py", "b.py"), texts, strict=True):
        (tmp_path / name).write_text(text)
        paths.append(tmp_path / name)
    result = cli("compare", *paths, "--explain")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        f"codekin: {path}: {'has only white space' if text else 'is empty'}"
        for path, text in zip(paths, texts, strict=True)
        if not text.strip()
    ]
    found = document(cli("compare", *paths, "--format", "json", "--explain"))
    equal = texts[0] == texts[1]
    nes = next(s for s in found["scores"] if s["measure"] == "nes")
    assert nes["value"] == 1 if equal else nes["value"] < 0.1


def test_an_empty_text_takes_the_language_of_the_other(cli, two) -> None:
    found = document(cli("compare", "-", two, "--format", "json", stdin=""))
    assert found["candidate"]["language"] == "python"


class TestErrors:
    """One line on stderr, exit code 2, no traceback: once in a real process."""

    def check(self, done: Any, message: str) -> None:
        assert done.returncode == 2
        assert done.stdout == ""
        assert re.fullmatch(rf"codekin: .*{message}.*\n", done.stderr), done.stderr

    def test_missing(self, process, one) -> None:
        self.check(process("compare", one, "nowhere.py"), "nowhere.py: no such file")

    def test_folder(self, command, one, tmp_path) -> None:
        self.check(command("compare", tmp_path, one), "is a folder")

    def test_binary(self, command, one, tmp_path) -> None:
        (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\0\0")
        self.check(command("compare", "binary.py", one), "binary.py: looks binary")

    def test_binary_stdin(self, command, one) -> None:
        self.check(command("compare", "-", one, stdin=b"\0\0"), "<stdin>: looks binary")

    def test_unknown_language(self, command, one) -> None:
        self.check(command("compare", one, one, "-l", "klingon"), "unknown language 'klingon'")

    def test_prose_has_no_language(self, command, one, tmp_path) -> None:
        (tmp_path / "letter").write_text("Hello there, this is a letter;\n(and no code).")
        self.check(command("compare", "letter", one), "letter: cannot tell .* --language")

    def test_stdin_twice(self, command) -> None:
        self.check(command("compare", "-", "-"), "stdin .* only once")

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
    def test_unreadable(self, command, one) -> None:
        one.chmod(0)
        self.check(command("compare", one, one), "Permission denied")

    def test_unknown_measure(self, command, one) -> None:
        self.check(command("compare", one, one, "-m", "blue"), "did you mean 'bleu'")

    def test_unknown_parameter(self, command, one) -> None:
        self.check(command("compare", one, one, "-m", "bleu:ordr=2"), "known: order")


def test_nasty_text_reaches_no_terminal(process, tmp_path) -> None:
    (tmp_path / "nasty.py").write_bytes(b'x = "\x1b[31m\xe2\x80\xae\x07"\r\n')
    done = process("compare", "nasty.py", "nasty.py", "--explain")
    assert done.returncode == 0
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", done.stdout)
    assert "␛[31m<U+202E>␇" in done.stdout


def test_color(cli, one, two, monkeypatch) -> None:
    assert "\x1b[" not in cli("compare", one, two, "--explain").stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert ";48;" in cli("compare", one, two, "--explain").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert ";48;" not in cli("compare", one, two, "--explain").stdout


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_explanations_fit_any_width(cli, tmp_path, width) -> None:
    path = tmp_path / "wide.py"
    path.write_text("\tx = '漢字漢字漢字' + " + "y" * 300 + "\n")
    result = cli("compare", path, path, "-m", "nes", "-e", width=width)
    side = [line for line in result.stdout.splitlines() if "…" in line]
    assert side
    assert all(cell_len(line) <= width for line in side)


def test_the_same_measure_twice(cli, one, two) -> None:
    result = cli("compare", one, two, "-m", "nes", "-m", "nes:unit=tokens")
    assert re.search(r"^nes +0", result.stdout, re.M)
    assert re.search(r"^nes:unit=tokens +0", result.stdout, re.M)


def test_forms_of_one_measure_all_appear(cli, one, two) -> None:
    words = ("bleu", "bleu:order=2", "bleu:compat=sacrebleu")
    asked = [word for name in words for word in ("-m", name)]
    shown = cli("compare", one, two, *asked, "--explain").stdout
    for word in words:
        assert len(re.findall(rf"^{word} +[01]\.", shown, re.M)) == 2  # table and explanation
    found = document(cli("compare", one, two, *asked, "--format", "json"))
    assert [s["measure"] for s in found["scores"]] == ["bleu"] * 3
    assert [s["signature"] for s in found["scores"]] == [
        parse_measure(word).score(ONE, TWO, language="python").signature for word in words
    ]


def test_a_measure_given_twice_is_numbered(cli, one, two) -> None:
    shown = cli("compare", one, two, "-m", "nes", "-m", "nes").stdout
    assert re.search(r"^nes +0", shown, re.M)
    assert re.search(r"^nes 2 +0", shown, re.M)


def test_a_third_file_is_told_where_it_belongs(cli, command, one, two) -> None:
    said = str(cli("compare", one, two, one).exception)
    assert said.startswith("3 files are given, but compare takes two")
    assert "--origin FILE" in said
    assert "codekin align CANDIDATE REFERENCE --origin ORIGIN" in said
    done = command("compare", one, two, "--wrong")
    assert (done.returncode, "No such option: --wrong" in done.stderr) == (2, True)


@pytest.mark.parametrize("more", [(), ("-m", "cssg")])
def test_pages_and_pictures_refuse_an_origin(cli, one, two, more) -> None:
    done = cli("compare", one, two, "--origin", one, *more, "-o", "graphs.html")
    assert isinstance(done.exception, CodekinError)
    assert "takes no --origin" in str(done.exception)
    assert "codekin align CANDIDATE REFERENCE --origin" in str(done.exception)


def test_json_survives_what_has_no_encoding(cli, tmp_path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes(b"x = '\xe9\xff'\n")
    found = document(cli("compare", path, path, "--format", "json", "--explain"))
    assert found["candidate"]["bytes"] == 9


def test_a_text_in_another_encoding_is_named(cli, tmp_path) -> None:
    for name, text in (("latin.py", b"x = '\xe9'\n"), ("wide.py", "x = 'é'\n".encode("utf-16"))):
        (tmp_path / name).write_bytes(text)
    result = cli("compare", tmp_path / "latin.py", tmp_path / "wide.py", "-m", "nes")
    assert (result.exit_code, "1.0000" in result.stdout) == (0, True)
    where = tmp_path / "latin.py"
    assert result.stderr == f"codekin: {where}: is not UTF-8, so it is read as Latin-1\n"


def test_the_documented_example_fits_the_schema() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"## compare\n.*?```json\n(.*?)```", page, re.S)
    jsonschema.validate(json.loads(example), SCHEMA, jsonschema.Draft202012Validator)


def test_texts_that_would_take_minutes_are_not_explained(cli, tmp_path):
    long = tmp_path / "long.py"
    long.write_text("x = 1\n" * 40_000)
    assert cli("compare", str(long), str(long), "-m", "exact").exit_code == 0
    result = cli("compare", str(long), str(long), "-m", "exact", "--explain")
    assert "has 240,000 bytes; texts of more than 200,000 are not explained" in str(
        result.exception
    )


def test_megabytes_on_one_line_have_bounds(cli, tmp_path):
    for name, unit in (("a", "x = f(y, 1); "), ("b", "f(a, b); ")):
        (tmp_path / f"{name}.js").write_text(unit * (1_100_000 // len(unit)))
    files = [str(tmp_path / f"{name}.js") for name in "ab"]
    measures = [word for name in ("nes", "tsed", "kin") for word in ("-m", name)]
    result = cli("compare", *files, *measures, "--format", "json")
    document = json.loads(result.stdout)
    assert not any(score["exact"] for score in document["scores"])
    assert all(score["bounds"][0] <= score["value"] for score in document["scores"])
    problems = document["candidate"]["problems"]
    assert problems[0]["message"].startswith("stopped parsing")
