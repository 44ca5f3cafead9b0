"""blend: rarity of what is shared, networks, and how they are joined."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.detectors.tasks import names_task, structure_task

from codekin import CodekinError, Corpus, Snippet
from codekin.detectors.blend import Blend
from codekin.detectors.detector import detector, labelled, load_detector
from codekin.detectors.snippet_words import CHANNELS, RarityTable, count_words, snippet_words
from codekin.statistics.classification import average_precision

CODES = (
    "int sumOfRows(int n) { int s = 0; for (int i = 0; i < n; i++) s += 17 * i; return s; }",
    "int addRows(int m) { int s = 0; for (int k = 0; k < m; k++) s += 17 * k; return s; }",
    'void sendMail(String host) { connect(host, "smtp"); }',
    "",
)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def fitted() -> Blend:
    made = Blend(networks="linear", epochs=2, device="cpu")
    made.fit(names_task(), workers=0)
    return made


def snippets(*codes: str) -> list[Snippet]:
    return [Snippet(str(i), "java", code) for i, code in enumerate(codes)]


def test_words_of_a_snippet() -> None:
    found = snippet_words(
        "java", 'int maxRowId(int x1) { log("of rows", 3, 3.5, x1); return HTTPPort; }'
    )
    assert found is not None
    # max, row, log, http, port; id is in maxRowId, and x has one letter.
    code = 'intmaxrowid(intx1){log("of rows",3,3.5,x1);returnhttpport;}'
    grams = {code[i : i + 3] for i in range(len(code) - 2)}
    assert [len(one) for one in found.words] == [6, 2, 2, len(grams)]
    assert not found.is_program
    program = snippet_words(
        "java", "import a.B; class C { public static void main(String[] x) {} }"
    )
    assert program is not None and program.is_program
    for part in ("class C { int f(int a) { return a; } }", "int a = 1; a++; f(a);"):
        fragment = snippet_words("java", part)
        assert fragment is not None and not fragment.is_program
    script = snippet_words("python", "for line in lines:\n    print(line)\n")
    assert script is not None and script.is_program
    assert snippet_words("java", " // nothing\n") is None
    go = snippet_words("go", "func addAll(values []int) int { return len(values) }")
    assert go is not None and len(go.words[0])


def test_a_word_is_as_rare_as_where_it_is_most_common() -> None:
    function, other = "int readInput(int a) { return a; }", "int writeAll(int b) { return b; }"
    program = "class Main { public static void main(String[] a) { readInput(); } }"
    made = [snippet_words("java", code) for code in [function, *[other] * 9, *[program] * 9, other]]
    known = [one for one in made if one is not None]
    assert len(known) == 20
    table = count_words(known, CHANNELS.index("names"))
    common, rare = (
        snippet_words("java", f"int {name}(int a) {{ return a; }}")
        for name in ("readInput", "zebra")
    )
    assert common is not None and rare is not None
    # All nine programs read their input, one of eleven functions does.
    assert table.vector(common.words[0]).total < table.vector(rare.words[0]).total
    assert abs(table.vector(rare.words[0]).total / (1 << 16) - np.log(12)) < 0.01


@pytest.mark.parametrize("task", [names_task, structure_task])
def test_it_learns_what_decides(task) -> None:
    corpus: Corpus = task()
    made = Blend(networks="none")
    made.fit(corpus, workers=0)
    test = labelled(corpus, "test")
    scores = made.score_pairs(corpus.snippets, test.first, test.second, workers=0)
    assert average_precision(scores.astype(np.float64), test.label) > 0.95


def test_scores_alone_in_any_order_and_by_search_are_the_same(
    fitted: Blend, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = snippets(*CODES)
    first, second = (one.astype(np.int32) for one in np.triu_indices(len(CODES), 1))
    together = fitted.score_pairs(given, first, second, workers=0)
    back = fitted.score_pairs(given, second[::-1], first[::-1], workers=0)[::-1]
    np.testing.assert_allclose(back, together, rtol=1e-5)
    for i, j, score in zip(first.tolist(), second.tolist(), together.tolist(), strict=True):
        places = np.array([0], np.int32), np.array([1], np.int32)
        alone = fitted.score_pairs([given[i], given[j]], *places, workers=0)
        np.testing.assert_allclose(alone, [score], rtol=1e-5)
    assert np.isnan(together[second == 3]).all() and not np.isnan(together[second != 3]).any()
    ((start, found),) = fitted.compare_all(given, workers=0)
    assert start == 0 and found[0, 1] > found[0, 2]
    np.testing.assert_allclose(found, found.T, rtol=1e-5)
    # But for words that are common in the code that is searched, scores are those of pairs.
    monkeypatch.setattr(RarityTable, "joined", lambda table, other: table)
    ((_, block),) = fitted.compare_all(given, workers=0)
    np.testing.assert_allclose(block[first, second], together, rtol=1e-4)
    assert together[0] > together[1]


def test_of_two_tables_the_lower_rarity_counts() -> None:
    ids = [np.array(one, np.uint64) for one in ([1, 5], [5, 9])]
    one = RarityTable(ids[0], np.array([2.0, 3.0], np.float32), 4.0)
    other = RarityTable(ids[1], np.array([1.0, 0.5], np.float32), 6.0)
    both = one.joined(other)
    assert both.ids.tolist() == [1, 5, 9]
    assert both.rarity.tolist() == [2.0, 1.0, 0.5] and both.unknown == 6.0


def test_saved_and_loaded_it_scores_the_same(fitted: Blend, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    again = load_detector(tmp_path / "model")
    places = np.array([0, 0], np.int32), np.array([1, 2], np.int32)
    both = [one.score_pairs(snippets(*CODES), *places, workers=0) for one in (fitted, again)]
    assert both[0].tolist() == both[1].tolist()
    assert again.threshold == fitted.threshold and again.languages == ("java",)


def test_bad_settings() -> None:
    with pytest.raises(CodekinError, match="unknown network 'gmn'"):
        Blend(networks="linear+gmn")
    with pytest.raises(CodekinError, match="was not fitted"):
        detector("blend").score_pairs(snippets(*CODES), *np.zeros((2, 1), np.int32))
