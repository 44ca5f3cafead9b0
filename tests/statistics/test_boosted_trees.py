"""Trees as plain numbers give what scikit-learn gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from codekin import CodekinError
from codekin.statistics import boosted_trees
from codekin.statistics.boosted_trees import fit_boosted_trees, summed_trees


def test_sums_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    rows = random.random((300, 3))
    label = random.random(300) < np.where(rows[:, 0] > 0.5, 0.8, rows[:, 1])
    trees = fit_boosted_trees(rows, label)
    theirs = GradientBoostingClassifier(n_estimators=60, max_depth=3, random_state=0)
    log_odds = theirs.fit(rows, label).decision_function(rows)
    rate = label.mean()
    assert summed_trees(trees, rows) + np.log(rate / (1 - rate)) == pytest.approx(log_odds)
    assert trees == fit_boosted_trees(rows, label)


def test_without_scikit_learn_it_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(boosted_trees, "import_module", missing)
    with pytest.raises(CodekinError, match="pip install"):
        fit_boosted_trees(np.zeros((4, 1)), np.array([True, False, True, False]))
