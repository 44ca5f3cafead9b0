"""Types of clones: equal up to layout, up to names, or by how much their lines and tokens share."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.labelled_pairs import TYPES, Pairs
from codekin.corpora.numbered_sequences import NumberedSequences
from codekin.corpora.printed_lines import line_ends
from codekin.corpora.reading import records
from codekin.corpora.snippets import Problems, Snippet
from codekin.errors import CodekinError
from codekin.languages.token_classes import TokenClass
from codekin.results import Column, Grid, Result, Section
from codekin.source import Source
from codekin.statistics.correlation import correlation_matrix

__all__ = [
    "CloneType",
    "NormalForm",
    "NormalForms",
    "SimilarityCheck",
    "TypeCheck",
    "TypeCount",
    "TypeTable",
    "check_types",
    "clone_type",
    "normalize",
    "type_pairs",
    "type_table",
]

CONSISTENT, BLIND = "consistent", "blind"

_TENTHS = 9, 7, 5
"""The least tenths of lines and tokens that VST3, ST3 and MT3 share."""
_T1, _T2, _VST3, _WEAK = (TYPES.index(one) for one in ("T1", "T2", "VST3", "WT3/T4"))
_CHUNK = 1 << 19
"""Pairs that are typed at once."""

_PAPER = dict(zip(TYPES, (0.0046, 0.0006, 0.0005, 0.0019, 0.0101, 0.9823), strict=True))
"""The shares of BigCloneBench's true pairs in table 2 of the multi-perspective paper."""

_PRIMITIVES = frozenset(
    {
        *("void", "boolean", "bool", "byte", "char", "short", "int", "long", "float", "double"),
        *("signed", "unsigned", "wchar_t"),
    }
)
# Plain numbers are compared several times faster than members of an enumeration.
_IDENTIFIER, _TYPE = int(TokenClass.IDENTIFIER), int(TokenClass.TYPE)
_FIRST_LITERAL, _LAST_LITERAL = int(TokenClass.INTEGER), int(TokenClass.NULL)
_LAYOUT = int(TokenClass.NEWLINE)
_SELF = frozenset({"this", "super"})


def _ids(*texts: str) -> tuple[int, ...]:
    return tuple(_native.string_ids(list(texts)).tolist())


_NAME, _LITERAL = _ids("<name>"), _ids("<literal>")
_SPLIT = {
    ">>": _ids(">", ">"),
    ">>>": _ids(">", ">", ">"),
    ">>=": _ids(">", ">="),
    ">>>=": _ids(">", ">", ">="),
}
"""Operators of Java that begin with what closes a list of types, and are several tokens."""

Ids = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]


class _TypeWithShares(NamedTuple):
    type: str
    line: float
    token: float
    renaming: str | None = None


class CloneType(_TypeWithShares, Result):
    """The type of a pair of clones.

    Attributes
    ----------
    type : str
        One of T1, T2, VST3, ST3, MT3 and WT3/T4.
    line, token : float
        The share of the longer snippet's lines and tokens that both have, in order, after layout,
        names and literals were normalized.
    renaming : str or None
        Of T2: ``consistent`` if each name of one snippet corresponds to one of the other,
        ``blind`` if not.
    """

    __slots__ = ()

    def grids(self) -> list[Grid]:
        """The type with the shares that decide it, in one row."""
        return [Grid("", self._fields, (tuple(self),))]


@dataclass(frozen=True, eq=False)
class NormalForm:
    """A snippet without what does not count.

    Attributes
    ----------
    exact : bytes
        Equal for snippets that differ in layout and comments only.
    consistent : bytes
        Equal for snippets that differ in names, each of which corresponds to one of the other, and
        in literals.
    blind : bytes
        Equal for snippets that differ in names and literals.
    lines, tokens : uint64 arrays
        The identities of the lines and tokens, names and literals replaced.
    """

    exact: bytes
    consistent: bytes
    blind: bytes
    lines: Ids
    tokens: Ids


