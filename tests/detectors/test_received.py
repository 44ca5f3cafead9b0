"""Detectors that somebody else made: a folder decides about numbers, and about nothing else."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.detectors.tasks import names_task

from codekin import CodekinError, load_detector, predict_pairs, shipped_detector
from codekin.detectors import detector as detectors
from codekin.detectors.detector import Detector, detector, detector_names
from codekin.detectors.shipped import SHIPPED

torch.set_num_threads(1)


def saved(folder: Path, word: str, **settings: Any) -> Path:
    made = detector(word, **settings)
    made.fit(names_task().keep(range(64)), workers=0)
    made.save(folder)
    return folder


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "linear", "linear", epochs=1, width=4)


@pytest.fixture(scope="module")
def blend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "blend", "blend", networks="none")


def changed(model: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    shutil.copytree(model, folder)
    place = folder / "model.json"
    about = json.loads(place.read_text())
    change(about)
    place.write_text(json.dumps(about))
    return folder


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 1.5, 10**400, "x", None, [0.5]])
def test_a_threshold_is_a_share(linear: Path, tmp_path: Path, value: object) -> None:
    model = changed(linear, tmp_path / "m", lambda about: about.update(threshold=value))
    with pytest.raises(CodekinError, match="is not a whole detector"):
        load_detector(model)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *(("width", 10**12), ("width", 10**400), ("width", "4"), ("width", True), ("width", -1)),
        *(("epochs", 1.5), ("rate", "x"), ("seed", 10**30), ("preset", 3)),
    ],
)
def test_settings_take_no_memory_before_they_are_known_to_fit(
    linear: Path, tmp_path: Path, setting: str, value: object
) -> None:
    model = changed(
        linear, tmp_path / "m", lambda about: about["settings"].update({setting: value})
    )
    with pytest.raises(CodekinError):
        load_detector(model)


@pytest.mark.parametrize(
    "card",
    [
        *([], {"level": "9"}, {"level": ["0"]}, {"vocabulary": "x"}, {"vocabulary": {"type A": 1}}),
        {"vocabulary": {"call f": "fun(1)"}},
    ],
)
def test_a_card_says_how_code_is_abstracted(linear: Path, tmp_path: Path, card: object) -> None:
    model = changed(linear, tmp_path / "m", lambda about: about.update(card=card))
    with pytest.raises(CodekinError):
        load_detector(model)


def test_the_device_of_a_folder_does_not_count(linear: Path, tmp_path: Path) -> None:
    model = changed(linear, tmp_path / "m", lambda about: about["settings"].update(device="zork"))
    assert load_detector(model).settings()["device"] == "auto"


def test_a_graph_network_has_a_number_of_layers() -> None:
    with pytest.raises(CodekinError, match="faast: layers must be at most 64"):
        detector("faast", layers=10**9)


def test_a_network_is_in_a_blend_once() -> None:
    with pytest.raises(CodekinError, match="blend: twice the network 'linear'"):
        detector("blend", networks="linear+linear")


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update({"names.ids": a["names.ids"][::-1]}),
        lambda a: a.update({"names.ids": a["names.ids"][:-1]}),
        lambda a: a.update({"names.ids": a["names.ids"].astype(np.int64)}),
        lambda a: a.update({"names.rarity": -1 - a["names.rarity"]}),
        lambda a: a.update({"names.rarity": a["names.rarity"] * np.float32(np.nan)}),
        lambda a: a.update({"names.rarity": a["names.rarity"] + np.float32(1e6)}),
    ],
)
def test_a_table_of_words_is_ascending_with_a_rarity_for_each(
    blend: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    model = tmp_path / "m"
    shutil.copytree(blend, model)
    with np.load(model / "weights.npz") as file:
        arrays = dict(file)
    assert len(arrays["names.ids"]) > 1
    change(arrays)
    np.savez(model / "weights.npz", **arrays)
    with pytest.raises(CodekinError, match=r"is not a whole detector .*table of words"):
        load_detector(model)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128, "U1", "datetime64[s]"])
@pytest.mark.parametrize("networks", ["none", "linear"])
def test_weights_are_real_numbers(tmp_path: Path, networks: str, kind: Any) -> None:
    model = saved(tmp_path / "m", "blend", networks=networks, epochs=1)
    with np.load(model / "weights.npz") as file:
        arrays = dict(file)
    name = "linear.layer.bias" if networks == "linear" else "numbers.rarity"
    np.savez(model / "weights.npz", **arrays | {name: np.zeros(len(arrays[name]), kind)})
    with pytest.raises(CodekinError, match=rf"is not a whole detector .*{name}.* no real numbers"):
        load_detector(model)


@pytest.mark.parametrize("name", ["model.json", "weights.npz"])
@pytest.mark.parametrize("kind", ["link", "device", "pipe", "folder", "large"])
def test_a_file_of_a_detector_is_a_regular_one(
    linear: Path, tmp_path: Path, name: str, kind: str
) -> None:
    model = tmp_path / "m"
    shutil.copytree(linear, model)
    place = model / name
    place.unlink()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    elif kind == "large":
        with place.open("wb") as stream:
            stream.truncate(2**40)
    else:
        place.symlink_to(linear / name if kind == "link" else "/dev/zero")
    message = {"pipe": "is a pipe", "folder": "is a folder", "large": "more than the"}
    with pytest.raises(CodekinError, match=rf"{name}: .*{message.get(kind, 'is a link')}"):
        load_detector(model)


def test_the_measure_of_a_folder_is_built_in_or_named_again(tmp_path: Path, monkeypatch) -> None:
    model = saved(tmp_path / "m", "measure", measure="jaccard")
    (tmp_path / "evil.py").write_text(
        "from pathlib import Path\nPath('ran').touch()\n"
        "def overlap(candidate, reference):\n    return float(candidate == reference)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for word in ("evil:overlap", "sanslcs:inner=evil:overlap", "bertscore:model=elsewhere"):
        folder = tmp_path / word.partition(":")[0]
        changed(model, folder, lambda about, word=word: about["settings"].update(measure=word))
        with pytest.raises(CodekinError, match=f"name the measure again: --set measure={word}"):
            load_detector(folder)
    assert not Path("ran").exists()
    with pytest.raises(CodekinError, match="measure is evil:overlap, and was fixed by training"):
        load_detector(tmp_path / "evil", measure="kin")
    named = load_detector(tmp_path / "evil", measure="evil:overlap")
    rows = [{"language": "java", "candidate": "f();", "reference": "f();"}]
    assert predict_pairs(rows, named, workers=0).pairs[0].score == 1
    assert load_detector(model, measure="jaccard").word == "measure:measure=jaccard"


def test_the_detector_of_another_package_is_named_again(linear, tmp_path, monkeypatch) -> None:
    (tmp_path / "others.py").write_text(
        "from pathlib import Path\nfrom codekin.detectors.linear import Linear\n"
        "Path('ran').touch()\nclass Mine(Linear):\n    name = 'mine'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    entry = metadata.EntryPoint("mine", "others:Mine", "codekin.detectors")
    monkeypatch.setattr(metadata, "entry_points", lambda group: (entry,))
    detectors.detector_classes.cache_clear()
    try:
        assert detector_names()[-1] == "mine"
        model = changed(linear, tmp_path / "m", lambda about: about.update(detector="mine"))
        with pytest.raises(CodekinError, match=r"'mine' of another package.*--set detector=mine"):
            load_detector(model)
        with pytest.raises(CodekinError, match="is a detector 'mine', and not 'linear'"):
            load_detector(model, detector="linear")
        assert not Path("ran").exists()
        assert type(load_detector(model, detector="mine")).__name__ == "Mine"
        assert isinstance(load_detector(linear, detector="linear"), Detector)
    finally:
        detectors.detector_classes.cache_clear()


def test_shipped_detectors_may_be_installed_as_links(tmp_path: Path, monkeypatch) -> None:
    from codekin.detectors import shipped

    real = Path(shipped.__file__).parents[1] / "data" / "detectors" / SHIPPED["java"]
    folder = tmp_path / "data" / "detectors" / SHIPPED["java"]
    folder.mkdir(parents=True)
    for place in real.iterdir():
        (folder / place.name).symlink_to(place)
    monkeypatch.setattr(shipped.resources, "files", lambda _: tmp_path)
    assert shipped_detector(["java"]).name == "blend"
