"""Joern's program dependence graphs and ours, both projected to edges between lines.

What counts in Joern's export (FILE.pdg.dot for the edges, FILE.json for the nodes):

- Control (CDG) and data (DDG) edges within a method, as (line, line, kind); a line is where the
  node's code starts. Several node edges between two lines are one line edge.
- Edges from METHOD and to METHOD_RETURN are left out: Joern draws one to nearly every node that has
  an identifier or a literal, and one from every definition that is not killed. They say nothing
  about what depends on what, and agreeing on them is too easy.
- Edges within a line are left out of the main figure: at operation granularity nearly every line
  that does two things has one, whatever the conventions. ``same_line=True`` keeps them.
- Edges between methods (Joern ties captured names to their first definition) are left out: ours are
  within functions.
- What is not in the program is left out: the assignments ``int = __builtins__.int`` at the start of
  a Python module, and the methods that Joern adds to classes (such as ``<metaClassAdapter>``).
- A node without a line (Java's ``new int[n]``) takes the line of the next node that runs.
- Joern's export has no break, continue or goto, no control by a literal (``while (true)``), and
  nothing for what a handler catches; these are left out of ours too.
- Our entries represent the receiver (``this``, ``self``), which is a parameter in Joern's graphs:
  data edges from them count, control edges do not.

:attr:`LineGraph.left_out` counts what is left out. If Joern's parser fails, its graph has an
``ErrorStatement`` instead of the code, and :attr:`LineGraph.is_parsed` is False.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from codekin.represent.graph.parts import EdgeKind, Node
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["KINDS", "LineGraph", "Witness", "joern_lines", "our_lines"]

KINDS = ("control", "data")
_JOERN_KINDS = {"CDG": "control", "DDG": "data"}
_EDGE = re.compile(r'^  "(\d+)" -> "(\d+)"  \[ label = "(DDG|CDG):', re.MULTILINE)
_METHOD = re.compile(r"^// method .* id=(\d+) line=\S+$", re.MULTILINE)
_JUMPS = ("break", "continue", "goto", "assert")
_MADE_METHODS = ("<metaClass", "<fakeNew>")
_UNPARSED = "ErrorStatement("

LineEdge = tuple[str, int, int]


@dataclass(frozen=True)
class Witness:
    """One of the node edges behind a line edge: its ends and their text."""

    source: str
    target: str
    source_text: str
    target_text: str

    def __str__(self) -> str:
        return f"{_short(self.source_text)} -> {_short(self.target_text)}"


@dataclass(frozen=True)
class LineGraph:
    """Edges between lines, each with the node edges behind it, and what was left out."""

    edges: dict[LineEdge, tuple[Witness, ...]]
    left_out: Counter[str]
    is_parsed: bool = True

    def of_kind(self, kind: str, *, same_line: bool = False) -> set[tuple[int, int]]:
        """Its control or data edges."""
        return {(a, b) for k, a, b in self.edges if k == kind and (same_line or a != b)}


class _Method:
    """A method of Joern's JSON: its nodes, and their lines."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.name: str = document["name"]
        self.nodes: dict[int, list[str | None]] = {
            int(key): value for key, value in document["nodes"].items()
        }
        self._edges = document["rawedges"]

    @cached_property
    def _next(self) -> dict[int, int]:
        return {a: b for a, b, kind in self._edges if kind == "CFG"}

    def line(self, node: int) -> int | None:
        seen = set()
        while node in self.nodes and node not in seen:
            line = self.nodes[node][3]
            if line is not None:
                return int(line)
            seen.add(node)
            node = self._next.get(node, -1)
        return None

    def kind(self, node: int) -> str:
        label, name = self.nodes[node][:2]
        return str(name) if label == "CALL" else str(label)

    def text(self, node: int) -> str:
        return str(self.nodes[node][2])

    @property
    def is_parsed(self) -> bool:
        return not any(self.text(node).startswith(_UNPARSED) for node in self.nodes)


def joern_lines(path: Path) -> LineGraph:
    """Joern's graph of a program; `path` is its JSON, the DOT file is next to it."""
    document = json.loads(path.read_text(encoding="utf-8"))
    methods = {method["id"]: _Method(method) for method in document["methods"]}
    dot = path.with_name(path.name.removesuffix(".json") + ".pdg.dot").read_text(encoding="utf-8")
    parts = _METHOD.split(dot)[1:]
    found: dict[LineEdge, list[Witness]] = {}
    left_out: Counter[str] = Counter()
    for number, part in zip(parts[::2], parts[1::2], strict=True):
        method = methods[int(number)]
        for a, b, label in _EDGE.findall(part):
            reason = _left_out(method, int(a), int(b))
            if reason:
                left_out[f"{_JOERN_KINDS[label]}: {reason}"] += 1
                continue
            source, target = method.line(int(a)), method.line(int(b))
            if source is None or target is None:
                left_out[f"{_JOERN_KINDS[label]}: no line"] += 1
                continue
            witness = Witness(
                method.kind(int(a)), method.kind(int(b)), method.text(int(a)), method.text(int(b))
            )
            found.setdefault((_JOERN_KINDS[label], source, target), []).append(witness)
    is_parsed = all(method.is_parsed for method in methods.values())
    return LineGraph({edge: tuple(w) for edge, w in found.items()}, left_out, is_parsed)


def _left_out(method: _Method, source: int, target: int) -> str:
    """Why an edge between nodes does not count, or an empty string."""
    if method.name.startswith(_MADE_METHODS) or method.name.endswith("<metaClassAdapter>"):
        return "methods that Joern adds to classes"
    if source not in method.nodes or target not in method.nodes:
        return "between methods"
    if method.kind(source) == "METHOD":
        return "from METHOD"
    if method.kind(target) == "METHOD_RETURN":
        return "to METHOD_RETURN"
    if "= __builtins__." in method.text(source):
        return "builtins as variables"
    return ""


def our_lines(graph: SemanticGraph) -> LineGraph:
    """Our graph of a program."""
    found: dict[LineEdge, list[Witness]] = {}
    left_out: Counter[str] = Counter()
    nodes = list(graph.nodes())
    for kind, source, target in _dependences(graph):
        ends = nodes[source], nodes[target]
        reason = next((r for r in (_our_reason(kind, end) for end in ends) if r), "")
        if reason:
            left_out[f"{kind}: {reason}"] += 1
            continue
        witness = Witness(ends[0].label, ends[1].label, ends[0].text, ends[1].text)
        found.setdefault((kind, ends[0].line, ends[1].line), []).append(witness)
    return LineGraph({edge: tuple(w) for edge, w in found.items()}, left_out)


def _dependences(graph: SemanticGraph) -> Iterator[tuple[str, int, int]]:
    names = {EdgeKind.CONTROL: "control", EdgeKind.DATA: "data"}
    for edge in graph.edges():
        if edge.kind in names:
            yield names[edge.kind], edge.source, edge.target


def _our_reason(kind: str, node: Node) -> str:
    if node.kind == "entry" and kind == "control":
        return "from the entry"
    if node.kind == "jump" and node.label in _JUMPS:
        return "jumps"
    if node.kind == "assign" and node.label == "catch":
        return "what a handler catches"
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 48 else line[:45] + "..."