def normalize(source: Source) -> NormalForm:
    r"""Normalize a snippet as BigCloneBench does before it compares two.

    Comments and layout are dropped, statements are printed one per line (see
    :func:`codekin.corpora.printed_lines.line_ends`), all names but those of primitive types become
    one name, and all literals, ``true`` and ``null`` included, one literal.

    Examples
    --------
    >>> first = normalize(Source("int f(int x) { return x; } // the same", "c"))
    >>> second = normalize(Source("int g(int y) {\n  return y;\n}", "c"))
    >>> len(first.lines), len(first.tokens), first.consistent == second.consistent
    (3, 11, True)
    """
    tokens = source.tokens
    java = source.language.name == "java"
    words = array("Q")
    numbers = array("q")
    line = array("Q")
    lines: list[bytes] = []
    names: dict[int, int] = {}
    columns = (tokens.texts, tokens.classes.tolist(), tokens.ids.tolist(), line_ends(source))
    for text, cls, identity, ends in zip(*columns, strict=True):
        if ends < 0:
            continue
        if _is_name(text, cls):
            numbers.append(names.setdefault(identity, len(names)))
            added = _NAME
        elif _FIRST_LITERAL <= cls <= _LAST_LITERAL:
            added = _LITERAL
        elif java and text in _SPLIT:
            added = _SPLIT[text]
        else:
            added = (identity,)
        words.extend(added)
        if cls < _LAYOUT:
            line.extend(added)
        if ends:
            lines.append(line.tobytes())
            lines += [b""] * (ends - 1)
            line = array("Q")
    lines.append(line.tobytes())
    while lines and not lines[-1]:
        lines.pop()
    blind = _digest(words.tobytes())
    return NormalForm(
        _digest(tokens.ids.tobytes()),
        _digest(blind + numbers.tobytes()),
        blind,
        np.frombuffer(b"".join(_digest(one, 8) for one in lines), np.uint64),
        np.frombuffer(words.tobytes(), np.uint64),
    )


def normal_form_of(language: str, code: str) -> NormalForm:
    """The normal form of a text in a language."""
    return normalize(Source(code, language))


def _is_name(text: str, cls: int) -> bool:
    if cls == _IDENTIFIER:
        return True
    return (cls == _TYPE and text not in _PRIMITIVES) or text in _SELF


def _digest(data: bytes, size: int = 16) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()


def clone_type(first: Source, second: Source) -> CloneType:
    """The type that two snippets have as clones of each other, and how similar they are.

    T1 and T2 are snippets that are equal once layout, or also names and literals, are normalized.
    The others are divided by the smaller one of both similarities: VST3 from 0.9, ST3 from 0.7,
    MT3 from 0.5, and WT3/T4 below.

    Parameters
    ----------
    first, second : Source

    References
    ----------
    .. [1] J. Svajlenko, J. F. Islam, I. Keivanloo, C. K. Roy, M. M. Mia, "Towards a big data
       curated benchmark of inter-project code clones", ICSME 2014.

    Examples
    --------
    >>> one = Source("int f(int x, int y) { return x + y; }", "c")
    >>> clone_type(one, Source("int g(int a, int b) { return a + b; }", "c"))
    CloneType(type='T2', line=1.0, token=1.0, renaming='consistent')
    >>> clone_type(one, Source("int f(int x, int y) { x *= 2; return x + y; }", "c"))
    CloneType(type='ST3', line=0.75, token=0.8, renaming=None)
    """
    forms = NormalForms.of([normalize(first), normalize(second)])
    pair = np.zeros(1, np.int32), np.ones(1, np.int32)
    codes, consistent = forms.types(*pair)
    line, token = forms.lines.similarity(*pair), forms.tokens.similarity(*pair)
    renaming = (CONSISTENT if consistent[0] else BLIND) if codes[0] == _T2 else None
    return CloneType(TYPES[codes[0]], float(line[0]), float(token[0]), renaming)


