"""Real programs in the eight languages that have semantic graphs, and changes that keep them."""

from __future__ import annotations

import json
import random
import re
from importlib import resources
from pathlib import Path

from codekin import Source
from codekin.languages import TokenClass
from codekin.represent.flow.flow_ir import VariableKind
from codekin.rewrite import rewritable_languages, rewrite

LANGUAGES = ("python", "java", "c", "cpp", "javascript", "typescript", "go", "rust")
_SAMPLES = Path(__file__).parents[1] / "languages" / "samples"
_SUFFIXES = {"typescript": "ts", "go": "go", "rust": "rs"}
_LOCAL = (VariableKind.LOCAL, VariableKind.PARAMETER)
_FUNCTIONS = ("function_declaration", "method_declaration", "function_item")


def _read() -> dict[str, list[str]]:
    data = resources.files("codekin") / "data" / "programs.jsonl"
    found: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    for line in data.read_text("utf-8").splitlines():
        row = json.loads(line)
        found[row["language"]].append(row["code"])
    for language, suffix in _SUFFIXES.items():
        found[language].append((_SAMPLES / f"{language}.{suffix}").read_text("utf-8"))
    # What is plain JavaScript is TypeScript too.
    found["typescript"] += found["javascript"]
    found["go"].append(_GO)
    found["rust"].append(_RUST)
    return found


_GO = """\
package main

import "fmt"

func lowerBound(values []int, target int) int {
	low, high := 0, len(values)
	for low < high {
		middle := (low + high) / 2
		if values[middle] < target {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func countOf(values []int, target int) int {
	return lowerBound(values, target+1) - lowerBound(values, target)
}

func main() {
	numbers := []int{1, 2, 2, 3}
	fmt.Println(countOf(numbers, 2))
}
"""
_RUST = """\
fn gcd(first: u64, second: u64) -> u64 {
    let (mut large, mut small) = (first, second);
    while small != 0 {
        let rest = large % small;
        large = small;
        small = rest;
    }
    large
}

fn lcm(first: u64, second: u64) -> u64 {
    first / gcd(first, second) * second
}

fn main() {
    let mut total = 1;
    for number in 2..=10 {
        total = lcm(total, number);
    }
    println!("{}", total);
}
"""
PROGRAMS = _read()


def renamed(source: Source, seed: int) -> str | None:
    """The program with other names of local variables."""
    if source.language.name in rewritable_languages():
        return rewrite(source, "locals", seed)
    names = {name: f"{name}_{seed}" for name in _local_names(source)}
    return _rebuilt(source, names, " ") if names else None


def laid_out(source: Source, seed: int) -> str | None:
    """The program with other blanks."""
    if source.language.name in rewritable_languages():
        return rewrite(source, "layout", seed)
    return _rebuilt(source, {}, " " * (2 + seed % 5))


def reordered(source: Source, seed: int) -> str | None:
    """The program with its functions in another order."""
    if source.language.name in rewritable_languages():
        return rewrite(source, "functions", seed)
    tree = source.tree
    places = [
        (int(tree.start[node]), int(tree.end[node]))
        for node in range(len(tree))
        if tree.parent[node] == 0 and tree.kind_name(node) in _FUNCTIONS
    ]
    texts = [source.data[start:end] for start, end in places]
    random.Random(seed).shuffle(texts)
    made = source.data
    for (start, end), text in reversed(list(zip(places, texts, strict=True))):
        made = made[:start] + text + made[end:]
    return made.decode()


def _local_names(source: Source) -> set[str]:
    """Names that mean local variables wherever they stand."""
    ir = source.flow_ir
    local, other = set(), {ir.string(name) for name in (*ir.function_name, *ir.name)}
    for name, kind in zip(ir.variable_name.tolist(), ir.variable_kind.tolist(), strict=True):
        if name >= 0:
            (local if kind in _LOCAL else other).add(ir.string(name))
    for token in source.tokens:
        if token.cls is TokenClass.STRING:  # which may name variables to be printed
            other |= set(re.findall(r"\w+", token.text))
        if token.cls is TokenClass.TYPE:
            other.add(token.text)
    return {name for name in local - other if name.isidentifier() and name != "self"}


def _rebuilt(source: Source, names: dict[str, str], blank: str) -> str:
    """The text with tokens renamed, and with `blank` for the blanks between tokens of a line."""
    tokens = list(source.tokens_with(comments=True))
    made, last = [], 0
    for token in tokens:
        gap = source.text[last : token.start]
        made.append(blank if gap and not gap.strip(" ") and last else gap)
        made.append(names.get(token.text, token.text))
        last = token.end
    return "".join([*made, source.text[last:]])
