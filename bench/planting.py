"""Plant clones of real functions into real files, and record where they are.

`plant` copies files of repositories to a new folder, as ``LANGUAGE/REPOSITORY/PATH``, and inserts a
changed copy of some of their functions after functions of other files. ``truth.jsonl`` lists the
pairs, one JSON object per line with the kind of the clone, both places in the written files (lines
from 1, both ends included) and what was done. The kinds:

``T1``
    The same text with other layout and comments, or without any change for every second one.
``T2``
    New names, consistently, for everything but what the language itself provides.
``T2 literals``
    New names, numbers and strings.
``T3 10`` to ``T3 50``
    That share of the code lines, in percent, dropped, replaced or added, with lines of other
    functions. Only lines with a whole statement are changed; lines are added where too few exist.
``T4``
    At least three different restructurings of loops, conditions, assignments and the order of
    statements (see restructuring.py).

A function is copied at most once. It has 10 to 120 lines, at least 8 and at least half of them with
code, and at least 50 tokens, and no other function has the same tokens when names and literals are
ignored. A copy has no syntax error, and the file with it no more than before. The same seed gives
the same folder.

`adapted` plants what people do when they copy code and adapt it, which is harder to find. Functions
have 6 lines, 5 of them with code, and 40 tokens or more. For T3, any statement is changed: dropped
or replaced with all that are inside of it, added, or given another condition; the share is that of
statements, up to 5 % more or less. Every second copy of T3 and T4 has new names, consistently, for
its parameters, its local variables and itself (see adaptation.py).
"""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from adaptation import conditions, is_clean, statements, with_new_names, with_other_statements
from codekin import Source
from codekin.languages import get_language
from codekin.languages.rewriting import Rewriting
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree.fragments import Fragment, functions_of
from codekin.rewrite import rewrite
from codekin.rewrite.chance import generator
from codekin.rewrite.comments import add_comments
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import TextEdit, apply_edits, program_of
from codekin.scan.scanned_files import VENDORED
from codekin.whole_files import whole_file
from restructuring import BLOCKS, LANGUAGES, restructured, writer_of

SHARES = (10, 20, 30, 50)
KINDS = ("T1", "T2", "T2 literals", *(f"T3 {share}" for share in SHARES), "T4")
SUFFIXES = {
    "c": (".c",),
    "java": (".java",),
    "go": (".go",),
    "python": (".py",),
    "javascript": (".js", ".mjs", ".cjs"),
    "typescript": (".ts",),
}
_LEFT_OUT = {
    *VENDORED,
    *("dist", "build", "testdata", "debian"),
    *("bundles", "umd", "_esm5", "_esm2015", "lib.esm", "lib.commonjs", "generated", ".pc"),
    *("test", "tests", "__tests__", "testing", "examples", "docs", "demo", "samples", "migrations"),
}
_GENERATED = re.compile(r"generated|do not edit|@license", re.IGNORECASE)
_LONGEST_FILE, _LONGEST_LINE = 4000, 400
_ATTEMPTS = 12
_NEAR = 0.05
"""How far the share of changed statements may be from the stated one."""
NEW_NAMES = "new names of its own"
"""The last change of copies whose parameters, local variables and function are renamed."""
_SPARE = len(KINDS) + 4
"""Functions to read per pair of a kind: one for each kind, and some that a change does not suit."""
_CLASS = {"class_body"}
_TOP = {"translation_unit", "source_file", "module", "program", "export_statement"}
# A function read alone needs the class around it.
_WRAPPED = "class Wrapped {{\n{}\n}}\n"
_KEPT = {
    *("self", "cls", "super", "this", "main", "init", "constructor", "arguments", "undefined"),
    *("len", "cap", "append", "make", "new", "copy", "delete", "panic", "recover", "print"),
    *("println", "error", "string", "int", "nil", "iota", "true", "false", "byte", "rune", "_"),
    *("NULL", "NaN", "Infinity", "require", "module", "exports", "get", "set", "of", "as", "is"),
    *("async", "type", "from", "static", "defined", "va_arg", "va_start", "va_end", "sizeof"),
    *("record", "var", "sealed", "permits", "any", "never", "unknown", "object", "symbol"),
    *("readonly", "abstract", "declare", "keyof", "infer", "asserts", "match", "case", "bool"),
}
# What needs a loop, a switch, a generator or a class of its own around it, or ends the function.
_BOUND = re.compile(
    r"\b(return|break|continue|goto|throw|raise|yield|await|pass|case|default|fallthrough|super)\b"
)
_DUNDER = re.compile(r"__\w+__\Z")
_PLAIN_STRING = re.compile(r"""(["'])([^"'\\{}$%\n]*)\1\Z""")
_PLAIN_NUMBER = re.compile(r"([0-9]+)(\.[0-9]+)?([uUlLfF]*)\Z")