@dataclass(frozen=True, eq=False)
class NormalForms:
    """The normal forms of many snippets, which pairs of places are compared by.

    Attributes
    ----------
    exact, consistent, blind : int32 arrays
        A number per snippet, the same for snippets that are equal; see :class:`NormalForm`.
    lines, tokens : NumberedSequences
    """

    exact: Places
    consistent: Places
    blind: Places
    lines: NumberedSequences
    tokens: NumberedSequences

    @classmethod
    def of(cls, normalized: Sequence[NormalForm]) -> NormalForms:
        """Gather the normal forms of single snippets."""

        def marks(keys: Iterable[bytes]) -> Places:
            seen: dict[bytes, int] = {}
            return np.array([seen.setdefault(one, len(seen)) for one in keys], np.int32)

        return cls(
            marks(one.exact for one in normalized),
            marks(one.consistent for one in normalized),
            marks(one.blind for one in normalized),
            NumberedSequences([one.lines for one in normalized]),
            NumberedSequences([one.tokens for one in normalized]),
        )

    @classmethod
    def of_snippets(
        cls, snippets: Sequence[Snippet], *, workers: int | None = None, where: str = "corpus"
    ) -> NormalForms:
        """The normal forms of snippets, computed as in :func:`each_snippet`."""
        different = {(one.language, one.code): one for one in snippets}
        found = each_snippet(normal_form_of, list(different.values()), workers=workers, where=where)
        known = dict(zip(different, found, strict=True))
        return cls.of([known[one.language, one.code] for one in snippets])

    def types(self, first: Places, second: Places) -> tuple[Codes, Mask]:
        """The type of each pair, and which pairs are renamed consistently."""
        found = np.full(len(first), _WEAK, np.int8)
        found[self.blind[first] == self.blind[second]] = _T2
        found[self.exact[first] == self.exact[second]] = _T1
        renamed = self.consistent[first] == self.consistent[second]
        others = np.flatnonzero(found == _WEAK)
        a, b = first[others], second[others]
        lines = self.lines.common(a, b, _TENTHS[-1]).astype(np.int64)
        kept = np.flatnonzero(lines >= 0)
        others, a, b, lines = others[kept], a[kept], b[kept], lines[kept]
        tokens = self.tokens.common(a, b, _TENTHS[-1]).astype(np.int64)
        band = np.full(len(others), _WEAK, np.int8)
        for code, tenths in reversed(list(enumerate(_TENTHS, _VST3))):
            enough = (10 * lines >= tenths * self.lines.longer(a, b)) & (
                10 * tokens >= tenths * self.tokens.longer(a, b)
            )
            band[enough] = code
        found[others] = band
        return found, (found == _T2) & renamed


def type_pairs(corpus: Corpus, pairs: Pairs | None = None, *, workers: int | None = None) -> Corpus:
    """Give the clones among the pairs of a corpus their types.

    Pairs that are labelled as no clones get no type; those without a label do.

    Parameters
    ----------
    corpus : Corpus
    pairs : Pairs, optional
        In place of those of the corpus.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this process.

    Raises
    ------
    CodekinError
        If the corpus has no pairs.
    """
    chosen = _some_pairs(corpus, corpus.pairs if pairs is None else pairs)
    found, consistent = _types(corpus, chosen, workers)
    made = replace(corpus, pairs=replace(chosen, type=(found, TYPES)))
    return made.with_step(corpus, Step("type", after=_counts(found, consistent)))


def _some_pairs(corpus: Corpus, pairs: Pairs | None) -> Pairs:
    if pairs is None or not len(pairs):
        raise CodekinError(
            f"{corpus.name}: has no pairs to give types to; add a file of them (codekin corpus "
            "read --pairs FILE), or count all pairs with a functionality in common with --table"
        )
    return pairs


def _types(corpus: Corpus, pairs: Pairs, workers: int | None) -> tuple[Codes, Mask]:
    """The type of each pair, -1 if it is not a clone, and which are renamed consistently."""
    clones = np.flatnonzero(pairs.label != 0)
    forms, first, second = _forms_of(corpus, pairs.take(clones), workers)
    codes, consistent = np.full(len(pairs), -1, np.int8), np.zeros(len(pairs), bool)
    codes[clones], consistent[clones] = forms.types(first, second)
    return codes, consistent


