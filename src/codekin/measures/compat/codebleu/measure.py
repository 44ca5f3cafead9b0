"""CodeBLEU as the package codebleu 0.7.0 computes it."""

from __future__ import annotations

import math
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.measures.base import Explanation
from codekin.measures.bleu import closest_length, explain_ngrams
from codekin.measures.codebleu import KEYWORD_WEIGHT, ORDER, CodeBleuParts
from codekin.measures.compat.codebleu.dataflow import PACKAGE_RULES, dataflow
from codekin.measures.compat.codebleu.trees import (
    OLDER_GRAMMARS,
    PrintedSubtrees,
    older_tree,
    printed_subtrees,
    shapes_of_prints,
)
from codekin.measures.compat.tsed_package import is_printable
from codekin.represent.text.plain_tokens import string_ids
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.parsing import parse
from codekin.source import Source

__all__ = ["PackageCodeBleu", "without_comments"]

Ids = npt.NDArray[np.uint64]

_COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'])*'|\"(?:\\.|[^\\\"])*\"", re.DOTALL
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageCodeBleu(CodeBleuParts):
    """CodeBLEU as the package codebleu 0.7.0 computes it when PYTHONHASHSEED is 0.

    Parameters
    ----------
    weights : tuple of four floats
        The weights of the n-gram, keyword-weighted n-gram, syntax and data-flow match.

    Examples
    --------
    >>> from codekin import measure
    >>> codebleu = measure("codebleu", compat="codebleu")
    >>> round(codebleu.score("", "x = 1", language="python").value, 4)  # its answer to no answer
    0.25
    """

    name: ClassVar[str] = "codebleu"
    compat: ClassVar[str] = "codebleu"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "CodeBLEU as the package codebleu 0.7.0 computes it"

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Lengths and counts of the four parts, in the order of :meth:`from_statistics`."""
        language = _common_language(candidate, references)
        mine = _plain_ids(candidate)
        pool = [_plain_ids(reference) for reference in references]
        counts = _native.clipped_matches(mine, pool, ORDER)
        recalled = _recalled(mine, pool, counts, _keyword_ids(language))
        counts[ORDER:] = [max(1, total) for total in counts[ORDER:]]
        syntax = syntax_total = flow = flow_total = 0
        # For each reference the package strips the already stripped candidate again.
        for times, reference in enumerate(references, start=1):
            items = _structure(candidate, times)[1]
            other_items = _structure(reference, 1)[1]
            found, total = _subtrees_found(candidate, times, reference)
            syntax += found
            syntax_total += total
            flow += _native.sorted_overlap(other_items, items)[0]
            flow_total += len(other_items)
        closest = closest_length(len(mine), [len(ids) for ids in pool])
        return [len(mine), closest, *counts, 1, *recalled, syntax, syntax_total, flow, flow_total]

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        length, closest = statistics[0], statistics[1]
        ngram = _bleu(statistics[2:6], statistics[6:10], _penalty(length, closest))
        # The package uses the length of the pair (tokens, weights): two.
        weighted_penalty = _penalty(length, 2 * statistics[10])
        matched, total = list(statistics[11:15]), list(statistics[15:19])
        matched[0] /= KEYWORD_WEIGHT
        total[0] /= KEYWORD_WEIGHT
        weighted = _bleu(matched, total, weighted_penalty)
        syntax = statistics[19] / statistics[20]
        flow = statistics[21] / statistics[22] if statistics[22] else 0.0
        alpha, beta, gamma, theta = self.weights
        value = alpha * ngram + beta * weighted + gamma * syntax + theta * (flow or 1.0)
        parts = {"ngram": ngram, "weighted_ngram": weighted, "syntax": syntax, "dataflow": flow}
        return value, parts

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by the longest matched n-gram that covers it."""
        return explain_ngrams(self, candidate, reference, ORDER, True)


def _common_language(candidate: Source, references: Sequence[Source]) -> Language:
    language = references[0].language
    if any(s.language.name != language.name for s in (candidate, *references)):
        raise CodekinError("codebleu: the package compares texts of one language")
    if language.name not in PACKAGE_RULES:
        raise CodekinError(
            f"codebleu: the package does not know {language.title} "
            f"(it knows: {', '.join(PACKAGE_RULES)}); use the measure without compat"
        )
    return language


def _plain_ids(source: Source) -> Ids:
    ids: Ids = source.remember("codebleu tokens", lambda: _native.word_ids(source.text))
    return ids


_keywords: dict[str, Ids] = {}


