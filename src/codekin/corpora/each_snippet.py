"""The same computation for every snippet of a corpus, in worker processes if there are many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from codekin.corpora.snippets import Problems, Snippet
from codekin.errors import CodekinError
from codekin.runs.workers import Death, Marker, Work, WorkerPool, WorkError, available_cores

__all__ = ["SnippetJob", "each_snippet"]

_CHUNK = 64
"""Snippets that a worker is given at a time."""
_MUCH = 2_000_000
"""Characters of code above which workers are worth the second that they take to start."""
_LIMIT_S = 300.0
"""Seconds that one snippet may take."""

Row = tuple[str, str, str]
"""The id, language and code of a snippet."""


def each_snippet(
    function: Callable[..., Any],
    snippets: Sequence[Snippet],
    *arguments: Any,
    workers: int | None = None,
    where: str = "corpus",
) -> Iterator[Any]:
    """Call a function for every snippet; its results, in the order of the snippets.

    Parameters
    ----------
    function : callable
        Of a module; called with the snippet's language and code, and with `arguments`. Its result
        must be picklable.
    snippets : sequence of Snippet
    *arguments
        Sent to each worker once.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this
        process. The results are the same.
    where : str
        Names the snippets in an error.

    Raises
    ------
    CodekinError
        If the parser fails on snippets; with the count and the first of them.
    """
    cores = available_cores() if workers is None else workers
    much = workers is not None or sum(len(one.code) for one in snippets) >= _MUCH
    if cores < 2 or not much:
        for one in snippets:
            yield function(one.language, one.code, *arguments)
        return
    name = f"{function.__module__}:{function.__qualname__}"
    work = Work.of(f"{SnippetJob.__module__}:{SnippetJob.__qualname__}", (name, arguments))
    rows = [(one.id, one.language, one.code) for one in snippets]
    chunks = [rows[i : i + _CHUNK] for i in range(0, len(rows), _CHUNK)]
    problems = Problems(where)
    with WorkerPool(cores) as pool:
        for chunk, future in pool.map(work, chunks):
            try:
                results, lost = future.result()
            except WorkError as error:
                raise CodekinError(
                    f"{where}: cannot be read in worker processes: {error}; with workers=0 it is "
                    "read in this process"
                ) from None
            for row, manner in lost.items():
                problems.add(f"a worker process died ({manner})", chunk[row][0])
            yield from results
    problems.check()


class SnippetJob:
    """Calls a function for snippets, in a worker; see :class:`~codekin.runs.workers.Work`."""

    def __init__(self, job: tuple[str, tuple[Any, ...]]) -> None:
        name, self.arguments = job
        module, _, attribute = name.partition(":")
        self.function = getattr(import_module(module), attribute)

    def __call__(
        self, rows: Sequence[Row], lost: Mapping[int, Death], mark: Marker
    ) -> tuple[list[Any], dict[int, str]]:
        """The results for some snippets, None for those that killed a worker."""
        results = []
        for number, (_, language, code) in enumerate(rows):
            mark(number, _LIMIT_S)
            result = None
            if number not in lost:
                result = self.function(language, code, *self.arguments)
            results.append(result)
        return results, {row: death.manner for row, death in lost.items()}