def _forms_of(
    corpus: Corpus, pairs: Pairs, workers: int | None
) -> tuple[NormalForms, Places, Places]:
    """The forms of the snippets in some pairs, and the pairs by their places among them."""
    used, places = np.unique(np.concatenate([pairs.first, pairs.second]), return_inverse=True)
    snippets = [corpus.snippets[i] for i in used.tolist()]
    forms = NormalForms.of_snippets(snippets, workers=workers, where=corpus.name)
    first, second = np.split(places.astype(np.int32), 2)
    return forms, first, second


def _counts(codes: Codes, consistent: Mask) -> dict[str, int]:
    """How many pairs there are of each type, those of T2 by how they were renamed."""
    counts = np.bincount(codes[codes >= 0], minlength=len(TYPES)).tolist()
    renamed = int(np.count_nonzero(consistent))
    found = dict(zip(TYPES, counts, strict=True))
    kinds = {f"T2 {CONSISTENT}": renamed, f"T2 {BLIND}": found["T2"] - renamed}
    return {
        name: count
        for one in TYPES
        for name, count in (kinds.items() if one == "T2" else [(one, found[one])])
    }


@dataclass(frozen=True)
class TypeCount:
    """How many pairs of clones have a type.

    Attributes
    ----------
    type : str
    renaming : str or None
        Of T2: ``consistent`` or ``blind``.
    pairs : int
    share : float
        Of all pairs of clones.
    """

    type: str
    renaming: str | None
    pairs: int
    share: float


@dataclass(frozen=True)
class TypeTable(Result):
    """The types of all clones of a corpus.

    Attributes
    ----------
    corpus : str
    snippets : int
        That the pairs are made of.
    pairs : int
        Pairs of clones.
    all_pairs : bool
        Whether they are all pairs of snippets with a functionality in common.
    types : tuple of TypeCount
        From T1 to WT3/T4.
    """

    corpus: str
    snippets: int
    pairs: int
    all_pairs: bool
    types: tuple[TypeCount, ...]

    def grids(self) -> list[Grid]:
        """A line per type, with the share that it has in the paper."""
        shown = []
        for one in self.types:
            name = one.type if one.renaming is None else f"{one.type} {one.renaming}"
            published = None if one.renaming == BLIND else 100 * _PAPER[one.type]
            shown.append((name, one.pairs, 100 * one.share, published))
        columns = (
            "type",
            "pairs",
            Column("%", name="percent", digits=2),
            Column("BigCloneBench in the paper, %", name="paper_percent", digits=2),
        )
        return [Grid("", columns, tuple(shown))]

    def section(self) -> Section:
        """The table under what it counts."""
        return Section(f"Types of the clones of {self.corpus}", content=tuple(self.grids()))

    def notes(self) -> list[str]:
        """What was counted."""
        which = (
            f"all {self.pairs:,} pairs of {self.snippets:,} snippets with a functionality in common"
            if self.all_pairs
            else f"{self.pairs:,} pairs of {self.snippets:,} snippets"
        )
        return [
            f"{which}; the paper's shares are those of all true pairs of BigCloneBench in table 2 "
            "of the multi-perspective evaluation",
            "T2 consistent: each name of one snippet corresponds to one of the other; T2 blind: "
            "equal only if all names become one, which BigCloneBench calls VST3",
        ]


def type_table(
    corpus: Corpus, pairs: Pairs | None = None, *, workers: int | None = None
) -> TypeTable:
    """Count the types of the clones of a corpus.

    Parameters
    ----------
    corpus : Corpus
    pairs : Pairs, optional
        What to count; those that are labelled as no clones are left out. By default, all pairs of
        snippets with a functionality in common, which are made and typed piece by piece, and never
        kept.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this process.

    Raises
    ------
    CodekinError
        If there is nothing to count.
    """
    total: Counter[str] = Counter()
    if pairs is not None:
        total.update(_counts(*_types(corpus, _some_pairs(corpus, pairs), workers)))
        snippets = len(np.unique(np.concatenate([pairs.first, pairs.second])))
    else:
        members = [one for one in corpus.snippets if one.functionalities]
        forms = NormalForms.of_snippets(members, workers=workers, where=corpus.name)
        for first, second in _true_pairs(members):
            total.update(_counts(*forms.types(first, second)))
        snippets = len(members)
    clones = sum(total.values())
    if not clones:
        raise CodekinError(
            f"{corpus.name}: has no clones to give types to: "
            + (
                "no two snippets have a functionality in common"
                if pairs is None
                else "every pair is labelled 0"
            )
        )
    types = tuple(
        TypeCount(*_split_name(name), count, count / clones) for name, count in total.items()
    )
    return TypeTable(corpus.name, snippets, clones, pairs is None, types)