@dataclass(frozen=True)
class Sizes:
    """Which functions are copied, by their least and most lines, code lines and tokens."""

    lines: tuple[int, int]
    code_lines: int
    tokens: int


USUAL, SHORT = Sizes((10, 120), 8, 50), Sizes((6, 120), 5, 40)


@dataclass(frozen=True)
class CodeFile:
    """A file that clones can be planted into.

    Attributes
    ----------
    name : str
        Its path in the written folder.
    source : Source
    """

    name: str
    source: Source = field(repr=False)


@dataclass(frozen=True)
class Original:
    """A function that can be copied, or whose end is a place for a copy.

    Attributes
    ----------
    file : CodeFile
    fragment : Fragment
    context : str
        ``top`` or ``class``: where such a function can be.
    """

    file: CodeFile
    fragment: Fragment
    context: str

    @property
    def text(self) -> str:
        """The text of the function."""
        return self.fragment.text(self.file.source.data)


@dataclass(frozen=True)
class Planted:
    """A pair of the truth: the original first, then the copy."""

    language: str
    kind: str
    file1: str
    start1: int
    end1: int
    file2: str
    start2: int
    end2: int
    changes: tuple[str, ...]


def read_code(
    folder: Path,
    language: str,
    lines: int,
    seed: int,
    functions: int = 0,
    sizes: Sizes = USUAL,
) -> list[CodeFile]:
    """Files of a language from all repositories in a folder, in random order up to some lines.

    More are read where fewer than `functions` functions can be copied so far.

    Left out are tests and examples, and files that people do not write or read: vendored, bundled,
    generated, minified and very long ones, declarations without code, and what belongs to
    packaging.
    """
    paths = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES[language]
        and not path.name.endswith((".d.ts", ".min.js"))
        and "generated" not in path.name.lower()
        and _LEFT_OUT.isdisjoint(path.relative_to(folder).parts)
        and path.is_file()
        and not path.is_symlink()
    )
    generator("files", language, seed).shuffle(paths)
    found, count, suitable = [], 0, 0
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        rows = text.split("\n")
        unusual = "\r" in text or _GENERATED.search(text[:1000])
        if unusual or len(rows) > _LONGEST_FILE or max(map(len, rows)) > _LONGEST_LINE:
            continue
        name = f"{language}/{path.relative_to(folder).as_posix()}"
        found.append(CodeFile(name, Source(text, language)))
        count += len(rows)
        if functions:
            suitable += sum(_suits(function, sizes) for function in originals(found[-1:]))
        if count >= lines and suitable >= functions:
            break
    return found


def originals(files: Iterable[CodeFile]) -> list[Original]:
    """The functions of files that can be a place for a copy, or be copied."""
    found = []
    for file in files:
        source, language = file.source, file.source.language
        tree, data = source.tree, source.data
        for one in functions_of(tree, data, language, nested=False):
            outer, parent = one.node, int(tree.parent[one.node])
            while (
                parent >= 0
                and int(tree.end[parent]) == one.end
                and tree.kind_name(parent) not in _TOP | _CLASS
            ):
                outer, parent = parent, int(tree.parent[parent])
                if int(tree.start[outer]) < one.start:
                    break
            context = _context(source, parent)
            if context:
                found.append(Original(file, one, context))
    return found


def _context(source: Source, parent: int) -> str:
    tree = source.tree
    kind = tree.kind_name(parent) if parent >= 0 else ""
    if kind in _TOP:
        return "top"
    if kind in _CLASS:
        return "class"
    if kind == "block" and source.language.name == "python":
        above = tree.kind_name(int(tree.parent[parent]))
        return "class" if above == "class_definition" else ""
    return ""


def standalone(text: str, language: str, context: str) -> Source:
    """A function alone, in a class if it needs one."""
    plain = textwrap.dedent(text)
    wrap = context == "class" and language != "python"
    return Source(_WRAPPED.format(textwrap.indent(plain, "    ")) if wrap else plain, language)


def function_in(source: Source) -> str | None:
    """The text of the only function of a text, without indentation; None if it has an error."""
    if not is_clean(source):
        return None
    found = functions_of(source.tree, source.data, source.language, nested=False)
    if len(found) != 1:
        return None
    # The first line may begin behind a brace.
    text = found[0].text(source.data)
    return textwrap.dedent(text).strip("\n")


