"""The language text: prose is compared by words and lines, and trees are refused."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Source, align_revisions, compare, measure, score
from codekin.languages import get_language, language_of_file, language_of_named_file, languages
from codekin.languages.text import TEXT
from codekin.represent.text.detection import detect_language

ORIGIN = (
    "The researchers, who had been working since 2014, discovered a novel method.\n"
    "It is noteworthy that the method utilizes sunlight.\nDr. Lee left."
)
SIMPLE = "The researchers found a new way.\nThe method uses sunlight.\nDr. Lee left."
CLOSE = "The researchers found a new method.\nThe method uses sunlight.\nDr. Lee left."
FAR = "The researchers, who had been working since 2014, discovered it.\nDr. Lee left."


def test_it_is_named_and_never_detected_or_searched_for():
    assert get_language("Text") is get_language("markdown") is TEXT
    assert TEXT not in languages()
    assert language_of_file("README.md") is None
    assert language_of_named_file("README.MD") is language_of_named_file("a.txt") is TEXT
    assert language_of_named_file("a.py").name == "python"
    with pytest.raises(CodekinError, match="cannot tell"):
        detect_language(ORIGIN)
    with pytest.raises(CodekinError, match=r"known: python, .*, text\)"):
        get_language("cobol")
    assert pickle.loads(pickle.dumps(TEXT)) is TEXT


def test_a_file_of_text_is_read_as_such(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("def f(x): return x\n")
    assert Source.from_file(path).language is TEXT
    assert Source.from_file(path, "python").language.name == "python"


@pytest.mark.parametrize("name", ["tsed", "codebleu", "ruby", "kin", "cssg"])
def test_measures_of_trees_say_that_they_do_not_suit_it(name):
    assert not measure(name).suits(TEXT)
    with pytest.raises(CodekinError, match="plain text"):
        measure(name).score("a b", "a c", language="text")
    assert name not in compare("a b", "a c", language="text")


def test_problems_and_graphs_of_prose():
    source = Source("(", "text")
    assert source.problems == ()
    with pytest.raises(CodekinError, match="plain text has no syntax tree"):
        _ = source.tree
    with pytest.raises(CodekinError, match="plain text has no syntax tree"):
        _ = source.first_tree
    with pytest.raises(CodekinError, match="no semantic graphs for plain text"):
        _ = source.flow_ir


@pytest.mark.parametrize("name", ["es", "es-line", "es-token", "sari", "diffbleu", "sanslcs"])
def test_a_better_simplification_scores_higher(name):
    one = measure(name)
    scores = [one.score(text, SIMPLE, ORIGIN, language="text").value for text in (CLOSE, FAR)]
    assert 1.0 > scores[0] > scores[1]
    assert one.score(SIMPLE, SIMPLE, ORIGIN, language="text").value == 1.0
    if name not in ("sari", "sanslcs"):
        assert one.score(ORIGIN, SIMPLE, ORIGIN, language="text").value == 0.0
    assert one.score(CLOSE, SIMPLE, ORIGIN, language="text").explain().summary


@pytest.mark.parametrize("name", ["es", "es-line", "es-token", "sari", "diffbleu"])
def test_a_correction_of_grammar_counts_what_it_corrects(name):
    origin = "He go to school every days.\nShe have two dog."
    fixed = "He goes to school every day.\nShe has two dogs."
    half = "He goes to school every day.\nShe have two dogs."
    wrong = "He go to schools every days.\nShe had two dog."
    one = measure(name)
    right, less = (one.score(t, fixed, origin, language="text").value for t in (half, wrong))
    assert 1.0 > right > less


def test_sari_on_words_is_that_of_other_packages():
    words = [" ".join(Source(text, "text").tokens.texts) for text in (CLOSE, SIMPLE, ORIGIN)]
    ours = measure("sari").score(CLOSE, SIMPLE, ORIGIN, language="text").value
    theirs = measure("sari", tokens="split").score(*words, language="text").value
    assert ours == pytest.approx(theirs, abs=1e-12)
    for package in ("evaluate", "easse", "xu"):
        assert 0 < measure("sari", compat=package).score(CLOSE, SIMPLE, ORIGIN).value < 1


def test_es_neither_parses_prose_nor_says_so():
    found = measure("es").score("if (", "if x", "x", language="text")
    assert {"same", "parses"}.isdisjoint(found.parts)
    assert found.signature.startswith("es|text|")


def test_a_document_of_one_line_is_compared_by_its_words():
    close, simple, origin, far = (t.replace("\n", " ") for t in (CLOSE, SIMPLE, ORIGIN, FAR))
    for name in ("es", "es-token", "sari"):
        scores = [
            measure(name).score(text, simple, origin, language="text").value
            for text in (simple, close, far, origin)
        ]
        assert scores[0] == 1.0 > scores[1] > scores[2] > scores[3] or name == "sari"
        assert scores[0] > scores[1] > scores[2]


def test_words_do_not_depend_on_lines():
    wrapped = CLOSE.replace(" ", "\n")
    for name in ("bleu", "rouge", "es-token"):
        assert measure(name).score(wrapped, CLOSE, ORIGIN, language="text").value == 1.0


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_scores_and_an_alignment(candidate, reference, origin):
    for found in compare(candidate, reference, origin=origin, language="text").values():
        assert found.measure.distance or 0 <= found.value <= 1
    for by in ("token", "line"):
        align_revisions(candidate, reference, origin=origin, language="text", by=by)


def test_words_and_lines_are_aligned():
    aligned = align_revisions(CLOSE, SIMPLE, origin=ORIGIN, language="text")
    assert aligned.unit == "word"
    aligned = align_revisions(CLOSE, SIMPLE, origin=ORIGIN, language="text", by="line")
    assert aligned.unit == "line"
    assert [len(units) for units in aligned.units] == [3, 3, 3]
    assert "only the" not in str(aligned).splitlines()[0]


def test_rows_of_text_are_scored(tmp_path):
    rows = [
        {"id": "1", "language": "text", "candidate": CLOSE, "reference": SIMPLE, "origin": ORIGIN},
        {"id": "2", "language": "text", "candidate": FAR, "reference": SIMPLE, "origin": ORIGIN},
    ]
    run = score(rows, ["es", "sari", "rouge", "tsed"], output=tmp_path / "run", workers=1)
    frame = run.to_pandas()
    assert frame["es"][0] > frame["es"][1]
    assert frame["tsed"].isna().all()


def test_files_of_text_on_the_command_line(tmp_path):
    from typer.testing import CliRunner

    from codekin.cli.app import app

    for name, text in (("a.txt", CLOSE), ("b.txt", SIMPLE), ("o.md", ORIGIN)):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    origin = ["--origin", str(tmp_path / "o.md"), "--format", "json"]
    done = CliRunner().invoke(app, ["compare", *files, *origin])
    document = json.loads(done.stdout)
    assert document["candidate"]["language"] == "text"
    done = CliRunner().invoke(app, ["align", *files, *origin, "--unit", "line"])
    document = json.loads(done.stdout)
    assert (document["unit"], document["origin"]["language"]) == ("line", "text")
