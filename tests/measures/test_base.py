import pickle

import pytest

from codekin import CodekinError, Source, compare, measure
from codekin.measures import measure_classes

FORMS = [
    (name, compat)
    for name, forms in measure_classes().items()
    for compat, cls in forms.items()
    if not cls.needs_origin
]
NAMES = [name for name, compat in FORMS if compat is None]
JAVA = "int f(int a) { return a; }"
ORIGIN = "int f() { }"  # only measures that need one look at it


@pytest.mark.parametrize("name", [n for n in NAMES if n != "ed"])
def test_several_references_are_explained_by_the_likest(name):
    references = ["class A { }", JAVA]
    score = measure(name).score(JAVA, origin=ORIGIN, references=references, language="java")
    assert score.pair[1].text == JAVA
    assert score.explain().reference_text == JAVA
    if score.measure.joins == "best":
        assert score.value == 1.0


def test_the_signature_tells_of_several_references():
    score = measure("bleu").score(JAVA, references=[JAVA, "class A { }"], language="java")
    assert "|references:2|" in score.signature
    assert "references" not in measure("bleu").score(JAVA, JAVA, language="java").signature


def test_the_signature_keeps_every_digit():
    third = measure("codebleu", weights=[1 / 3, 1 / 3, 1 / 3, 0])
    assert f"weights:{1 / 3!r}," in third.score(JAVA, JAVA, language="java").signature


@pytest.mark.parametrize(("name", "compat"), FORMS)
def test_sources_scores_and_measures_can_be_pickled(name, compat):
    one = measure(name, compat=compat)
    texts = JAVA, "int g() { return 1; }", ORIGIN
    score = one.score(*(Source(text, "java") for text in texts))
    again = pickle.loads(pickle.dumps(score))
    assert again.value == score.value
    assert again.signature == score.signature
    assert again.measure == one


def test_lists_are_asked_for_where_lists_are_meant():
    with pytest.raises(CodekinError, match="must be a list"):
        compare("x = 1", references="x = 1")
    with pytest.raises(CodekinError, match="not both"):
        compare("x = 1", "x = 2", references=["x = 3"])
    with pytest.raises(CodekinError, match="must be a list"):
        measure("bleu").corpus_score(["x = 1"], ["x = 1"], language="python")
    with pytest.raises(CodekinError, match="at least one text"):
        measure("bleu").corpus_score(["x = 1"], [[]], language="python")
    assert list(compare("x = 1", "x = 1", measures="nes")) == ["nes"]


def test_no_score_is_lost():
    sets = [measure("crystalbleu", trivial=[(word,)]) for word in "abc"]
    result = compare("f(a)", "f(b)", language="python", measures=["bleu", *sets])
    assert list(result) == ["bleu", "crystalbleu", "crystalbleu 2", "crystalbleu 3"]


def test_texts_of_one_call_are_of_one_language():
    other = "int f(int a) { std::vector<int> v; v.push_back(a); return a; }"
    result = compare("int f(int a) { return a; }", other)
    assert result.candidate.language is result.references[0].language
    assert result.candidate.language.name == "cpp"
    beside = measure("tsed").score(Source(JAVA, "java"), "int g(int b) { return b; }")
    assert beside.pair[1].language.name == "java"


def test_blank_texts_need_no_language():
    for name in NAMES:
        one = measure(name)
        blank, half = ("", " \n", ORIGIN), ("", JAVA, ORIGIN)
        assert one.score(*blank).value == one.score(*blank, language="go").value
        assert one.score(*half).value == one.score(*half, language="java").value


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tsed", {"steps": -1}),
        ("tsed", {"steps": 10**20}),
        ("tsed", {"delete": 1e200}),
        ("tsed", {"insert": float("nan")}),
        ("bleu", {"order": "4"}),
        ("bleu", {"order": 2.5}),
        ("bleu", {"order": 0}),
        ("bleu", {"tokens": "foo"}),
        ("bleu", {"effective_order": "yes"}),
        ("bleu", {"compat": "sacrebleu", "max_ngram_order": 0}),
        ("bleu", {"compat": "sacrebleu", "tokenize": "code"}),
        ("bleu", {"compat": "nltk", "smoothing": "method4", "k": 0}),
        ("bleu", {"compat": "nltk", "weights": (-1, 0.5)}),
        ("bleu", {"compat": "nltk", "weights": (0.1,) * 70}),
        ("jaccard", {"compat": "textdistance", "qval": 0}),
        ("jaccard", {"n": 0}),
        ("chrf", {"beta": float("nan")}),
        ("chrf", {"beta": 1e200}),
        ("crystalbleu", {"compat": "crystalbleu", "weights": (0.1,) * 9}),
        ("nes", {"unit": 3}),
    ],
)
def test_parameters_out_of_range_are_refused_at_once(name, parameters):
    with pytest.raises(CodekinError, match=f"{name}: "):
        measure(name, **parameters)


def test_a_kernel_that_raises_becomes_one_readable_error():
    class Breaking(type(measure("exact"))):
        def _pair(self, candidate, reference):
            raise ValueError("no luck")

    with pytest.raises(CodekinError, match="cannot score the texts: no luck"):
        Breaking().score("a", "b")


def test_a_measure_that_a_comparison_lacks_is_named() -> None:
    result = compare("x = 1", "x = 2", measures=["bleu", "nes"], language="python")
    with pytest.raises(CodekinError) as error:
        result["blue"]
    assert str(error.value) == "no score by 'blue'; did you mean 'bleu'? (there are: bleu, nes)"
    assert isinstance(error.value, KeyError)
    assert (result.get("blue"), "blue" in result, "bleu" in result) == (None, False, True)