def _suits(one: Original, sizes: Sizes) -> bool:
    """Whether a function can be copied and changed."""
    language = one.file.source.language.name
    lines = one.fragment.last_line - one.fragment.first_line + 1
    if not sizes.lines[0] <= lines <= sizes.lines[1] or one.fragment.name in {"", "constructor"}:
        return False  # a class has only one constructor
    text = one.text
    if language == "c" and re.search(r"^\s*#|\\$", text, re.MULTILINE):
        return False
    alone = standalone(text, language, one.context)
    if function_in(alone) is None or len(alone.tokens) < sizes.tokens:
        return False
    if code_lines(text, language) < max(sizes.code_lines, lines / 2):
        return False  # mostly documentation
    return not any("\n" in token.text for token in alone.tokens if token.cls is TokenClass.STRING)


def _blind(one: Original) -> tuple[str, ...]:
    """The tokens of a function without its names and literals."""
    alone = standalone(one.text, one.file.source.language.name, one.context)
    named = {TokenClass.IDENTIFIER, TokenClass.TYPE}
    return tuple(
        "n" if token.cls in named else "l" if token.cls.is_literal else token.text
        for token in alone.tokens
    )


def copied(text: str, language: str, context: str, chance: random.Random) -> _Changed | None:
    """The function with other layout and comments; every second one stays as it is."""
    if chance.random() < 0.5:
        return textwrap.dedent(text).strip("\n"), ["copied"]
    source, made = standalone(text, language, context), []
    seed = chance.getrandbits(32)
    changes = {"layout": lambda one: rewrite(one, "layout", seed)}
    changes["comments"] = lambda one: _commented(one, chance)
    for name, change in changes.items():
        new = change(source)
        if new is not None:
            source, made = Source(new, language), [*made, name]
    text_after = function_in(source)
    return (text_after, made) if made and text_after else None


def _commented(source: Source, chance: random.Random) -> str | None:
    language = source.language
    facts = language.rewriting or Rewriting(blocks=frozenset(BLOCKS[language.name]))
    text = apply_edits(source.data, add_comments(program_of(source, facts), chance))
    after = Source(text, language)
    return None if after.problems or after.tokens.texts != source.tokens.texts else text


def renamed(
    text: str, language: str, context: str, chance: random.Random, *, literals: bool = False
) -> _Changed | None:
    """The function with new names, and new numbers and strings where `literals` is given."""
    source = standalone(text, language, context)
    kept = _KEPT | get_language(language).prelude
    words = set(re.findall(r"\w+", source.text))
    fresh = FreshNames(words, chance)
    new_names: dict[str, str] = {}
    tokens = source.tokens_with(comments=True)
    edits = []
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    for (start, end), token in zip(spans, tokens, strict=True):
        named = token.cls in {TokenClass.IDENTIFIER, TokenClass.TYPE}
        if named and re.fullmatch(r"[^\W\d]\w*", token.text):
            if token.text in kept or token.text == "Wrapped" or _DUNDER.match(token.text):
                continue
            if token.text not in new_names:
                new_names[token.text] = _in_style(token.text, fresh.take(), chance)
            edits.append(TextEdit(start, end, new_names[token.text]))
        elif literals and (new := _other_literal(token.text, chance)):
            edits.append(TextEdit(start, end, new))
    after = Source(apply_edits(source.data, edits), language)
    text_after = function_in(after)
    if not new_names or text_after is None:
        return None
    if len(after.tokens) != len(source.tokens):
        return None
    return text_after, ["new names", *(["new literals"] if literals else [])]


def _in_style(old: str, word: str, chance: random.Random) -> str:
    """A new name in the style of the old one: constants, types and several words."""
    if old.isupper() and len(old) > 1:
        return word.upper()
    if old[0].isupper():
        return word.capitalize() + (chance.choice(("", "Item", "View", "Set")))
    several = "_" in old.strip("_") or old != old.lower()
    if not several:
        return word
    second = chance.choice(("size", "list", "part", "mark", "rate", "row"))
    return f"{word}_{second}" if "_" in old else word + second.capitalize()


