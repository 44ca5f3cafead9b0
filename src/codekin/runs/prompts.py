"""Prompts that begin a program: which texts continue them, as a test harness would run the two."""

from __future__ import annotations

from functools import lru_cache

from codekin.languages import Language, get_language
from codekin.represent.text.detection import faults_in
from codekin.represent.tree.flat_tree import FlatTree, flatten
from codekin.represent.tree.fragments import functions_of
from codekin.represent.tree.parsing import fitting_grammar

__all__ = [
    "begun_function",
    "continues",
    "defines",
    "finished_function",
    "is_continued",
    "join",
    "repeats",
]

_REMEMBERED = 256
"""Prompts with their references whose function is remembered: rows repeat them, as samples do."""


def join(prompt: str, text: str) -> str:
    """The prompt and its continuation.

    A line that begins with indentation is never put at the end of another.
    """
    apart = "" if prompt.endswith("\n") or not text[:1].isspace() or text[:1] in "\r\n" else "\n"
    return f"{prompt}{apart}{text}"


def begun_function(
    prompt: str, references: tuple[str, ...], entry_point: str | None, language: Language
) -> str | None:
    """The function that a prompt begins and that its references finish; None if there is none.

    Parameters
    ----------
    prompt : str
    references : tuple of str
    entry_point : str or None
        The one to prefer, if one function is inside of another.
    language : Language
    """
    return _begun_function(prompt, references, entry_point, language.name)


@lru_cache(_REMEMBERED)
def _begun_function(
    prompt: str, references: tuple[str, ...], entry_point: str | None, name: str
) -> str | None:
    language = get_language(name)
    functions = (finished_function(prompt, text, entry_point, language) for text in references)
    return next(filter(None, functions), None)


def finished_function(
    prompt: str, text: str, entry_point: str | None, language: Language
) -> str | None:
    r"""The function that begins in a prompt and ends in a text after it; None if there is none.

    Parameters
    ----------
    prompt, text : str
    entry_point : str or None
        The one to prefer, if one function is inside of another.
    language : Language

    Examples
    --------
    >>> python = get_language("python")
    >>> prompt = "def double(x):\n    'Twice x.'\n"
    >>> finished_function(prompt, "    return 2 * x\n", None, python)
    'double'
    >>> finished_function(prompt, f"{prompt}    return 2 * x\n", None, python) is None
    True
    >>> finished_function("Double x.", "def double(x):\n    return 2 * x\n", None, python) is None
    True
    """
    if language.prose or not prompt.strip() or repeats(prompt, text):
        return None
    end = len(_bytes(prompt.rstrip()))
    whole = join(prompt, text)
    names = [
        function.name
        for function in functions_of(_tree(whole, language), _bytes(whole), language)
        if function.name and function.start < end < function.end
    ]
    if not names:
        return None
    # Benchmarks may have other names for the function than it has.
    return entry_point if entry_point in names else names[0]


def defines(text: str, function: str, language: Language) -> bool:
    r"""Whether a text by itself defines a function, so that it needs no prompt before it.

    It does not if the function is inside of another one, or if the text begins with an indented
    line in a language in which indentation is syntax: such a text is a body, whatever follows it.

    Examples
    --------
    >>> python = get_language("python")
    >>> defines("import math\n\ndef double(x):\n    return 2 * x\n", "double", python)
    True
    >>> defines("'Twice x.'\n    return 2 * x\n", "double", python)
    False
    >>> defines("    return 2 * x\n\ndef double(x):\n    return 2 * x\n", "double", python)
    False
    """
    if function not in text:
        return False
    tree, data = _tree(text, language), _bytes(text)
    if language.layout and _begins_indented(tree, data):
        return False
    functions = functions_of(tree, data, language, nested=False)
    return any(fragment.name == function for fragment in functions)


def _begins_indented(tree: FlatTree, data: bytes) -> bool:
    """Whether the first token of a text that is not a comment is indented."""
    leaves = (node for node in range(len(tree.kind)) if tree.size[node] == 1)
    for leaf in leaves:
        start = int(tree.start[leaf])
        if tree.kind_name(leaf) == "comment" or start == int(tree.end[leaf]):
            continue
        return start > data.rfind(b"\n", 0, start) + 1
    return False


def repeats(prompt: str, text: str) -> bool:
    """Whether a text begins with the prompt."""
    start = prompt.strip()
    return bool(start) and text.lstrip().startswith(start)


def continues(prompt: str, text: str, language: Language) -> bool:
    r"""Whether a text is the rest of a program that a prompt begins, where no function says so.

    It is if it does not repeat the prompt, does not make it any worse for the parser, and either
    begins with indentation or parses better after the prompt than alone.

    Examples
    --------
    >>> python = get_language("python")
    >>> prompt = "class Pair:\n    size = 2\n"
    >>> continues(prompt, "    names = ()\n", python)
    True
    >>> continues(prompt, "class Pair:\n    size = 3\n", python)
    False
    >>> continues("Write a class of pairs.", "    names = ()\n", python)
    False
    """
    if not text.strip() or repeats(prompt, text):
        return False
    alone, together = faults_in(text, language), faults_in(join(prompt, text), language)
    indented = text.lstrip("\r\n")[:1] in (" ", "\t")
    return together < alone or (indented and together <= alone)


def is_continued(
    prompt: str, text: str, function: str | None, language: Language, *, solution: bool = False
) -> bool:
    """Whether a text belongs after its prompt.

    Parameters
    ----------
    prompt, text : str
    function : str or None
        The function that the prompt begins, if that is known.
    language : Language
    solution : bool
        Whether the text should be a whole program: it then belongs after the prompt only if it can
        be nothing else.
    """
    if not text.strip() or repeats(prompt, text):
        return False
    if function is None or solution:
        return continues(prompt, text, language)
    return not defines(text, function, language)


def _tree(text: str, language: Language) -> FlatTree:
    return flatten(fitting_grammar(language, text), _bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
