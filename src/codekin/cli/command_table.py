"""Groups of commands that are listed in a table and loaded when called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import zip_longest
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from codekin.errors import CodekinError

__all__ = ["Entry", "command_group", "lazy_group"]


class Entry(NamedTuple):
    """A command in the help of its group.

    The command ``compare-runs`` of the package ``codekin.cli`` is the function
    ``compare_runs_command`` in ``codekin.cli.compare_runs``, or in the module that is named here
    (with a dot in front, in the package above); a group of commands is the object ``app`` in the
    package of that name.
    """

    name: str
    panel: str
    summary: str
    module: str | None = None


def lazy_group(package: str, entries: Sequence[Entry]) -> type[TyperGroup]:
    """A class of groups whose help needs only the table."""
    known = {one.name: one for one in entries}

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            for one in entries:
                listed = TyperCommand(one.name, help=one.summary, rich_help_panel=one.panel)
                self.commands.setdefault(one.name, listed)

        def get_params(self, ctx: Any) -> list[Any]:
            """The options, as the help shows them."""
            return _without_kinds(super().get_params(ctx))

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            """Load the command that is called; unknown names get suggestions."""
            name, listed, rest = super().resolve_command(ctx, args)
            return name, listed and _load(package, known[listed.name or ""]), rest

    return LazyGroup


def command_group(
    package: str, entries: Sequence[Entry], summary: str, example: str
) -> typer.Typer:
    """A group of commands, such as ``codekin evaluate``."""
    group = typer.Typer(
        cls=lazy_group(package, entries),
        help=summary,
        epilog=f"Example: {example}",
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.callback()(_no_options)
    return group


def _no_options() -> None:
    """A group with a callback stays a group, even with a single command."""


def _without_kinds(params: list[Any]) -> list[Any]:
    """Options and arguments; those that take no value have no kind of value in the help."""
    for option in params:
        if getattr(option, "is_flag", False):
            option.metavar = ""
    return params


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, as the help shows them."""
        return _without_kinds(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; every error knows its command."""
        alone: Mapping[str, str] = getattr(self.callback, "alone", {})
        try:
            given = list(_with_values(args, alone))
            _, _, order = self.make_parser(ctx).parse_args(args=list(given))
            _refuse_twice(order)
            return super().parse_args(ctx, given)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:  # of an option without its value
                error.__dict__["ctx"] = ctx
            raise


def _refuse_twice(options: Sequence[Any]) -> None:
    """Refuse an option that is given twice but takes one value, which would be the last."""
    repeated = {option: times for option, times in Counter(options).items() if times > 1}
    for option, times in repeated.items():
        if not (option.multiple or (option.is_flag and not option.secondary_opts)):
            often = "twice" if times == 2 else f"{times:,} times"
            raise CodekinError(f"{max(option.opts, key=len)} is given {often}; it takes one value")


def _with_values(args: Sequence[str], alone: Mapping[str, str]) -> Iterator[str]:
    """Arguments with the values of options that were given alone: not before a number.

    Examples
    --------
    >>> list(_with_values(["--show", "src", "--show", "3"], {"--show": "all"}))
    ['--show', 'all', 'src', '--show', '3']
    """
    for word, following in zip_longest(args, args[1:], fillvalue=""):
        yield word
        if word in alone and not following.isdecimal():
            yield alone[word]


def _load(package: str, entry: Entry) -> Any:
    word = entry.name.replace("-", "_")
    module = import_module(f".{entry.module or word}", package)
    if hasattr(module, "app"):
        return typer.main.get_command(module.app)
    function = getattr(module, f"{word}_command")
    alone = typer.Typer(add_completion=False)
    alone.command(
        entry.name,
        cls=_Command,
        epilog=f"Example: {function.example}",
        context_settings={"help_option_names": ["-h", "--help"], **function.settings},
    )(function)
    return typer.main.get_command(alone)