def _keyword_ids(language: Language) -> Ids:
    ids = _keywords.get(language.name)
    if ids is None:
        words = _KEYWORDS[language.name].split()
        ids = _keywords[language.name] = np.sort(string_ids(words))
    return ids


def _recalled(
    candidate: Ids, references: Sequence[Ids], precise: Sequence[int], keywords: Ids
) -> list[int]:
    """The recall of the references' n-grams: matches of each order, then totals.

    The first order is weighted, in fifths. With one reference, the `precise` matches are also those
    of the recall.
    """
    matched, totals = [0] * ORDER, [0] * ORDER
    for reference in references:
        counts = list(precise[:ORDER])
        if len(references) > 1:
            counts = _native.clipped_matches(candidate, [reference], ORDER)[:ORDER]
        counts += [max(0, len(reference) - n) for n in range(ORDER)]
        places = np.minimum(np.searchsorted(keywords, reference), len(keywords) - 1)
        heavy = reference[keywords[places] == reference]
        heavy_matches = _native.clipped_matches(heavy, [candidate], 1)[0]
        matched[0] += counts[0] + (KEYWORD_WEIGHT - 1) * heavy_matches
        totals[0] += max(KEYWORD_WEIGHT, counts[ORDER] + (KEYWORD_WEIGHT - 1) * len(heavy))
        for n in range(1, ORDER):
            matched[n] += counts[n]
            totals[n] += max(1, counts[ORDER + n])
    return matched + totals


def _penalty(length: float, reference_length: float) -> float:
    if length > reference_length:
        return 1.0
    return math.exp(1 - reference_length / length) if length else 0.0


def _bleu(matches: Sequence[float], totals: Sequence[float], penalty: float) -> float:
    if matches[0] == 0:
        return 0.0
    logs = [
        math.log((match or 0.1) / total) / ORDER
        for match, total in zip(matches, totals, strict=True)
    ]
    return penalty * math.exp(math.fsum(logs))


def _code(source: Source, times: int) -> bytes:
    """The text as the package parses it, with comments stripped `times` times."""
    text = source.text.strip()
    for _ in range(times):
        shorter = without_comments(text, source.language.name)
        if shorter == text:
            break
        text = shorter
    return text.encode("utf-8", "surrogatepass")


def _structure(source: Source, times: int) -> tuple[PrintedSubtrees, Ids]:
    """Subtrees and items of data flow, of the text stripped `times` times."""

    def compute() -> tuple[PrintedSubtrees, Ids]:
        language, data = source.language, _code(source, times)
        parsed = parse(language.grammars[0], data)
        tree = FlatTree(language.grammars[0], *_native.flatten(parsed))
        older = OLDER_GRAMMARS.get(language.name)
        if older is not None:
            tree = older_tree(tree, older)
        found = printed_subtrees(parsed, tree, older)
        return found, dataflow(tree, data, PACKAGE_RULES[language.name])

    return source.remember(("codebleu structure", times), compute)


def _subtrees_found(candidate: Source, times: int, reference: Source) -> tuple[int, int]:
    """How many subtrees of the reference the candidate has, ignoring counts, and their total.

    Both counts use the same kind of shapes: an older grammar has other nodes than today's prints.
    """
    mine, theirs = _structure(candidate, times)[0], _structure(reference, 1)[0]
    if not (mine.complete and theirs.complete):
        printed, reference_printed = _printed(candidate, times), _printed(reference, 1)
        if printed is not None and reference_printed is not None:
            found = _native.sorted_members(reference_printed, printed)
            return found, len(reference_printed)
    return _native.sorted_members(theirs.shapes, mine.shapes), len(theirs.shapes)


def _printed(source: Source, times: int) -> Ids | None:
    """Shapes from the prints of the subtrees; None if the tree is too deep to print.

    The text is the one of :func:`_structure`. For the second reference the package strips an
    already stripped candidate, which can remove more: in Python, a string after a blank line is
    kept but the blank line is not, and then the string looks like a docstring. So each value of
    `times` has its own prints.
    """

    def compute() -> Ids | None:
        grammar = source.language.grammars[0]
        parsed = parse(grammar, _code(source, times))
        tree = FlatTree(grammar, *_native.flatten(parsed))
        return shapes_of_prints(parsed.root_node) if is_printable(tree) else None

    return source.remember(("codebleu prints", times), compute)


def without_comments(text: str, language: str) -> str:
    """The text without comments, and in Python without docstrings, as the package strips it.

    Examples
    --------
    >>> without_comments("int a; // first" + chr(10) * 2 + "int b;", "c")
    'int a;  \\nint b;'
    """
    if language == "ruby":
        return text
    if language == "python":
        try:
            kept = _without_python_comments(text)
        except Exception:  # on any tokeniser error, the package keeps the text
            return text
    else:
        kept = _COMMENT_OR_STRING.sub(lambda m: " " if m[0][0] == "/" else m[0], text)
    return "\n".join(line for line in kept.split("\n") if line.strip())


