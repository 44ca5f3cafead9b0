"""codekin: how alike two pieces of code are, and how far that measurement can be trusted.

The public names are listed in ``__init__.pyi``, and each is loaded when it is used.
"""

from importlib import import_module as _import_module

_HOMES: dict[str, str] = {}
"""The module of each public name, read when the first one is used."""


def _homes() -> dict[str, str]:
    if not _HOMES:
        import re

        listed = __loader__.get_data(f"{__file__.rpartition('.')[0]}.pyi").decode()
        _HOMES.update(
            (name, home)
            for home, name in re.findall(r"^from (\S+) import \(?\s*(\w+) as \2,?$", listed, re.M)
        )
    return _HOMES


def __getattr__(name: str) -> object:
    homes = _homes()
    if name == "__all__":
        return list(homes)
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(homes[name]), name)
    # The package codekin.report, which is there by now, is also the function of its name.
    return globals().setdefault(name, found)


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
