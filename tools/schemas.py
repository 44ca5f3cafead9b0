"""Write the JSON Schemas of the documents that commands print, from the types of the results.

The properties of an object are the entries of a dataclass (see `codekin.results.entries`) or the
keys of a named tuple or a TypedDict, and their descriptions are taken from its docstring.
`--check` only says whether the schemas in the package are current.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
import types
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from codekin.corpora.auditing import Audit
from codekin.corpora.builders import CorpusBuild
from codekin.corpora.checking import CorpusCheck
from codekin.corpora.clone_types import TypeCheck, TypeTable
from codekin.corpora.description import Balance, CorpusDescription
from codekin.corpora.similarity import CorpusSimilarity
from codekin.detectors.evaluating import DetectorEvaluation
from codekin.evaluation.calibration import Calibration
from codekin.evaluation.estimation import RateEstimates
from codekin.evaluation.registry import EVALUATIONS
from codekin.evaluation.sample_plan import SamplePlan
from codekin.groups.clustering import Clustering
from codekin.groups.similarity_matrix import SimilarityMatrix
from codekin.measures import Comparison
from codekin.represent.graph.export import GraphDocument
from codekin.results import Interval, Result, entries
from codekin.revisions.alignment_report import AlignmentReport
from codekin.runs.comparison import RunComparison
from codekin.runs.failures import JobSummary
from codekin.runs.summaries import RunSummary
from codekin.runs.system_comparison import SystemComparison
from codekin.scan.code_search import FoundCode
from codekin.scan.indexing import IndexInfo
from codekin.scan.scan_result import Scan
from codekin.scan.submission_evidence import PairEvidence
from codekin.scan.submission_result import Submissions

__all__ = ["DOCUMENTS", "folder", "schema_of", "text_of"]

DOCUMENTS: dict[str, type] = {
    "align": AlignmentReport,
    "audit": Audit,
    "calibrate": Calibration,
    "cluster": Clustering,
    "compare": Comparison,
    "compare-runs": RunComparison,
    "compare-systems": SystemComparison,
    "corpus-balance": Balance,
    "corpus-build": CorpusBuild,
    "corpus-check": CorpusCheck,
    "corpus-compare": CorpusSimilarity,
    "corpus-info": CorpusDescription,
    "corpus-type": TypeTable,
    "corpus-type-check": TypeCheck,
    "detect-evaluate": DetectorEvaluation,
    "estimate": RateEstimates,
    "find": FoundCode,
    "graph": GraphDocument,
    "index-add": IndexInfo,
    "index-info": IndexInfo,
    "matrix": SimilarityMatrix,
    "plan": SamplePlan,
    "scan": Scan,
    "scan-submissions": Submissions,
    "scan-submissions-pair": PairEvidence,
    "score": JobSummary,
    "summarize": RunSummary,
    **{f"evaluate-{one.name}": one.result for one in EVALUATIONS},
}
"""The type of each document, by the command that prints it, with dashes for blanks."""

_WITH_OPTIONS = {
    "compare-systems": "compare-runs",
    "corpus type-check": "corpus type --check",
    "scan-submissions": "scan --submissions",
    "scan-submissions-pair": "scan --submissions --pair",
}
"""Commands that print another document with an option."""

_WIDTH = 160
Schema = dict[str, Any]


def schema_of(name: str) -> Schema:
    """The schema of the document that a command prints."""
    maker = _Maker()
    schema = maker.object(DOCUMENTS[name], whole=True)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"codekin {_command(name)} --format json",
        **schema,
        "$defs": dict(sorted(maker.parts.items())),
    }
    found: Schema = json.loads(json.dumps(whole))
    return found


def _command(name: str) -> str:
    """The words of a command; those of a group follow its name."""
    for group in ("corpus", "evaluate", "index"):
        name = name.replace(f"{group}-", f"{group} ")
    return _WITH_OPTIONS.get(name, name)


class _Maker:
    """Schemas of types; those of nested objects are gathered as parts."""

    def __init__(self) -> None:
        self.parts: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(arguments)
        if origin in (Union, types.UnionType):
            return _nullable(self.of(next(one for one in arguments if one is not type(None))))
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin is tuple and arguments[-1] is not Ellipsis:
            return self._tuple(arguments)
        if origin is np.ndarray:
            return _array(_array({"type": ["number", "null"]}))
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return _array(self.of(arguments[0]))
        return {} if kind is Any else self._plain(kind)

    def _tuple(self, arguments: Sequence[Any]) -> Schema:
        ends = {"minItems": len(arguments), "maxItems": len(arguments)}
        if len(set(arguments)) == 1:
            return _array(self.of(arguments[0]), **ends)
        return {"type": "array", "prefixItems": [self.of(one) for one in arguments], **ends}

    def _annotated(self, arguments: Sequence[Any]) -> Schema:
        kind, *more = arguments
        for one in more:
            if isinstance(one, type):
                return self.of(one)
        keywords = {key: value for one in more for key, value in one.keywords.items()}
        return {**self.of(kind), **keywords}

    def _plain(self, kind: type) -> Schema:
        if kind is Interval:
            self.parts["Interval"] = {
                "description": "The ends of an interval; null where it is unknown.",
                **_nullable(_array({"type": "number"}, minItems=2, maxItems=2)),
            }
            return {"$ref": "#/$defs/Interval"}
        if issubclass(kind, Enum):
            return {"enum": [one.value for one in kind]}
        simple: dict[type, Schema] = {
            bool: {"type": "boolean"},
            str: {"type": "string"},
            int: {"type": "integer", "minimum": 0},
            float: {"type": ["number", "null"]},
        }
        if kind in simple:
            return simple[kind]
        if kind.__name__ not in self.parts:
            self.parts[kind.__name__] = {}  # it may contain itself
            self.parts[kind.__name__] = self.object(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def object(self, kind: type, *, whole: bool = False) -> Schema:
        """The schema of a dataclass, a named tuple or a TypedDict.

        Parameters
        ----------
        kind : type
        whole : bool
            Whether it is the whole document, which has a version.
        """
        properties, optional = self._properties(kind)
        if whole and issubclass(kind, Result) and kind.versioned:
            version = {"type": "string", "description": "The version of codekin that computed it."}
            properties = {"codekin": version, **properties}
        return {
            "description": _in_json(_first_sentence(kind)),
            "type": "object",
            "additionalProperties": False,
            "required": [name for name in properties if name not in optional],
            "properties": properties,
            **getattr(kind, "constraints", {}),
        }

    def _properties(self, kind: type) -> tuple[dict[str, Schema], set[str]]:
        descriptions = _descriptions(kind)
        hints = get_type_hints(kind, include_extras=True)
        if not dataclasses.is_dataclass(kind):
            return {
                name: _with_description(self.of(hints[name]), descriptions.get(name))
                for name in hints
            }, set()
        properties: dict[str, Schema] = {}
        optional = set()
        for entry in entries(kind):
            if entry.attribute in hints:
                hint, words = hints[entry.attribute], descriptions.get(entry.attribute)
            else:
                getter = inspect.getattr_static(kind, entry.attribute)
                function = getattr(getter, "fget", None) or getter.func
                hint = get_type_hints(function, include_extras=True)["return"]
                words = _first_sentence(function)
            if entry.inlined:
                more, absent = self._properties(hint)
                properties |= more
                optional |= absent
            elif entry.interval:
                properties[entry.name] = _with_description({"type": ["number", "null"]}, words)
                for suffix in hint.intervals:
                    properties[entry.interval + suffix] = self.of(Interval)
            else:
                properties[entry.name] = _with_description(self._entry(hint, entry.by), words)
            if entry.optional:
                optional.add(entry.name)
                properties[entry.name] = _with_description(self.of(_not_none(hint)), words)
        return properties, optional

    def _entry(self, hint: Any, by: str) -> Schema:
        if by:
            return {"type": "object", "additionalProperties": self.of(get_args(hint)[0])}
        return self.of(hint)


def _not_none(hint: Any) -> Any:
    return next(one for one in get_args(hint) if one is not type(None))


def _array(items: Schema, **more: int) -> Schema:
    return {"type": "array", "items": items, **more}


def _nullable(schema: Schema) -> Schema:
    kinds = schema.get("type")
    if kinds is None:
        return {"anyOf": [schema, {"type": "null"}]}
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return {**schema, "type": list(dict.fromkeys([*kinds, "null"]))}


def _with_description(schema: Schema, description: str | None) -> Schema:
    return schema if not description else {**schema, "description": _in_json(description)}


_WORDS = {"None": "null", "nan": "null", "True": "true", "False": "false"}


def _in_json(words: str) -> str:
    """A description in terms of JSON, without docstring markup."""
    words = re.sub(r":\w+:`~?(?:[\w.]+\.)?(\w+)`|`+([^`]*)`+", r"\1\2", words)
    return re.sub(r"\b(None|nan|True|False)\b", lambda found: _WORDS[found[0]], words)


def _first_sentence(thing: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def _descriptions(kind: type) -> dict[str, str]:
    """The descriptions in the section on attributes."""
    text = inspect.getdoc(kind) or ""
    _, _, section = text.partition("Attributes\n----------\n")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in re.split(r"\n\n\w+\n-+\n", section)[0].splitlines():
        if line and not line.startswith(" "):
            names = line.partition(" : ")[0].split(", ")
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found.get(name, '')} {line.strip()}".strip()
    return found


def text_of(value: Any, indent: str = "") -> str:
    """JSON with lists, and everything that fits, on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= _WIDTH or not isinstance(value, dict):
        return short
    if not any(isinstance(one, dict | list) and "{" in json.dumps(one) for one in value.values()):
        return short  # long only because of its description
    inner = f"{indent}  "
    parts = [f"{inner}{json.dumps(key)}: {text_of(one, inner)}" for key, one in value.items()]
    return "{\n" + ",\n".join(parts) + f"\n{indent}}}"


def folder() -> Path:
    """Where the schemas of the package are."""
    return Path(__file__).parents[1] / "src" / "codekin" / "data"


def main() -> None:
    """Write all schemas, or say which are not current."""
    stale = []
    for name in DOCUMENTS:
        path, text = folder() / f"{name}.schema.json", text_of(schema_of(name)) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv[1:]:
                path.write_text(text, encoding="utf-8")
    print("\n".join(stale) if stale else "all schemas are current")
    if stale and "--check" in sys.argv[1:]:
        sys.exit(1)


if __name__ == "__main__":
    main()
