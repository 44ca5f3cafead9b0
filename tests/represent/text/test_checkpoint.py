"""Checkpoints that somebody else made: files are opened before transformers reads them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tiny_checkpoint import save_tiny_roberta

from codekin.errors import CodekinError
from codekin.represent.text.checkpoint import read_checkpoint


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint")
    save_tiny_roberta(folder, ["int a = 1;", "f(b);"], layers=1, vocabulary=60)
    return folder


def other(checkpoint: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A checkpoint with another configuration."""
    shutil.copytree(checkpoint, folder)
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors", "more.txt"])
@pytest.mark.parametrize("kind", ["link", "device", "pipe", "large"])
def test_files_of_a_checkpoint_are_regular_ones(
    checkpoint: Path, tmp_path: Path, name: str, kind: str
) -> None:
    folder = tmp_path / "c"
    shutil.copytree(checkpoint, folder)
    place = folder / name
    place.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "large":
        with place.open("wb") as stream:
            stream.truncate(2**40)
    else:
        target = checkpoint / name if kind == "link" else "/dev/zero"
        place.symlink_to(target)
    with pytest.raises(CodekinError, match=r"c: is not a Hugging Face|pipe|link|more than the"):
        read_checkpoint("transformer", str(folder))


def test_a_checkpoint_reads_nothing_elsewhere(checkpoint: Path, tmp_path: Path) -> None:
    assert read_checkpoint("transformer", str(checkpoint)).encoder.config.hidden_size
    adapted = tmp_path / "adapted"
    shutil.copytree(checkpoint, adapted)
    (adapted / "adapter_config.json").write_text('{"base_model_name_or_path": "elsewhere"}')
    with pytest.raises(CodekinError, match=r"adapter_config.json: belongs to an adapter"):
        read_checkpoint("transformer", str(adapted))
    kernel = other(checkpoint, tmp_path / "kernel", lambda c: c.update(_attn_implementation="a/b"))
    read = read_checkpoint("transformer", str(kernel))
    assert read.encoder.config._attn_implementation in ("sdpa", "eager")


@pytest.mark.parametrize(
    "change",
    [
        lambda config: config.update(quantization_config={"quant_method": "gptq"}),
        lambda config: config.update(num_hidden_layers=10**9),
        lambda config: config.update(hidden_size=10**9),
        lambda config: config.update(vocab_size=10**12),
        lambda config: config.update(vocab_size=10**400),
        lambda config: config.update(text_config={"hidden_size": 10**12}),
    ],
)
def test_a_configuration_asks_for_what_the_weights_have(
    checkpoint: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    folder = other(checkpoint, tmp_path / "c", change)
    with pytest.raises(CodekinError):
        read_checkpoint("transformer", str(folder))


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 8, b"\2\0\0\0\0\0\0\0[]", b"\x09" + bytes(7) + b"[" * 9]
)
def test_weights_are_safetensors(checkpoint: Path, tmp_path: Path, data: bytes) -> None:
    folder = tmp_path / "c"
    shutil.copytree(checkpoint, folder)
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(CodekinError, match="safetensors"):
        read_checkpoint("transformer", str(folder))


def test_a_configuration_that_is_nested_too_deeply(checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    shutil.copytree(checkpoint, folder)
    (folder / "config.json").write_text("[" * 10**6)
    with pytest.raises(CodekinError, match="is not a checkpoint that transformers can read"):
        read_checkpoint("transformer", str(folder))
