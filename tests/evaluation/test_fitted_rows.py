"""Rows that a calibration was fitted on are recognized, all of them or a known share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluation.tested_edits import edits

from codekin import apply_calibration, calibrate, score
from codekin.evaluation.fitted_rows import fitted_rows, row_digests


def random_digests(number: int, seed: int = 0):
    return np.random.default_rng(seed).integers(0, 2**64, number, dtype=np.uint64)


def test_few_rows_are_all_recognized_and_others_are_not() -> None:
    digests = random_digests(2048)
    rows = fitted_rows([digests[:1000], digests[1000:]])
    assert rows is not None
    assert rows.every == 1
    assert rows.among(digests).all()
    assert not rows.among(random_digests(10_000, seed=1)).any()


def test_of_many_rows_a_share_is_recognized_in_a_few_kilobytes() -> None:
    digests = random_digests(14_234)
    rows = fitted_rows([digests])
    assert rows is not None
    assert rows.every == 8
    assert len(rows.digests) < 12_000
    assert rows.among(digests).sum() * rows.every == pytest.approx(14_234, rel=0.05)


def test_rows_are_unknown_if_those_of_a_dataset_are() -> None:
    assert fitted_rows([random_digests(9), None]) is None


def test_a_row_is_its_id_group_and_texts() -> None:
    given = edits(40)
    run = score(given, "nes", workers=0)
    digests = row_digests(run, np.arange(40))
    again = row_digests(score(given[::-1], "bleu", workers=0), np.arange(40))
    assert digests is not None
    assert again is not None
    assert again[::-1].tolist() == digests.tolist()
    for name in ("id", "group", "candidate", "reference", "origin"):
        changed = [{**row, name: row.get(name, "") + "0"} for row in given]
        others = row_digests(score(changed, "nes", workers=0), np.arange(40))
        assert others is not None
        assert not np.isin(others, digests).any()
    assert row_digests(run, np.arange(0)).tolist() == []
    bare = score(given, "nes", workers=0, texts=False)
    assert row_digests(bare, np.arange(40)) is None


def test_a_calibration_is_not_judged_by_the_rows_it_was_fitted_on() -> None:
    given = edits(240)
    made = calibrate(given, "nes", task="task", workers=0, name="mine")
    assert made.fitted_rows is not None
    same = apply_calibration(score(given, "nes", workers=0), made)
    assert (same.fitted, same.judgement) == (240, None)
    held_out = made.judgements[0]
    assert same.notes()[1] == (
        "mine was fitted on 240 of these rows, which therefore cannot judge it; with the task held "
        f"out, it had Brier {held_out.brier:.3f} (rate alone {held_out.base:.3f}), ECE "
        f"{held_out.error:.3f}, AUC {held_out.auc:.3f}"
    )
    others = [{**row, "reference": row["reference"] + "print()\n"} for row in edits(60, seed=3)]
    both = apply_calibration(score([*given, *others], "nes", workers=0), made)
    assert both.fitted == 240
    assert both.judgement is not None
    assert both.judgement.rows == 60
    assert "60 other rows with an outcome: rate" in both.notes()[2]


def test_older_files_do_not_say_which_rows_they_were_fitted_on() -> None:
    made = replace(calibrate(edits(240), "nes", task="task", workers=0), fitted_rows=None)
    found = apply_calibration(score(edits(240), "nes", workers=0), made)
    assert found.fitted is None
    assert found.judgement is not None
    assert "the rows that calibration was fitted on are not known" in found.notes()[2]
