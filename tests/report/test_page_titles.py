"""The page of a result is called after what it is about."""

from __future__ import annotations

from tests.corpora.small import contest

from codekin import check_corpus, describe_corpus, type_table
from codekin.corpora.pair_use import PairUse, SidePairs
from codekin.corpora.similarity import compare_corpora
from codekin.detectors.detector import Fitted
from codekin.detectors.fitting import Training
from codekin.results import Result


def title(result: Result) -> str:
    page = result.to_html()
    return page[page.index("<h1>") + len("<h1>") : page.index("</h1>")]


def test_pages_about_a_corpus_name_it() -> None:
    corpus = contest(3, 2)
    assert title(describe_corpus(corpus)) == "The corpus contest"
    assert title(check_corpus(corpus)) == "Check of contest"
    assert title(type_table(corpus, workers=0)) == "Types of the clones of contest"


def test_the_page_of_two_corpora_tells_their_columns_apart() -> None:
    found = compare_corpora(contest(3, 2), contest(2, 2), workers=0)
    assert title(found) == "contest compared with contest (2)"
    heads = found.grids()[0].heads
    assert len(set(heads)) == len(heads)


def test_the_page_of_a_training_names_the_detector_and_the_corpus() -> None:
    numbers = dict.fromkeys(
        ("pairs", "rate", "all_positive_f1", "precision", "recall", "f1", "mcc", "ap", "auc"), 1
    )
    test = {"all": numbers, "without_copies": numbers, "unscored": 0}
    used = PairUse(4, False, "random", (SidePairs("train", 4, 2),))
    found = Training("linear", "contest", used, "random", "0", 0.5, Fitted(4, 2), test, None)
    assert title(found) == "linear on contest"
