"""The detectors that come with codekin: what they say of small examples, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import codekin
from codekin import CodekinError, Corpus, Snippet, predict_pairs, search_clones
from codekin.detectors.shipped import SHIPPED, shipped_detector

FOLDER = Path(codekin.__file__).parent / "data" / "detectors"

REVERSED = {
    "java": (
        """static String reverse(String text) {
    StringBuilder found = new StringBuilder();
    for (int i = text.length() - 1; i >= 0; i--) {
        found.append(text.charAt(i));
    }
    return found.toString();
}""",
        """public String reverseString(String s) {
    String result = "";
    int i = s.length();
    while (i > 0) {
        i--;
        result = result + s.charAt(i);
    }
    return result;
}""",
        """void close(Connection connection) throws SQLException {
    if (connection != null && !connection.isClosed()) {
        connection.rollback();
        connection.close();
    }
}""",
    ),
    "c": (
        """void reverse(char *text) {
    int length = strlen(text);
    for (int i = 0; i < length / 2; i++) {
        char c = text[i];
        text[i] = text[length - 1 - i];
        text[length - 1 - i] = c;
    }
}""",
        """void reverse_string(char *s) {
    char *end = s + strlen(s) - 1;
    while (s < end) {
        char c = *s;
        *s++ = *end;
        *end-- = c;
    }
}""",
        """struct node *push(struct node *head, int value) {
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = head;
    return made;
}""",
    ),
}


@pytest.mark.parametrize("language", SHIPPED)
def test_clones_score_higher_than_other_code(language: str) -> None:
    one, other, foreign = REVERSED[language]
    rows = [
        {"id": "clone", "candidate": one, "reference": other},
        {"id": "not", "candidate": one, "reference": foreign},
        {"id": "empty", "candidate": one, "reference": ""},
    ]
    found = predict_pairs(rows, language=language, workers=0).pairs
    assert found[0].score > found[1].score
    assert found[2].clone is None and found[2].problem


def test_a_folder_is_searched(tmp_path: Path) -> None:
    for i, code in enumerate(REVERSED["java"]):
        (tmp_path / f"A{i}.java").write_text(f"class A{i} {{\n{code}\n}}\n")
    (tmp_path / "b.py").write_text("def f(a):\n    b = a\n    c = b\n    return c\n")
    found = search_clones(tmp_path, workers=0)
    assert found.functions == 3 and found.foreign == 1
    assert {found.pairs[0].first.partition(":")[0], found.pairs[0].second.partition(":")[0]} == {
        "A0.java",
        "A1.java",
    }
    assert "1 function left out" in found.warnings()[0]


def test_one_language_of_a_folder_is_searched(tmp_path: Path) -> None:
    for i in range(2):
        (tmp_path / f"A{i}.java").write_text(f"class A{i} {{\n{REVERSED['java'][i]}\n}}\n")
        (tmp_path / f"b{i}.c").write_text(REVERSED["c"][i])
    with pytest.raises(CodekinError, match="in c and java"):
        search_clones(tmp_path, workers=0)
    found = search_clones(tmp_path, language="C", workers=0)
    assert "2 functions and 1 pair, of which" in found.notes()[0]
    (pair,) = found.pairs
    assert {pair.first.partition(":")[0], pair.second.partition(":")[0]} == {"b0.c", "b1.c"}


def test_other_languages_need_a_model() -> None:
    rows = [{"candidate": "x = 1", "reference": "y = 2"}]
    with pytest.raises(CodekinError, match=r"for python, only for java and c; name one .* --model"):
        predict_pairs(rows, language="python", workers=0)
    with pytest.raises(CodekinError, match=r"^tiny: has no function of at least 4 lines, and two"):
        search_clones(Corpus("tiny", (Snippet("a", "java", "int f() { return 1; }"),)), workers=0)
    unread = predict_pairs(rows, workers=0)
    assert "language" in unread.pairs[0].problem
    with pytest.raises(CodekinError, match="choose it with --language"):
        shipped_detector(["c", "java"])
    with pytest.raises(CodekinError, match="for no code"):
        shipped_detector([])


def test_they_are_small_and_say_what_they_are_made_of() -> None:
    for name in SHIPPED.values():
        files = list((FOLDER / name).iterdir())
        assert sum(one.stat().st_size for one in files) < 2_000_000
        card = json.loads((FOLDER / name / "model.json").read_text())["card"]
        assert "made of" in card and "command" in card and card["test"]["all"]["auc"] > 0.85
