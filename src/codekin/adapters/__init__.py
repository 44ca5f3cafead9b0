"""Adapters: codekin inside packages that evaluate models or run tests, one file per package."""

from pathlib import Path

__all__ = ["evaluate_module"]


def evaluate_module() -> str:
    """The path of the module that ``evaluate.load`` of Hugging Face takes.

    Examples
    --------
    >>> evaluate_module().endswith("huggingface_evaluate.py")
    True
    """
    return str(Path(__file__).with_name("huggingface_evaluate.py"))