def _other_literal(text: str, chance: random.Random) -> str | None:
    number = _PLAIN_NUMBER.match(text)
    if number:
        whole, fraction, suffix = number.groups()
        if len(whole) > 1 and whole[0] == "0":
            return None
        digits = str(chance.randint(2, max(9, 10 ** len(whole) - 1)))
        return digits + (f".{chance.randint(1, 9)}" if fraction else "") + suffix
    string = _PLAIN_STRING.match(text)
    if string and (string[1] == '"' or len(string[2]) != 1):
        words = FreshNames((), chance)
        count = max(1, len(string[2].split()))
        return string[1] + " ".join(words.take() for _ in range(min(count, 8))) + string[1]
    return None


def statement_lines(source: Source) -> list[int]:
    """The lines, from 0, that consist of one statement of a block."""
    program = writer_of(source, random.Random(0)).program
    blocks = BLOCKS[source.language.name]
    lines = []
    for node in range(1, len(program)):
        if program.kinds[program.parents[node]] not in blocks or not program.is_content(node):
            continue
        start, end = program.starts[node], program.ends[node]
        line = program.slice(program.line_start(start), program.line_end(end))
        whole = line.strip().rstrip(";") == program.text(node).strip().rstrip(";")
        if whole and "\n" not in line and not line.rstrip().endswith(("{", "}", ":")):
            lines.append(program.data.count(b"\n", 0, start))
    return sorted(set(lines))


@dataclass(frozen=True)
class Donors:
    """What functions can take from others: lines with one statement, and conditions.

    Attributes
    ----------
    lines, conditions : list of (str, str)
        The file of each, and its text.
    """

    lines: list[tuple[str, str]]
    conditions: list[tuple[str, str]]

    def foreign(self, file: CodeFile) -> tuple[list[str], list[str]]:
        """The lines and conditions of other files."""
        return (
            [row for name, row in self.lines if name != file.name],
            [text for name, text in self.conditions if name != file.name],
        )


def donors(functions: Iterable[Original], language: str, *, adapted: bool) -> Donors:
    """What functions give to others; conditions where they are needed."""
    found = Donors([], [])
    for one in functions:
        alone = standalone(one.text, language, one.context)
        found.lines.extend((one.file.name, row) for row in free_lines(alone))
        if adapted:
            found.conditions.extend((one.file.name, text) for text in conditions(alone))
    return found


def free_lines(source: Source) -> list[str]:
    """Lines with one statement that can be read in any other function."""
    rows = source.text.split("\n")
    lines = [rows[line].strip() for line in statement_lines(source)]
    return [
        row
        for row in lines
        if len(row) > 4 and not _BOUND.search(row) and '"""' not in row and "'''" not in row
    ]


def altered(
    text: str,
    language: str,
    context: str,
    chance: random.Random,
    share: float,
    lines_of_others: list[str],
) -> _Changed | None:
    """The function with a share of its code lines dropped, replaced or added."""
    source = standalone(text, language, context)
    body = function_in(source)
    if body is None:
        return None
    wanted = max(1, round(share * code_lines(body, language)))
    done = with_other_lines(source, wanted, lines_of_others, chance)
    text_after = None if done is None else function_in(done[0])
    return None if done is None or text_after is None else (text_after, done[1])


def with_other_lines(
    source: Source, wanted: int, lines_of_others: list[str], chance: random.Random
) -> tuple[Source, list[str]] | None:
    """A text with some lines dropped, replaced or added, and how many of each.

    Each line is dropped or replaced at most once; where none is left, lines are added. None if
    twelve attempts give no text without a syntax error.
    """
    whole = statement_lines(source)
    if not whole:
        return None
    rows = source.text.split("\n")
    for _ in range(_ATTEMPTS):
        edited = [[row] for row in rows]
        counts = {"dropped": 0, "replaced": 0, "added": 0}
        free = [*whole]
        chance.shuffle(free)
        for _ in range(wanted):
            action = chance.choice([*counts]) if free else "added"
            line = chance.choice(whole) if action == "added" else free.pop()
            row = rows[line]
            other = row[: len(row) - len(row.lstrip())] + chance.choice(lines_of_others)
            if action == "added":
                edited[line].insert(chance.choice((0, len(edited[line]))), other)
            else:
                edited[line] = [one for one in edited[line] if one is not row]
                edited[line] += [other] if action == "replaced" else []
            counts[action] += 1
        after = Source("\n".join(row for here in edited for row in here), source.language)
        if is_clean(after):
            return after, [f"{n} {name}" for name, n in counts.items() if n]
    return None


def code_lines(text: str, language: str) -> int:
    """How many lines of a text begin a token other than layout and documentation."""
    left_out = TokenClass.COMMENT
    return len({one.line for one in Source(text, language).tokens if one.cls < left_out})


