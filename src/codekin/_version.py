"""The version, as the installed distribution states it."""

from importlib import metadata

__all__ = ["__version__"]

__version__ = metadata.version("codekin")
