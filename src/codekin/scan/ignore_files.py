"""What ignore files leave out of a scan: .gitignore and .codekinignore, with git's rules."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codekin.errors import CodekinError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["IGNORE_FILES", "IgnoreRules", "patterns_of"]

IGNORE_FILES = (".gitignore", ".codekinignore")
"""The names of ignore files; where two in one folder disagree, the last one decides."""
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class IgnoreRules:
    """The patterns that apply in a folder, those of outer folders first.

    Attributes
    ----------
    specs : tuple of (str, GitIgnoreSpec)
        Folders, and the patterns for what is in each.
    """

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def entering(self, folder: str) -> IgnoreRules:
        """The rules in a folder: these, and those of its own ignore files."""
        lines = [line for name in IGNORE_FILES for line in _lines(f"{folder}{os.sep}{name}")]
        return self.with_patterns(folder, lines) if lines else self

    def with_patterns(self, folder: str, patterns: Iterable[str]) -> IgnoreRules:
        """The rules with more patterns for a folder, which take precedence."""
        return IgnoreRules((*self.specs, (folder, patterns_of(patterns))))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a file or folder is ignored; the innermost pattern that matches decides."""
        for folder, spec in reversed(self.specs):
            inside = os.path.relpath(path, folder).replace(os.sep, "/")
            decision = spec.check_file(f"{inside}/" if is_folder else inside).include
            if decision is not None:
                return decision
        return False

    @classmethod
    def above(cls, folder: str) -> IgnoreRules:
        """The rules that hold in a folder because of the repository around it."""
        outer = Path(folder).resolve()
        chain = []
        for one in (outer, *outer.parents):
            chain.append(one)
            if (one / ".git").exists():
                rules = cls()
                for place in reversed(chain[1:]):
                    rules = rules.entering(str(place))
                return rules
        return cls()


def patterns_of(lines: Iterable[str]) -> GitIgnoreSpec:
    """Patterns as in a .gitignore file; those that git cannot read raise an error."""
    from pathspec import GitIgnoreSpec  # which loads slowly, and most folders have no patterns

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise CodekinError(f"not a pattern of files: {error}") from None


def _lines(path: str) -> list[str]:
    """The lines of an ignore file; none if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123, one call per folder
            data = file.read(_MAX_BYTES)
    except OSError:
        return []
    good = []
    for line in data.decode("utf-8", "surrogateescape").splitlines():
        try:
            patterns_of([line])
        except CodekinError:  # git passes over them, too
            continue
        good.append(line)
    return good
