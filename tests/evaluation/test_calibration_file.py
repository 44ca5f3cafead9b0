"""Calibrations are written and read as plain numbers, and damaged files are refused."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest
from tests.evaluation.tested_edits import edits

from codekin import CodekinError, calibrate, load_calibration


@pytest.fixture(scope="module")
def made():
    return calibrate(edits(), "nes", task="task", workers=0)


def test_a_calibration_survives_its_file(made, tmp_path):
    made.to_json(tmp_path / "one.json")
    again = load_calibration(tmp_path / "one.json")
    assert again == made
    assert again.to_json() == made.to_json()


def test_a_calibration_of_several_files_has_its_card(tmp_path):
    several = {f"file-{seed}": edits(120, seed=seed) for seed in range(3)}
    calibrate(several, ["nes", "bleu"], task="task", workers=0, name="mine").to_json(
        tmp_path / "one.json"
    )
    found = load_calibration(tmp_path / "one.json")
    assert found.name == "mine"
    assert [measure.label for measure in found.measures] == ["nes", "bleu"]
    assert [dataset.name for dataset in found.datasets] == ["file-0", "file-1", "file-2"]
    assert set(found.languages) == {"python"}
    assert found.shift is not None
    assert {judgement.held_out for judgement in found.judgements} == {"task", "dataset"}


def test_names_in_a_file_have_no_control_characters(made, tmp_path):
    document = json.loads(made.to_json())
    document["name"] = "\x1b[31mred\u202e\n=cmd()"
    (tmp_path / "one.json").write_text(json.dumps(document))
    assert load_calibration(tmp_path / "one.json").name == "␛[31mred<U+202E>␊=cmd()"


def test_a_file_that_does_not_say_which_rows_were_fitted_on_is_read(made, tmp_path):
    document = json.loads(made.to_json())
    del document["fitted_rows"]
    (tmp_path / "one.json").write_text(json.dumps(document))
    assert load_calibration(tmp_path / "one.json").fitted_rows is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: one.update(format=1), "has the format 1, and this codekin reads 2"),
        (lambda one: one.pop("features"), "has no 'features'"),
        (lambda one: one["coefficients"].pop(), "coefficients do not fit"),
        (lambda one: one["coefficients"].__setitem__(0, "x"), "coefficients is not as expected"),
        (lambda one: one["coefficients"].__setitem__(0, None), "coefficients is not a number"),
        (lambda one: one["coefficients"].__setitem__(0, 10**400), "coefficients is too large"),
        (lambda one: one["datasets"][0].update(tasks=10**400), "tasks is too large"),
        (lambda one: one["covariance"].pop(), "differ in size"),
        (lambda one: one["features"][0].update(form="eval"), "unknown"),
        (lambda one: one["features"][0].update(measure="bleu"), "unknown"),
        (lambda one: one["features"][0].update(points=[]), "points"),
        (lambda one: one["measures"][0].update(distance=1), "distance is not as expected"),
        (lambda one: one.update(level=3), "out of range"),
        (lambda one: one.update(datasets=[]), "empty"),
        (lambda one: one["fitted_rows"].update(every=0), "out of range"),
        (lambda one: one["fitted_rows"].update(digests="AAAA"), "a part of a digest"),
        (lambda one: one["fitted_rows"].update(digests="%"), "is damaged"),
    ],
)
def test_a_damaged_file_is_refused(made, change, message, tmp_path):
    document = json.loads(made.to_json())
    change(document)
    file = tmp_path / "one.json"
    file.write_text(json.dumps(document))
    with pytest.raises(CodekinError, match=message):
        load_calibration(file)


def test_files_of_something_else(tmp_path):
    with pytest.raises(CodekinError, match="edits: no such file; name a file that codekin"):
        load_calibration("edits")
    with pytest.raises(CodekinError, match="is a device"):
        load_calibration("/dev/zero")
    file = tmp_path / "one.json"
    for text, message in (
        ("{", "is not JSON"),
        ("[]", "is not a calibration"),
        ("[" * 10**6, "nested too deeply"),
        ("1" * 10**5, "is not JSON"),
    ):
        file.write_text(text)
        with pytest.raises(CodekinError, match=message):
            load_calibration(file)


def test_the_document_follows_its_schema(made):
    schema = json.loads(
        resources.files("codekin").joinpath("data/calibrate.schema.json").read_text()
    )
    jsonschema.validate(json.loads(made.to_json()), schema)