def _split_name(name: str) -> tuple[str, str | None]:
    kind, _, renaming = name.partition(" ")
    return kind, renaming or None


def _true_pairs(snippets: Sequence[Snippet]) -> Iterator[tuple[Places, Places]]:
    """All pairs of snippets that have a functionality in common, each once, in pieces."""
    members: dict[str, list[int]] = {}
    for i, one in enumerate(snippets):
        for name in one.functionalities:
            members.setdefault(name, []).append(i)
    arrays = {name: np.array(found, np.int32) for name, found in members.items()}
    rows: list[tuple[int, Places]] = []
    size = 0
    for i, one in enumerate(snippets):
        names = one.functionalities
        found = [arrays[name][np.searchsorted(arrays[name], i, "right") :] for name in names]
        others = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
        rows.append((i, others))
        size += len(others)
        if size >= _CHUNK:
            yield _joined(rows)
            rows, size = [], 0
    if size:
        yield _joined(rows)


def _joined(rows: Sequence[tuple[int, Places]]) -> tuple[Places, Places]:
    firsts = np.array([i for i, _ in rows], np.int32)
    return np.repeat(firsts, [len(one) for _, one in rows]), np.concatenate(
        [one for _, one in rows]
    )


@dataclass(frozen=True)
class SimilarityCheck:
    """How a similarity agrees with that of a file.

    Attributes
    ----------
    name : str
        ``line`` or ``token``.
    pairs : int
        Those that the file has a similarity for, without T1 and T2.
    equal : float
        The share of pairs with the same similarity, to six decimals.
    difference : float
        The mean absolute difference.
    pearson, spearman : float
    """

    name: str
    pairs: int
    equal: float
    difference: float
    pearson: float
    spearman: float


@dataclass(frozen=True)
class TypeCheck(Result):
    """How the types of pairs agree with those that a file gives them.

    Attributes
    ----------
    corpus : str
    pairs : int
    confusion : mapping of str to mapping of str to int
        How many pairs of each type in the file have which type here.
    merged : bool
        Whether VST3 counts as ST3, because the file does not have it.
    agreement : mapping of str to float
        The share of pairs of each type in the file that have the same type here.
    equal_types : float
        The same over T1 and T2.
    bands : float
        The same over all other types.
    similarities : tuple of SimilarityCheck
        Empty if the file has none.
    """

    corpus: str
    pairs: int
    confusion: Mapping[str, Mapping[str, int]]
    merged: bool
    agreement: Mapping[str, float]
    equal_types: float
    bands: float
    similarities: tuple[SimilarityCheck, ...]

    def grids(self) -> list[Grid]:
        """The confusion matrix, the agreement, and the correlations."""
        heads = tuple(next(iter(self.confusion.values())))
        matrix = tuple(
            (name, *counts.values(), self.agreement[name])
            for name, counts in self.confusion.items()
        )
        both = (("T1 and T2", self.equal_types), ("all other types", self.bands))
        shown = [
            Grid(
                "Pairs by type: the file's in rows, codekin's in columns",
                ("type", *heads, Column("agreement")),
                matrix,
            ),
            Grid("", ("types", Column("agreement")), both),
        ]
        if self.similarities:
            rows = tuple(
                (one.name, one.pairs, one.equal, one.difference, one.pearson, one.spearman)
                for one in self.similarities
            )
            columns = ("similarity", "pairs", "equal", "mean difference", "Pearson", "Spearman")
            shown.append(Grid("Similarities of pairs that are not T1 or T2", columns, rows))
        return shown

    def notes(self) -> list[str]:
        """How to read the table."""
        found = []
        if self.merged:
            found.append("the file has no VST3, so VST3 counts as ST3")
        blind = sum(
            counts[f"T2 {BLIND}"] for name, counts in self.confusion.items() if name != "T2"
        )
        if blind:
            found.append(
                f"{blind:,} pairs that the file does not call T2 are equal if all names become "
                "one; BigCloneBench calls only consistent renaming T2"
            )
        return found


