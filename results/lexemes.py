"""Lexemes compared with the tree's tokens, and their speed: ``python results/lexemes.py DATA_DIR``.

Tokenises the distinct programs in a folder of codekin's row formats, and the tests' samples, both
ways. For each language, prints the share of programs without parse errors whose lexemes equal the
tokens, ignoring layout; the most common differences of the others; and the megabytes per second.
"""

from __future__ import annotations

import argparse
import difflib
import json
import lzma
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codekin.languages import get_language, language_of_file
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.lexemes import lex
from codekin.represent.text.positions import Positions
from codekin.source import Source

_REPEATS = 5
_SAMPLES = Path(__file__).parents[1] / "tests" / "languages" / "samples"
_TEXTS = ("code", "origin", "reference", "candidate")
_DIRECTIVE = re.compile(r"#\s*(\w+)\Z")


def texts(row: dict[str, Any], file: Path) -> Iterator[tuple[str, str]]:
    """Every piece of code in a row, with its language."""
    if "canonical_solution" in row:  # HumanEvalPack, one file per language
        for solution in ("canonical_solution", "buggy_solution"):
            yield row["declaration"] + row[solution] + "\n" + row["test"], file.name.split(".")[0]
    for key, part in row.items():
        if isinstance(part, dict):
            yield from texts(part, file)
        elif key in _TEXTS:
            yield part, row["language"]


def programs(data: Path) -> dict[str, list[str]]:
    """Distinct programs by language."""
    found: dict[str, dict[str, None]] = {}
    for file in sorted(data.rglob("*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                for text, language in texts(json.loads(line), file):
                    found.setdefault(get_language(language).name, {})[text] = None
    for file in sorted(_SAMPLES.iterdir()):
        known = language_of_file(file)
        if known is not None:
            found.setdefault(known.name, {})[file.read_text(encoding="utf-8")] = None
    return {language: list(some) for language, some in sorted(found.items())}


def of_tree(source: Source) -> list[str]:
    """The tokens of the tree, with multi-word keywords and types split into words."""
    shown = []
    for text, cls in zip(source.tokens.texts, source.tokens.classes.tolist(), strict=True):
        if cls >= TokenClass.NEWLINE:
            continue
        directive = _DIRECTIVE.match(text)
        if directive and "#" not in source.language.lexical.sigils:
            shown += ["#", directive.group(1)]
        elif cls in (TokenClass.KEYWORD, TokenClass.TYPE):
            shown += text.split()
        else:
            shown.append(text)
    return shown


def of_lexer(source: Source) -> list[str]:
    """The lexemes without layout."""
    lexemes = source.lexemes
    return [
        t for t, layout in zip(lexemes.texts, lexemes.layout.tolist(), strict=True) if not layout
    ]


def differences(tree: list[str], lexer: list[str]) -> Iterator[str]:
    """Where the two differ: the tokens, and the lexer's version of them."""
    matcher = difflib.SequenceMatcher(None, tree, lexer, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield f"{' '.join(tree[i:j])[:60]!r} -> {' '.join(lexer[k:m])[:60]!r}"


def compare(language: str, some: list[str], shown: int) -> None:
    """Print the share of programs with equal tokens, and how the others differ."""
    alike = parsed = 0
    kinds: Counter[str] = Counter()
    for text in some:
        source = Source(text, language)
        if source.problems:
            continue
        parsed += 1
        tree, lexer = of_tree(source), of_lexer(source)
        alike += tree == lexer
        if tree != lexer:
            kinds.update(set(differences(tree, lexer)))
    share = f"{100 * alike / parsed:6.2f} %" if parsed else "no programs parse"
    print(
        f"{language:12} {share} of {parsed:,} programs without parse errors ({len(some):,} in all)"
    )
    for kind, count in kinds.most_common(shown):
        print(f"    {count:6} {kind}")


def speed(language: str, some: list[str]) -> str:
    """Megabytes per second of processor time, over at least two megabytes of programs."""
    data = [text.encode("utf-8", "surrogatepass") for text in some]
    data *= 1 + 2_000_000 // max(1, sum(map(len, data)))
    lexical = get_language(language).lexical
    rates = []
    for _ in range(_REPEATS):
        begin = time.process_time()
        for one in data:
            lex(one, lexical, Positions(one), comments=False)
        rates.append(sum(map(len, data)) / (time.process_time() - begin) / 1e6)
    return f"{language:12} {statistics.median(rates):6.1f} ({min(rates):.1f} to {max(rates):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="a folder of rows")
    parser.add_argument("--most", type=int, default=3000, help="programs of each language")
    parser.add_argument("--differences", type=int, default=8, help="differences to show")
    parser.add_argument("--languages", nargs="*", help="only these")
    chosen = parser.parse_args()
    found = programs(chosen.data)
    wanted = [name for name in found if not chosen.languages or name in chosen.languages]
    for language in wanted:
        step = max(1, len(found[language]) // chosen.most)
        compare(language, found[language][::step], chosen.differences)
    print("megabytes per second:")
    for language in wanted:
        print(speed(language, found[language]))


if __name__ == "__main__":
    main()