def rewritten(text: str, language: str, context: str, chance: random.Random) -> _Changed | None:
    """The function with at least three restructurings."""
    done = restructured(standalone(text, language, context), chance)
    if done is None:
        return None
    after = Source(done[0], language)
    text_after = function_in(after)
    return None if text_after is None else (text_after, done[1])


def adapted_statements(
    text: str,
    language: str,
    context: str,
    chance: random.Random,
    share: float,
    foreign: tuple[list[str], list[str]],
) -> _Changed | None:
    """The function with a share of its statements changed, whichever they are."""
    source = standalone(text, language, context)
    count = len(statements(writer_of(source, random.Random(0))))
    wanted = max(1, round(share * count))
    if not count or abs(wanted / count - share) > _NEAR:
        return None
    done = with_other_statements(source, wanted, *foreign, chance)
    text_after = None if done is None else function_in(done[0])
    return None if done is None or text_after is None else (text_after, done[1])


def with_names_of_its_own(
    changed: _Changed, one: Original, chance: random.Random
) -> _Changed | None:
    """A changed copy of a function with new parameters, local variables and function name."""
    text, changes = changed
    source = standalone(text, one.file.source.language.name, one.context)
    new = with_new_names(source, one.fragment.name, chance)
    if new is None:
        return None
    text_after = function_in(Source(new, source.language))
    return None if text_after is None else (text_after, [*changes, NEW_NAMES])


_Changed = tuple[str, list[str]]


def _copy(one: Original, kind: str, chance: random.Random, others: Donors) -> _Changed | None:
    language, text = one.file.source.language.name, one.text
    if kind == "T1":
        return copied(text, language, one.context, chance)
    if kind in {"T2", "T2 literals"}:
        return renamed(text, language, one.context, chance, literals=kind != "T2")
    if kind == "T4":
        return rewritten(text, language, one.context, chance)
    share = int(kind.split()[1]) / 100
    return altered(text, language, one.context, chance, share, others.foreign(one.file)[0])


def _adapted_copy(
    one: Original, kind: str, chance: random.Random, others: Donors, *, rename: bool
) -> _Changed | None:
    if not kind.startswith("T3"):
        changed = _copy(one, kind, chance, others)
    else:
        share, language = int(kind.split()[1]) / 100, one.file.source.language.name
        foreign = others.foreign(one.file)
        changed = adapted_statements(one.text, language, one.context, chance, share, foreign)
    if changed is None or not rename or kind[:2] not in {"T3", "T4"}:
        return changed
    return with_names_of_its_own(changed, one, chance)


@dataclass
class _Insertion:
    """A copy on its way into a file."""

    pair: tuple[Original, str, list[str]]
    place: int
    text: str


def _indented(text: str, base: str) -> str:
    return "\n".join(base + row if row.strip() else row for row in text.split("\n"))


def _place(host: Original, text: str) -> tuple[int, str] | None:
    """Where in a file a copy goes, and how it is written there."""
    data, end = host.file.source.data, host.fragment.end
    line_end = data.find(b"\n", end)
    if line_end < 0 or data[end:line_end].strip() not in {b"", b";"}:
        return None
    line = data[data.rfind(b"\n", 0, host.fragment.start) + 1 :].split(b"\n", 1)[0].decode()
    base = line[: len(line) - len(line.lstrip())]
    return line_end + 1, "\n" + _indented(text, base) + "\n"


def plant_language(
    files: list[CodeFile], language: str, pairs: int, seed: int, *, adapted: bool = False
) -> tuple[dict[str, str], list[Planted]]:
    """Plant clones of every kind into files of one language.

    Returns
    -------
    (dict of str to str, list of Planted)
        The texts of the files by name, and the truth.

    Raises
    ------
    ValueError
        If there are too few functions for `pairs` of a kind.
    """
    chance = generator("plant", language, seed)
    everything = originals(files)
    sizes = SHORT if adapted else USUAL
    good = [one for one in everything if _suits(one, sizes)]
    alike: dict[tuple[str, ...], int] = {}
    keys = [_blind(one) for one in good]
    for key in keys:
        alike[key] = alike.get(key, 0) + 1
    good = [one for one, key in zip(good, keys, strict=True) if alike[key] == 1]
    chance.shuffle(good)
    others = donors(good, language, adapted=adapted)
    hosts = [*everything]
    chance.shuffle(hosts)
    by_file: dict[str, list[_Insertion]] = {}
    sources = {file.name: file.source for file in files}
    used: set[int] = set()
    for kind in sorted(KINDS, key=lambda kind: kind != "T4"):  # T4 suits the fewest functions
        made = 0
        for place, one in enumerate(good):
            if made == pairs:
                break
            if place in used:
                continue
            if adapted:
                changed = _adapted_copy(one, kind, chance, others, rename=made % 2 == 1)
            else:
                changed = _copy(one, kind, chance, others)
            if changed is None:
                continue
            insertion = _insert(one, kind, changed, hosts, sources)
            if insertion is None:
                continue
            name, planted = insertion
            by_file.setdefault(name, []).append(planted)
            used.add(place)
            made += 1
        if made < pairs:
            raise ValueError(
                f"{language}: {made} of {pairs} clones of the kind {kind}: more code is needed"
            )
    return _written(sources, by_file, language)


