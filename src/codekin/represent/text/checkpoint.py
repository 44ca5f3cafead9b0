"""Encoders of text from local Hugging Face checkpoints, read without running any of their code.

Nothing is read from the network. Only safetensors are read: weights as a pickle (``.bin``) could
run code, and are refused. Code that comes with a checkpoint is never run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError

__all__ = [
    "Checkpoint",
    "encoder_config",
    "quiet",
    "read_checkpoint",
    "transformers_library",
]


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
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    with quiet(library):
        try:
            config = encoder_config(library.AutoConfig.from_pretrained(folder, **local))
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
    return folder


def encoder_config(config: Any) -> Any:
    """The configuration of an encoder that sees both sides of a token."""
    if getattr(config, "is_encoder_decoder", False):
        raise CodekinError(
            f"transformer: {config.model_type} has an encoder and a decoder, and only encoders are "
            "read; name a checkpoint such as GraphCodeBERT or UniXcoder"
        )
    # UniXcoder's says decoder, and its programs mask by hand; as an encoder it sees both sides.
    config.is_decoder = False
    return config
