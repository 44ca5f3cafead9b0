from __future__ import annotations

import json

from tests.report.reading import spans

from codekin import Source, measure
from codekin.report.explanations import explain_row, utf16_offsets


def row(candidate: str, *references: str, origin: str | None = None, **values: float) -> dict:
    return {
        "candidate": candidate,
        "references": list(references),
        "origin": origin,
        "language": "python",
        "reference_language": "python",
        **values,
    }


def test_offsets_are_those_of_javascript() -> None:
    text = "a😀b😀c"
    offset = utf16_offsets(text)
    for i in range(len(text) + 1):
        assert offset(i) == len(text[:i].encode("utf-16-le")) // 2


def test_the_page_tells_what_the_measure_tells() -> None:
    candidate, reference = "def f(x):\n    return x + 1\n", "def g(y):\n    return y + 1\n"
    for name in ("nes", "bleu", "codebleu", "tsed", "jaccard"):
        score = measure(name).score(Source(candidate, "python"), Source(reference, "python"))
        why = score.explain()
        shown = explain_row(row(candidate, reference, **{name: score.value}), {name: measure(name)})
        told = shown["measures"][name]
        assert told["summary"] == why.summary
        assert told["details"] == [list(detail) for detail in why.details]
        assert told["signature"] == score.signature
        assert spans(told["spans"][0]) == [(s.start, s.end) for s in why.candidate]
        assert spans(told["spans"][1]) == [(s.start, s.end) for s in why.reference]
        assert told["spans"][0][2::3] == [round(s.level, 3) for s in why.candidate]
        assert "now" not in told
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_what_a_measure_ignores_is_neither_found_nor_missed() -> None:
    text = 'def f(a):\n    """Say 😀."""\n    # a comment\n    return a \\\n        + 1\n'
    blind = {name: measure(name) for name in ("bleu", "rouge", "kin", "cssg", "ruby", "tsed")}
    seeing = {"all": measure("bleu", comments=True), "nes": measure("nes")}
    values = dict.fromkeys([*blind, *seeing], 1.0)
    shown = explain_row(row(text, text, **values), blind | seeing)["measures"]
    wide = text.replace("😀", "😀_")  # which JavaScript counts as two
    for name in blind:
        mine, theirs = shown[name]["ignored"]
        words = [wide[start:end].strip() for start, end in spans(mine)]
        assert words == ['"""Say 😀_."""\n    # a comment', "\\"]
        assert mine == theirs
    assert not any("ignored" in shown[name] for name in seeing)


def test_of_several_references_the_likest_is_explained() -> None:
    nes = measure("nes")
    shown = explain_row(row("x = 1", "while", "x = 2", nes=0.8), {"nes": nes})
    assert shown["measures"]["nes"]["reference"] == 1


def test_ink_lies_on_words_strings_and_comments() -> None:
    text = "for x in 'ab':  # say\n    pass\n"
    ink, (other,), origin = explain_row(row(text, "x", origin="1"), {})["ink"]
    words = [text[start:end] for start, end in spans(ink)]
    assert words == ["for", "in", "'ab'", "# say", "pass"]
    assert ink[2::3] == ["k", "k", "s", "c", "k"]
    assert (other, origin) == ([], [0, 1, "n"])


def test_rows_with_an_origin_come_with_both_edits() -> None:
    given = row("x = 2", "x = 3", "x = 2", origin="x = 1")
    one, other = explain_row(given, {})["edits"]
    assert one["summary"].startswith("1 region; 3 tokens changed: 1 alike")
    assert other["items"][0]["verdict"] == [["both replace ", 0], ["1", 1], [" by ", 0], ["2", 1]]
    assert "edits" not in explain_row(row("x = 2", "x = 3"), {})
    several = explain_row(row("a", *"bcdefg", origin="h"), {})["edits"]
    assert len(several) == 4


def test_long_edits_are_cut() -> None:
    texts = ["".join(f"{name}{i} = {i}\n" for i in range(2000)) for name in "xyz"]
    (edits,) = explain_row(row(texts[0], texts[1], origin=texts[2]), {})["edits"]
    assert len(json.dumps(edits)) < 200_000
    assert edits["items"][-1] == "… 1,750 lines more, which are too many to show here …"


def test_a_score_that_has_changed_since_says_so() -> None:
    told = explain_row(row("a", "b", nes=0.75), {"nes": measure("nes")})["measures"]["nes"]
    assert told["now"] == 0.0


def test_macros_are_shown_expanded() -> None:
    text = "#define F(x) for(int i=0;i<x;i++)\nint main() { F(3) { } return 0; }\n"
    given = row(text, text, tsed=1.0) | {"language": "c", "reference_language": "c"}
    told = explain_row(given, {"tsed": measure("tsed")})["measures"]["tsed"]
    assert "F(3)" not in told["texts"][0]
    assert "i<3" in told["texts"][0]
    words = [told["texts"][0][start:end] for start, end in spans(told["ink"][0])]
    assert words.count("for") == 1


def test_what_cannot_be_explained_says_why() -> None:
    class Failing(type(measure("nes"))):  # type: ignore[misc]
        def explain(self, candidate, reference):
            raise ValueError("it broke")

    class Silent(type(measure("nes"))):  # type: ignore[misc]
        def explain(self, candidate, reference):
            raise NotImplementedError

    measures = {"failing": Failing(), "silent": Silent(), "unknown": None}
    told = explain_row(row("a", "a", failing=1, silent=1, unknown=1), measures)["measures"]
    assert told["failing"]["summary"] == "No explanation: it broke."
    assert told["silent"]["summary"] == "No explanation: this measure gives none."
    assert "cannot be made from its name" in told["unknown"]["summary"]


def test_a_measure_that_failed_is_not_asked_again() -> None:
    assert explain_row(row("a", "b") | {"nes": None}, {"nes": measure("nes")})["measures"] == {}