def check_types(corpus: Corpus, path: str | Path, *, workers: int | None = None) -> TypeCheck:
    """Compare the types of pairs with those that a file gives them.

    Parameters
    ----------
    corpus : Corpus
        With the snippets that the file names.
    path : str or Path
        Rows with ``id1``, ``id2`` and ``type``, and optionally ``sim_line`` and ``sim_token``.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this process.

    Raises
    ------
    CodekinError
        If the file cannot be read, lacks a column, names a snippet that is not there or a type
        that does not exist; with the count and the first cases.
    """
    problems = Problems(str(path))
    rows = records(path, problems)
    problems.check()
    if not rows:
        raise CodekinError(f"{path}: has no rows")
    missing = [name for name in ("id1", "id2", "type") if name not in rows[0]]
    if missing:
        raise CodekinError(
            f"{path}: has no column {' and '.join(missing)}; pairs with types have id1, id2 and "
            "type"
        )
    for i, row in enumerate(rows, 1):
        if row.get("type") not in TYPES:
            problems.add(
                f"a type that is none of {', '.join(TYPES)}", f"row {i}: {row.get('type')!r}"
            )
    given = Pairs.of_rows(rows, corpus.snippets, problems)
    similarities = {
        name: _similarities(rows, name, problems)
        for name in ("sim_line", "sim_token")
        if name in rows[0]
    }
    problems.check()
    return _checked(corpus, given, similarities, workers)


def _similarities(rows: Sequence[Mapping[str, object]], name: str, problems: Problems) -> Floats:
    found = np.full(len(rows), np.nan)
    for i, row in enumerate(rows):
        value = row.get(name)
        if value is None or value == "":
            continue
        try:
            found[i] = float(str(value))
        except ValueError:
            problems.add(f"{name} is not a number", f"row {i + 1}: {value!r}")
    return found


def _checked(
    corpus: Corpus,
    given: Pairs,
    similarities: Mapping[str, Floats],
    workers: int | None,
) -> TypeCheck:
    forms, first, second = _forms_of(corpus, given, workers)
    found, consistent = forms.types(first, second)
    assert given.type is not None  # every row has one
    numbers = np.array([TYPES.index(name) for name in given.type[1]], np.int8)
    wanted = numbers[given.type[0]]
    confusion = {
        name: _counts(found[rows], consistent[rows])
        for code, name in enumerate(TYPES)
        for rows in [wanted == code]
        if rows.any()
    }
    merged = not (wanted == _VST3).any()
    same = found == wanted
    if merged:
        same |= (found == _VST3) & (wanted == _VST3 + 1)

    def share(rows: Mask) -> float:
        return float(same[rows].mean()) if rows.any() else float("nan")

    others = (wanted != _T1) & (wanted != _T2)
    return TypeCheck(
        corpus.name,
        len(given),
        confusion,
        merged,
        {name: share(wanted == TYPES.index(name)) for name in confusion},
        share(~others),
        share(others),
        _similarity_checks(forms, first[others], second[others], similarities, others),
    )


def _similarity_checks(
    forms: NormalForms,
    first: Places,
    second: Places,
    given: Mapping[str, Floats],
    rows: Mask,
) -> tuple[SimilarityCheck, ...]:
    if not given or not len(first):
        return ()
    computed = {
        "sim_line": forms.lines.similarity(first, second),
        "sim_token": forms.tokens.similarity(first, second),
    }
    found = []
    for name, values in given.items():
        known = np.isfinite(values[rows])
        mine, its = computed[name][known], values[rows][known]
        if not len(mine):
            continue
        difference = np.abs(mine - its)
        found.append(
            SimilarityCheck(
                name.removeprefix("sim_"),
                len(mine),
                float((difference < 1e-6).mean()),
                float(difference.mean()),
                float(correlation_matrix([mine, its])[0, 1]),
                float(correlation_matrix([mine, its], ranks=True)[0, 1]),
            )
        )
    return tuple(found)
