"""Encoders of text from local Hugging Face checkpoints, read without running any of their code.

Nothing is read from the network. Only safetensors are read: weights as a pickle (``.bin``) could
run code, and are refused. Code that comes with a checkpoint is never run, and what its
configuration names elsewhere is never loaded: adapters, kernels, and kinds of quantization.

transformers opens the files of a folder by itself. So each is opened here first: a regular file, no
link, of a limited size, and a configuration that asks for no more memory than the weights have.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError
from codekin.opening import MOST_DOCUMENT_BYTES, UnreadableFileError, open_file, parse_json

__all__ = [
    "MOST_WEIGHT_BYTES",
    "Checkpoint",
    "check_size",
    "encoder_config",
    "quiet",
    "read_checkpoint",
    "transformers_library",
]

MOST_WEIGHT_BYTES = 64 * 2**30
"""A file of weights of a checkpoint."""
_ELSEWHERE = ("adapter_config.json", "adapter_model.safetensors")
"""Files with which transformers would read another checkpoint."""
_LAYERS = 1000
_SMALL = 1 << 20
"""A number in a configuration that is never too large, such as of tokens that a model reads."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """An encoder and its tokenizer.

    Attributes
    ----------
    folder : Path
    encoder : torch.nn.Module
        In float32.
    tokenizer : transformers.PreTrainedTokenizerFast
    """

    folder: Path
    encoder: Any
    tokenizer: Any


def read_checkpoint(name: str, path: str, *, attention: str | None = None) -> Checkpoint:
    """Read the encoder and the tokenizer of a folder.

    Parameters
    ----------
    name : str
        What needs them; errors begin with it.
    path : str
        The folder: ``config.json``, a tokenizer, and weights as safetensors.
    attention : str, optional
        The implementation of attention, as transformers names it.
    """
    library = transformers_library(name)
    folder = _checked_folder(name, path)
    numbers = _numbers_in(folder)
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    with quiet(library):
        try:
            config = encoder_config(library.AutoConfig.from_pretrained(folder, **local))
            try:
                check_size(config.to_dict(), numbers)
            except CodekinError as error:
                raise CodekinError(f"{folder}: {error}") from None
            tokenizer = library.AutoTokenizer.from_pretrained(folder, **local)
            encoder, info = library.AutoModel.from_pretrained(
                folder,
                config=config,
                use_safetensors=True,
                output_loading_info=True,
                attn_implementation=attention,
                **local,
            )
        except CodekinError:
            raise
        except Exception as error:  # whatever the library makes of a folder
            said = " ".join(str(error).split())[:300]
            raise CodekinError(
                f"{folder}: is not a checkpoint that transformers can read ({said})"
            ) from None
    missing = sorted(key for key in info["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise CodekinError(
            f"{folder}: has no weights for {len(missing)} parts of the model, first "
            f"{', '.join(missing[:3])}; is it a checkpoint of this model?"
        )
    if getattr(tokenizer, "backend_tokenizer", None) is None:
        raise CodekinError(f"{folder}: has no tokenizer that can be read as tokenizer.json")
    return Checkpoint(folder, encoder.float(), tokenizer)


def transformers_library(name: str) -> Any:
    """The package transformers; errors begin with `name`."""
    try:
        import torch  # noqa: F401, which transformers can be imported without
        import transformers
    except ModuleNotFoundError as error:
        raise CodekinError(
            f"{name}: needs {error.name}, which is not installed; pip install 'codekin[detectors]'"
        ) from None
    return transformers


@contextmanager
def quiet(library: Any) -> Iterator[None]:
    """Keep the library from printing reports and progress bars of its own."""
    logging = library.utils.logging
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def _checked_folder(name: str, path: str) -> Path:
    """The folder of a checkpoint, if it may be read."""
    if not path:
        parameter = "path" if name == "transformer" else "model"
        raise CodekinError(
            f"{name}: name the folder of a Hugging Face checkpoint, such as "
            f"{name}:{parameter}=graphcodebert-base"
        )
    folder = Path(path)
    if not folder.is_dir():
        raise CodekinError(
            f"{folder}: is not a folder with a checkpoint; nothing is downloaded by name, so fetch "
            "the checkpoint first"
        )
    if not (folder / "config.json").is_file():
        raise CodekinError(
            f"{folder}: is not a Hugging Face checkpoint, since it has no config.json"
        )
    if not any(folder.glob("*.safetensors")):
        pickles = sorted(one.name for one in folder.glob("*.bin"))
        if pickles:
            raise CodekinError(
                f"{folder}: has its weights as a pickle ({pickles[0]}), which could run code when "
                "read; convert them to model.safetensors with save_pretrained"
            )
        raise CodekinError(f"{folder}: has no weights, which are files *.safetensors")
    for entry in sorted(folder.iterdir()):
        if entry.name in _ELSEWHERE:
            raise CodekinError(f"{entry}: belongs to an adapter; name a folder with a whole model")
        # Folders are not read; a link to one is refused with the others.
        if entry.is_symlink() or not entry.is_dir():
            most = MOST_WEIGHT_BYTES if entry.suffix == ".safetensors" else MOST_DOCUMENT_BYTES
            try:
                open_file(entry, within=folder, limit=most).close()
            except UnreadableFileError as error:
                hint = "; copy the folder with cp -rL" if entry.is_symlink() else ""
                raise CodekinError(f"{error}{hint}") from None
    return folder


def _numbers_in(folder: Path) -> int:
    """How many numbers the weights of a checkpoint have, as far as there is room for them."""
    found = 0
    for path in sorted(folder.glob("*.safetensors")):
        with open_file(path, within=folder, limit=MOST_WEIGHT_BYTES) as stream:
            size = os.fstat(stream.fileno()).st_size
            length = int.from_bytes(stream.read(8), "little")
            if length > min(size, MOST_DOCUMENT_BYTES):
                raise CodekinError(
                    f"{folder}: is not a checkpoint that transformers can read ({path.name} is not "
                    "a file of safetensors)"
                )
            header = parse_json(stream.read(length), path)
        try:
            shapes = [about["shape"] for key, about in header.items() if key != "__metadata__"]
            found += min(sum(map(math.prod, shapes)), size)
        except (AttributeError, KeyError, TypeError):
            raise CodekinError(f"{path}: is not a file of safetensors") from None
    return found


def check_size(config: Mapping[Any, Any], numbers: int) -> None:
    """Refuse a configuration of a model that is far larger than its weights.

    Parameters
    ----------
    config : mapping
    numbers : int
        How many numbers the weights have.

    Raises
    ------
    CodekinError
        Before any memory is taken for the model.

    Examples
    --------
    >>> check_size({"vocab_size": 10**9}, 1000)
    Traceback (most recent call last):
    codekin.errors.CodekinError: its configuration has vocab_size 1,000,000,000, for 1,000 weights
    """
    for name, value in config.items():
        if isinstance(value, Mapping):
            check_size(value, numbers)
        most = _LAYERS if "layer" in str(name) else max(numbers, _SMALL)
        if isinstance(value, int) and value > most:
            raise CodekinError(f"its configuration has {name} {value:,}, for {numbers:,} weights")


def encoder_config(config: Any) -> Any:
    """The configuration of an encoder that sees both sides of a token."""
    if getattr(config, "is_encoder_decoder", False):
        raise CodekinError(
            f"transformer: {config.model_type} has an encoder and a decoder, and only encoders are "
            "read; name a checkpoint such as GraphCodeBERT or UniXcoder"
        )
    if getattr(config, "quantization_config", None) is not None:
        raise CodekinError("transformer: a quantized model is not read; name the original one")
    # The name of an implementation may be that of a kernel on the network.
    config._attn_implementation = None
    # UniXcoder's says decoder, and its programs mask by hand; as an encoder it sees both sides.
    config.is_decoder = False
    return config