def _without_python_comments(text: str) -> str:
    quick = _native.without_python_comments(text) if text.isascii() else None
    return _rebuilt_from_tokens(text) if quick is None else quick


def _rebuilt_from_tokens(text: str) -> str:
    pieces: list[str] = []
    previous = tokenize.INDENT
    last_line, last_column = -1, 0
    for kind, string, (line, column), (end_line, end_column), _ in tokenize.generate_tokens(
        StringIO(text).readline
    ):
        if line > last_line:
            last_column = 0
        if column > last_column:
            pieces.append(" " * (column - last_column))
        # A string counts as a docstring at the beginning of a statement or in the first column.
        documents = kind == tokenize.STRING and (
            previous in (tokenize.INDENT, tokenize.NEWLINE) or column == 0
        )
        if kind != tokenize.COMMENT and not documents:
            pieces.append(string)
        previous = kind
        last_line, last_column = end_line, end_column
    return "".join(pieces)


_KEYWORDS = MappingProxyType(
    {
        "python": (
            "False None True and as assert async await break case class continue def del elif "
            "else except finally for from global if import in is lambda match nonlocal not or "
            "pass raise return try type while with yield"
        ),
        "java": (
            "abstract assert boolean break byte case catch char class const continue default "
            "do double else enum extends final finally float for goto if implements import "
            "instanceof int interface long native new package private protected public return "
            "short static strictfp super switch synchronized this throw throws transient try "
            "void volatile while"
        ),
        "javascript": (
            "True await break case catch class const continue debugger default delete do else "
            "enum export extends false finally for function if implements import in "
            "instanceof interface let new null package private protected public return static "
            "super switch this throw try typeof var void while with yield"
        ),
        "go": (
            "break case chan const continue default defer else fallthrough false for func go "
            "goto if import interface map package range return select struct switch true type "
            "var"
        ),
        "php": (
            "__halt_compiler abstract and array as break callable case catch class clone "
            "const continue declare default die do echo else elseif empty enddeclare endfor "
            "endforeach endif endswitch endwhile eval exit extends final for foreach function "
            "global goto if implements include include_once instanceof insteadof interface "
            "isset list namespace new or print private protected public require require_once "
            "return static switch throw trait try unset use var while xor"
        ),
        "ruby": (
            "BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def "
            "defined? do else elsif end ensure false for if in module next nil not or redo "
            "rescue retry return self super then true undef unless until when while yield"
        ),
        "rust": (
            "as async await block bool break char const continue crate default dyn else enum "
            "expr extern f32 f64 false fn for i128 i16 i32 i64 i8 ident if impl in isize item "
            "let lifetime literal loop macro_rules! match meta mod move mut pat path pub ref "
            "return self static stmt str struct super trait true tt ty type u128 u16 u32 u64 "
            "u8 union unsafe use usize vis where while yield"
        ),
        "csharp": (
            "abstract add alias as ascending async await base bool break by byte case catch "
            "char checked class const continue decimal default delegate descending do double "
            "dynamic else enum equals event explicit extern false finally fixed float for "
            "foreach from get global goto group if implicit in int interface internal into is "
            "join let lock long nameof namespace new notnull null object on operator orderby "
            "out override params partial private protected public readonly ref remove return "
            "sbyte sealed select set short sizeof stackalloc static string struct switch this "
            "throw true try typeof uint ulong unchecked unmanaged unsafe ushort using value "
            "var virtual void volatile when where while yield"
        ),
        "c": (
            "_Packed auto break case char const continue default do double else enum extern "
            "float for goto if int long register return short signed sizeof static struct "
            "switch typedef union unsigned void volatile while"
        ),
        "cpp": (
            "INT_MAX INT_MIN MAX_RAND NULL and and_eq asm auto bitand bitor bool break case "
            "catch char cin class compl const const_cast continue cout default delete do "
            "double dynamic_cast else endl enum explicit extern false float for friend goto "
            "if include inline int iomanip iostream long main mutable namespace new not "
            "not_eq npos operator or or_eq private protected public register reinterpret_cast "
            "return short signed sizeof static static_cast std string struct switch template "
            "this throw true try typedef typeid typename union unsigned using virtual void "
            "volatile wchar_t while xor xor_eq"
        ),
    }
)
"""The package's keywords, oddities included."""