def _insert(
    one: Original, kind: str, changed: _Changed, hosts: list[Original], sources: dict[str, Source]
) -> tuple[str, _Insertion] | None:
    """Take the first place in another file where a copy can be read."""
    for i, host in enumerate(hosts):
        if host.file.name == one.file.name or host.context != one.context:
            continue
        where = _place(host, changed[0])
        if where is None:
            continue
        place, text = where
        source = sources[host.file.name]
        new = source.data[:place] + text.encode() + source.data[place:]
        after = Source(new.decode(), source.language)
        if len(after.problems) > len(source.problems) or is_clean(source) > is_clean(after):
            continue
        del hosts[i]
        return host.file.name, _Insertion((one, kind, changed[1]), place, text)
    return None


def _written(
    sources: dict[str, Source], by_file: dict[str, list[_Insertion]], language: str
) -> tuple[dict[str, str], list[Planted]]:
    """Files with their copies, and the lines of both ends of each pair in them."""
    texts = {name: source.text for name, source in sources.items()}
    added: dict[str, list[tuple[int, int]]] = {}
    ends: list[tuple[_Insertion, str, int]] = []
    for name, insertions in by_file.items():
        data, pieces, reach, lines = sources[name].data, [], 0, 0
        for one in sorted(insertions, key=lambda one: one.place):
            pieces += [data[reach : one.place].decode(), one.text]
            reach = one.place
            first = data.count(b"\n", 0, one.place) + lines + 2  # after a blank line
            ends.append((one, name, first))
            lines += one.text.count("\n")
            added.setdefault(name, []).append((one.place, one.text.count("\n")))
        texts[name] = "".join([*pieces, data[reach:].decode()])
    truth = []
    for one, name, first in ends:
        original, kind, changes = one.pair
        file = original.file.name
        start = original.fragment.start
        shift = sum(count for place, count in added.get(file, ()) if place <= start)
        truth.append(
            Planted(
                *(language, kind, file),
                *(original.fragment.first_line + shift, original.fragment.last_line + shift),
                *(name, first, first + one.text.strip("\n").count("\n")),
                tuple(changes),
            )
        )
    truth.sort(key=lambda one: (KINDS.index(one.kind), one.file1, one.start1, one.file2))
    return texts, truth


def plant(
    code: Path, folder: Path, *, lines: int, pairs: int, seed: int, adapted: bool = False
) -> list[Planted]:
    """Write files of several languages with planted clones, and the truth.

    Parameters
    ----------
    code : Path
        A set of repositories, as ``LANGUAGE/REPOSITORY`` (see scan_code.py).
    folder : Path
        A new folder; the code goes to ``code`` in it, the truth to ``truth.jsonl``.
    lines : int
        Lines of code to take of each language, at least.
    pairs : int
        Clones of each kind and language.
    seed : int
    adapted : bool
        Whether to plant what people do when they adapt copies.
    """
    truth: list[Planted] = []
    folder.mkdir(parents=True)
    sizes = SHORT if adapted else USUAL
    for language in LANGUAGES:
        files = read_code(code / language, language, lines, seed, _SPARE * pairs, sizes)
        texts, planted = plant_language(files, language, pairs, seed, adapted=adapted)
        for name, text in texts.items():
            path = folder / "code" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as stream:
                stream.write(text.encode())
        truth += planted
    with whole_file(folder / "truth.jsonl") as stream:
        for one in truth:
            stream.write((json.dumps(asdict(one), ensure_ascii=False) + "\n").encode())
    return truth


def read_truth(path: Path) -> Iterator[Planted]:
    """The pairs of a file of truth."""
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            yield Planted(**{**row, "changes": tuple(row["changes"])})
