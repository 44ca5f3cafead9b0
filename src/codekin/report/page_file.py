"""Pages that are one file: where they may be written, and what is put inside them."""

from __future__ import annotations

import base64
import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.opening import open_file
from codekin.plain_text import plain, plain_html
from codekin.results import number_text
from codekin.whole_files import whole_file

if TYPE_CHECKING:
    import jinja2

__all__ = [
    "Looks",
    "check_folder",
    "check_place",
    "replacing",
    "template_environment",
    "with_files",
]

_BEGINNING = b"<!doctype html"


def check_folder(path: Path) -> None:
    """Refuse a place that no file can have, before anything long is computed for it."""
    if path.is_dir():
        raise CodekinError(f"{path}: is a folder; name a file")
    if not path.parent.exists():
        raise CodekinError(f"{path}: there is no folder {path.parent}; make it, or name another")


def check_place(path: Path) -> None:
    """Refuse to replace what is no page, such as the texts that the page would be of."""
    check_folder(path)
    if not path.exists():
        return
    head = b""
    if path.is_file():  # to read a pipe would take what is in it
        with open_file(path, typed=True) as stream:
            head = stream.read(len(_BEGINNING))
    if not path.is_file() or (head and head.lower() != _BEGINNING):
        raise CodekinError(
            f"{path}: is not a page that codekin wrote, so it is not replaced; name another"
        )


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which takes the place of another only when all of it is there.

    See :func:`codekin.whole_files.whole_file` for links, pipes and devices.
    """
    try:
        with whole_file(path) as stream:
            yield stream
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None


@cache
def template_environment() -> jinja2.Environment:
    """What fills in the templates; everything is escaped that does not say it is safe.

    One for all pages of a process, for it takes longer to compile the templates than to fill them.
    """
    import jinja2  # here, for commands that write no page start sooner without it

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("codekin.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        # jinja's own urlencode stumbles over lone surrogates.
        "fragment": lambda text: quote(text, safe="", errors="replace"),
        "number": number_text,
        "plain": plain,
        "share": lambda value: round(min(1.0, max(0.0, value)), 4),
    }
    return environment


def with_files(
    environment: jinja2.Environment,
    template: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    *,
    own_scope: bool = False,
    drawing_style: str = "",
    **content: Any,
) -> bytes:
    """A page with its styles and scripts inside it, and a policy by which nothing else runs.

    Parameters
    ----------
    environment : jinja2.Environment
    template : str
        The page from its title on.
    styles, scripts : sequence of str
        The files that are put inside it.
    own_scope : bool
        Whether the scripts share a scope that nothing else sees.
    drawing_style : str
        The style of its pictures.
    **content
        What the template shows.
    """
    loader = environment.loader
    assert loader is not None

    def inlined(names: Sequence[str]) -> str:
        texts = (loader.get_source(environment, name)[0] for name in names)
        return "\n".join(text.replace("\r\n", "\n") for text in texts)

    script = f"\n{inlined(scripts)}\n" if scripts else ""
    if own_scope:
        script = f'\n"use strict";\n(() => {{{script}}})();\n'
    looks = Looks()
    page = environment.get_template(template).render(script=script, look=looks, **content)
    style = "\n".join(["", inlined(styles), drawing_style, *looks.rules, ""])
    head = environment.get_template("head.html.j2").render(
        version=__version__, policy=_policy(style, script), style=style
    )
    # Lone surrogates may stand in a title; they have no bytes in UTF-8.
    whole = (head + page).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    # Here, once for whatever a page shows: what cannot be seen, or turns a text around.
    return plain_html(whole).encode("utf-8")


def _policy(style: str, script: str) -> str:
    """What a page may do: have this style, run this script, and nothing else."""
    allowed = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script) if script else "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {what}" for name, what in allowed.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


class Looks:
    """Numbers that styles use, such as the heat of a cell, as attributes with a rule for each.

    An attribute ``style`` would need a policy by which anything in the page may have one.
    """

    def __init__(self) -> None:
        self.rules: dict[str, None] = {}

    def __call__(self, name: str, value: float | str | None) -> str:
        """The attribute that gives an element a number, or that says that it has none."""
        text = "" if value is None else str(value)
        if text:
            float(text)  # or it fails: nothing but a number gets into a rule
            self.rules[f'[data-{name}="{text}"] {{ --{name}: {text}; }}'] = None
        return f' data-{name}="{text}"'
