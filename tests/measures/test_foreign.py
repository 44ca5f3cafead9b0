"""Measures of other packages: what is called, with what, and what is said where it fails."""

import functools
import pickle
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from types import SimpleNamespace

import pytest

import codekin
from codekin import CodekinError, Source, measure
from codekin.measures import adopt_measure, measure_label, parse_measure, registry
from codekin.measures.foreign import load_measure
from codekin.runs.scoring import arguments_of

MODULE = '''
"""Measures for a test."""
import functools
from types import SimpleNamespace

import codekin


def first(candidate, reference):
    """Whether the first characters agree.

    And more that is not the first line.
    """
    return candidate[:1] == reference[:1]


class Apart:
    distance = True
    summary = "how far lengths are apart"

    def score(self, candidate, reference):
        return abs(len(candidate) - len(reference))


class Revised:
    def score(self, candidate, reference, origin, language="none"):
        if origin == reference:
            return SimpleNamespace(value=0.5, parts={"same": 1}, bounds=(0.25, 0.75))
        return float(language == "python" and candidate != origin)


class Mine(codekin.Measure):
    name = "mine"
    summary = "mine"

    def _pair(self, candidate, reference):
        return codekin.Score(self, 0.25, {}, candidate, reference)


class Needy:
    def __init__(self, threshold):
        self.threshold = threshold


def start(candidate, reference, length):
    return candidate[:length] == reference[:length]


nearly = functools.partial(start, length=2)
apart = Apart()
mine = Mine()
bleu2 = codekin.measure("bleu", order=2)
words = lambda a, b: "many"
half = lambda a, b: "0.5"
nothing = 3
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "judges.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "judges"
    sys.modules.pop("judges", None)


def test_a_function_a_class_and_an_instance_are_measures(module):
    function = parse_measure("judges:first")
    assert function.score("x = 1", "x = 2", language="python").value == 1.0
    assert function.summary == "Whether the first characters agree"
    for word in ("judges:Apart", "judges:apart"):
        one = parse_measure(word)
        assert one.distance
        assert one.summary == "how far lengths are apart"
        assert one.score("abc", "a", language="python").value == 2.0
        assert measure_label(one) == word
        assert one.signature().startswith(f"{word}|code:")


def test_the_origin_and_the_language_are_given_to_who_takes_them(module):
    one = parse_measure("judges:Revised")
    assert one.needs_origin
    assert not one.distance
    assert one.score("b", "c", "a", language="python").value == 1.0
    assert one.score("a", "c", "a", language="python").value == 0.0
    score = one.score("b", "a", "a", language="python")
    assert (score.value, score.parts, score.bounds) == (0.5, {"same": 1}, (0.25, 0.75))
    best = one.score("b", origin="a", references=["a", "c"], language="python")
    assert best.value == 1.0
    assert not parse_measure("judges:first").needs_origin
    with pytest.raises(CodekinError, match="origin"):
        one.score("b", "c", language="python")


def test_whatever_can_be_called_is_a_measure(module):
    partial = parse_measure("judges:nearly")
    assert partial.score("abcd", "abcx", language="python").value == 1.0
    assert partial.score("axcd", "abcx", language="python").value == 0.0
    assert pickle.loads(pickle.dumps(adopt_measure(partial.made))).name == "partial"


def test_of_several_references_the_best_counts(module):
    one = parse_measure("judges:apart")
    assert one.score("abc", references=["a", "abcd"], language="python").value == 1.0


def test_measures_of_codekins_own_kind_are_taken_as_they_are(module):
    mine = parse_measure("judges:mine")
    assert mine.name == "mine"
    assert measure_label(mine) == "judges:mine"
    assert measure_label(parse_measure("judges:Mine")) == "judges:Mine"
    assert parse_measure("judges:bleu2").order == 2


def test_they_explain_what_they_can(module):
    explanation = parse_measure("judges:first").score("x = 1", "x = 2", language="python").explain()
    assert "does not explain itself" in explanation.summary
    assert explanation.candidate


def test_they_travel_to_other_processes(module):
    for word in ("judges:first", "judges:Apart", "judges:mine"):
        one = pickle.loads(pickle.dumps(parse_measure(word)))
        assert measure_label(one) == word
    apart = sys.modules["judges"].Apart()
    again = pickle.loads(pickle.dumps(adopt_measure(apart)))
    assert again.name == "Apart"
    assert again.score("abc", "a", language="python").value == 2.0


def test_a_run_is_scored_in_processes_and_opens_again(module, tmp_path):
    rows = [{"candidate": "ab", "reference": "a", "language": "python"}] * 3
    run = codekin.score(rows, ["judges:apart", "judges:first"], output=tmp_path / "run", workers=2)
    assert run.values("judges:apart").tolist() == [1.0] * 3
    assert codekin.Run(tmp_path / "run").measures[0].measure is None
    named = [parse_measure("judges:apart")]
    assert codekin.Run(tmp_path / "run", named).measures[0].measure is named[0]
    with pytest.raises(CodekinError, match="code"):
        (tmp_path / "judges.py").write_text(MODULE + "\n# another version\n")
        codekin.score(
            rows,
            ["judges:apart", "judges:first"],
            output=tmp_path / "run",
            resume=True,
            workers=0,
        )


def test_objects_are_taken_from_python_too(module):
    load_measure("judges:first")
    run = codekin.score(
        [{"candidate": "ab", "reference": "a", "language": "python"}],
        [sys.modules["judges"].Apart(), "nes"],
        workers=0,
    )
    assert [one.label for one in run.measures] == ["Apart", "nes"]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("judges:nothing", "has no 'score'"),
        ("judges:absent", "judges has no 'absent'"),
        ("judges:Needy", "cannot be created without arguments"),
        ("nowhere.to_be:found", "cannot import 'nowhere.to_be'"),
        ("judges.py:first", "write judges:first"),
        ("blue:order=2", "did you mean 'bleu'"),
    ],
)
def test_what_is_wrong_is_said(module, word, said):
    with pytest.raises(CodekinError, match=said):
        parse_measure(word)


def test_an_answer_that_is_no_number_fails_the_row(module):
    with pytest.raises(CodekinError, match="a score is a number"):
        parse_measure("judges:words").score("a", "b", language="python")
    with pytest.raises(CodekinError, match=r"gave str '0\.5'; a score is a number"):
        parse_measure("judges:half").score("a", "b", language="python")
    with pytest.raises(CodekinError, match="one of your own with a 'score'"):
        codekin.score([{"candidate": "a", "reference": "b"}], [3], workers=0)


def test_an_entry_point_may_be_any_of_these(module, monkeypatch):
    entries = [
        metadata.EntryPoint("starts", "judges:first", "codekin.measures"),
        metadata.EntryPoint("unlike", "judges:Apart", "codekin.measures"),
        metadata.EntryPoint("mine", "judges:Mine", "codekin.measures"),
    ]
    monkeypatch.syspath_prepend(".")
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
    registry._every_class.cache_clear()
    try:
        assert measure("starts").score("ab", "a", language="python").value == 1.0
        assert measure("unlike").score(Source("ab", "c"), Source("a", "c")).value == 1.0
        assert measure("mine").score("ab", "a", language="python").value == 0.25
        again = pickle.loads(pickle.dumps(measure("starts")))
        assert measure_label(again) == "starts"
    finally:
        registry._every_class.cache_clear()


def test_the_command_line_finds_modules_of_the_current_folder(module, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "codekin", "compare", "a.py", "a.py", "-m", "judges:first"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "judges:first" in done.stdout


class Verbs:
    """As RapidFuzz has them: one object, several verbs."""

    def score(self, candidate, reference):
        return float(candidate == reference)

    def distance(self, candidate, reference):
        return 1 - self.score(candidate, reference)

    def needs_origin(self):
        return False


@functools.lru_cache
def remembered(candidate, reference):
    """One that remembers."""
    return float(candidate == reference)


def test_a_method_called_distance_does_not_turn_scores_around():
    adopted = adopt_measure(Verbs())
    assert (adopted.distance, adopted.needs_origin) == (False, False)


def test_wrapped_and_bound_functions_go_by_their_own_name_and_file():
    here = adopt_measure(Verbs())
    assert here.code != "unknown"
    wrapped, bound = adopt_measure(remembered), adopt_measure(Verbs().score)
    assert (wrapped.name, wrapped.summary, wrapped.code) == (
        "remembered",
        "One that remembers",
        here.code,
    )
    assert (bound.name, bound.code) == ("Verbs.score", here.code)
    assert pickle.loads(pickle.dumps(bound)).score("a", "a", language="python").value == 1


def test_one_object_alone_need_not_stand_in_a_list():
    rows = [{"candidate": "x", "reference": "x", "language": "python"}]
    assert codekin.score(rows, Verbs(), workers=0).measures[0].label == "Verbs"
    with pytest.raises(CodekinError, match="a measure is a name"):
        codekin.score(rows, 3, workers=0)


def test_one_that_wants_to_end_the_process_fails_its_row():
    def leave(candidate, reference):
        sys.exit(3)

    rows = [{"candidate": "x", "reference": "x", "language": "python"}]
    run = codekin.score(rows, [leave, "exact"], workers=0)
    assert run.values("exact").tolist() == [1.0]


def test_a_module_or_class_that_fails_is_named(tmp_path, monkeypatch):
    (tmp_path / "leaves_at_once.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "lacks_a_file.py").write_text(
        "class Model:\n"
        "    def __init__(self):\n"
        "        open('/no/such/model')\n"
        "    def score(self, a, b):\n"
        "        return 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CodekinError, match=r"leaves_at_once:x: cannot import .*SystemExit"):
        load_measure("leaves_at_once:x")
    with pytest.raises(CodekinError, match=r"lacks_a_file:Model: .*FileNotFoundError"):
        load_measure("lacks_a_file:Model")


def test_a_run_whose_measure_was_changed_says_so(tmp_path, monkeypatch):
    (tmp_path / "changing.py").write_text("def same(a, b):\n    return a == b\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"candidate": "x", "reference": "x", "language": "python"}\n')
    codekin.score(str(rows), "changing:same", output=tmp_path / "run", workers=0)
    named = [load_measure("changing:same")]
    assert arguments_of(tmp_path / "run", measures=named)["measures"] == named
    (tmp_path / "changing.py").write_text("def same(a, b):\n    return a != b\n")
    named = [load_measure("changing:same")]
    with pytest.raises(
        CodekinError, match="changing:same is no longer what the run was scored with"
    ):
        arguments_of(tmp_path / "run", measures=named)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("bleu", "judges:Apart", "its measure 'bleu' has the name of another measure"),
        ("gone", "no_such_module:x", r"its measure 'gone' .* cannot be loaded \(ModuleNotFound"),
    ],
)
def test_an_entry_point_that_is_wrong_is_named(module, monkeypatch, name, value, said):
    entry = metadata.EntryPoint(name, value, "codekin.measures")
    monkeypatch.syspath_prepend(".")
    monkeypatch.setattr(metadata, "entry_points", lambda group: (entry,))
    registry._every_class.cache_clear()
    try:
        with pytest.raises(CodekinError, match=said):
            measure("bleu")
    finally:
        registry._every_class.cache_clear()


def test_a_verb_without_a_hash_is_called_too():
    @dataclass
    class Verb:
        def __call__(self, candidate, reference, *, language):
            return float(language == "python")

    judge = SimpleNamespace(score=Verb())
    assert adopt_measure(judge).score("a", "b", language="python").value == 1.0
