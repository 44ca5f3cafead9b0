"""Check codekin against values that other packages computed.

Usage: ``python tests/golden/check_vectors.py FILE...`` with files of JSON lines, each row with
``metric``, ``package``, ``version``, ``args``, ``inputs`` and ``expected``. Prints matched/total
for each file and every mismatch, and exits with 1 if there was any.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin import CodekinError, Measure, Score, measure

sys.path.insert(0, str(Path(__file__).parent))
from known_differences import KNOWN_DIFFERENCES

TOLERANCE = 1e-9
Row = dict[str, Any]
Values = dict[str, float | None]


@dataclass(frozen=True)
class Outcome:
    """What became of one row: matched, a known difference, skipped or a mismatch."""

    kind: str
    text: str = ""


def bleu(row: Row) -> Values:
    """BLEU of sacrebleu and of nltk."""
    args, inputs = dict(row["args"]), row["inputs"]
    if row["package"] == "nltk":
        args.pop("tokenize")
        args["weights"] = tuple(args.get("weights", (0.25,) * 4))
        return {"value": _value(measure("bleu", compat="nltk", **args), inputs)}
    configured = measure("bleu", compat="sacrebleu", **args)
    if row["metric"].endswith("corpus"):
        return {"score": 100 * _corpus(configured, inputs)}
    score = configured.score(inputs["hypothesis"], references=inputs["references"])
    order = configured.max_ngram_order
    counts = configured.statistics(*_sources(inputs["hypothesis"], inputs["references"]))
    k = args.get("smooth_value", 1) if args.get("smooth_method") == "add-k" else 0
    values = {
        "score": 100 * score.value,
        "bp": score.parts["brevity_penalty"],
        "sys_len": score.parts["length"],
        "ref_len": score.parts["reference_length"],
    }
    # sacrebleu adds k to the counts that it reports, up to the order at which it stops.
    adds = [k if n > 0 and k and any(counts[2 : 2 + order]) else 0 for n in range(order)]
    for n in range(order):
        values[f"precisions.{n}"] = 100 * score.parts[f"precision_{n + 1}"]
        values[f"counts.{n}"] = counts[2 + n] + adds[n]
        values[f"totals.{n}"] = counts[2 + order + n] + adds[n]
    return values


def chrf(row: Row) -> Values:
    """chrF of sacrebleu."""
    configured = measure("chrf", compat="sacrebleu", **row["args"])
    if row["metric"].endswith("corpus"):
        return {"score": 100 * _corpus(configured, row["inputs"])}
    return {"value": 100 * _value(configured, row["inputs"])}


def crystalbleu(row: Row) -> Values:
    """CrystalBLEU of its package."""
    args = {k: v for k, v in row["args"].items() if k != "tokenize"}
    return {"value": _value(measure("crystalbleu", compat="crystalbleu", **args), row["inputs"])}


def codebleu(row: Row) -> Values:
    """CodeBLEU of its package, over a corpus of one or more rows."""
    args, inputs = row["args"], row["inputs"]
    configured = measure("codebleu", compat="codebleu", weights=tuple(args["weights"]))
    references = [r if isinstance(r, list) else [r] for r in inputs["references"]]
    parts = configured.corpus_parts(inputs["predictions"], references, language=args["lang"])
    return {
        "codebleu": parts["codebleu"],
        "ngram_match_score": parts["ngram"],
        "weighted_ngram_match_score": parts["weighted_ngram"],
        "syntax_match_score": parts["syntax"],
        "dataflow_match_score": parts["dataflow"],
    }


def jaccard(row: Row) -> Values:
    """Jaccard similarity of textdistance."""
    args = {k: v for k, v in row["args"].items() if k in ("qval", "as_set")}
    unit = row["metric"].split(".")[1]
    return {"value": _pair(measure("jaccard", compat="textdistance", unit=unit, **args), row).value}


def edit(row: Row) -> Values:
    """Edit distances and similarities of rapidfuzz and of the package Levenshtein."""
    unit = row["metric"].split(".")[1]
    algorithm, _, verb = row["args"]["fn"].rpartition(".")
    algorithm = algorithm or ("Indel" if verb == "ratio" else "Levenshtein")
    name = "ed" if verb in ("distance", "similarity") else "nes"
    score = _pair(measure(name, compat="rapidfuzz", algorithm=algorithm, unit=unit), row)
    if verb == "similarity":
        return {"value": score.parts["similarity"]}
    return {"value": score.value}


def tsed(row: Row) -> Values:
    """TSED of its package, and tree edit distances of apted and zss."""
    args, inputs = row["args"], row["inputs"]
    costs = {"delete": args["deletion"], "insert": args["insertion"], "rename": args["rename"]}
    compat = "tsed" if row["metric"] == "TSED" else "apted"
    score = measure("tsed", compat=compat, **costs).score(
        inputs["origin"], inputs["target"], language=args["language"]
    )
    if compat == "tsed":
        return {"value": score.value}
    distance = score.parts["distance"]
    return {
        "ted_apted": distance,
        "ted_zss": distance,
        "n1": score.parts["nodes"],
        "n2": score.parts["reference_nodes"],
        "score": score.value,
    }


def sari(row: Row) -> Values:
    """SARI of its authors' script, of evaluate and of EASSE."""
    args, inputs = row["args"], row["inputs"]
    if row["package"].startswith("cocoxu"):
        configured = measure("sari", compat="xu")
    else:
        compat = "evaluate" if row["package"].startswith("evaluate") else "easse"
        flags = {k: v for k, v in args.items() if k.startswith("use_")}
        tokenizer = args["tokenizer"] if args["tokenizer"] == "13a" else "none"
        lowercase = args["lowercase"]
        configured = measure(
            "sari", compat=compat, tokenizer=tokenizer, lowercase=lowercase, **flags
        )
    score = configured.score(
        inputs["prediction"], origin=inputs["source"], references=inputs["references"]
    )
    if row["metric"] == "SARI.ops":
        return {f"value.{i}": score.parts[name] for i, name in enumerate(("add", "keep", "delete"))}
    return {"value": args["scale"] * score.value}


def diffbleu(row: Row) -> Values:
    """DiffBLEU by its two published recipes; None where there is no value."""
    inputs = row["inputs"]
    configured = measure("diffbleu", compat=row["metric"].split(".")[1].lower())
    try:
        score = configured.score(inputs["hypothesis"], inputs["reference"], inputs["origin"])
    except CodekinError as error:
        assert "has no value" in str(error)
        return {"value": None}
    return {"value": score.value}


MAPPING: dict[str, Callable[[Row], Values]] = {
    "BLEU": bleu,
    "chrF": chrf,
    "CrystalBLEU": crystalbleu,
    "CodeBLEU": codebleu,
    "Jaccard": jaccard,
    "ED": edit,
    "NES": edit,
    "Indel": edit,
    "LCSseq": edit,
    "ratio": edit,
    "TSED": tsed,
    "SARI": sari,
    "DiffBLEU": diffbleu,
}


def _value(configured: Measure, inputs: Row) -> float:
    return configured.score(inputs["hypothesis"], references=inputs["references"]).value


def _pair(configured: Measure, row: Row) -> Score:
    return configured.score(row["inputs"]["a"], row["inputs"]["b"])


def _corpus(configured: Any, inputs: Row) -> float:
    streams = inputs["references"]
    per_row = [list(row) for row in zip(*streams, strict=True)]
    return configured.corpus_score(inputs["hypotheses"], per_row)


def _sources(hypothesis: str, references: list[str]) -> tuple[Any, list[Any]]:
    from codekin import Source

    return Source(hypothesis), [Source(r) for r in references]


def flatten(expected: Any) -> Values:
    """Expected values by name; ``value`` where there is only one."""
    if not isinstance(expected, dict):
        expected = {"value": expected}
    values: Values = {}
    for name, value in expected.items():
        if isinstance(value, list):
            values |= {f"{name}.{i}": v for i, v in enumerate(value)}
        elif not isinstance(value, str):
            values[name] = value
    return values


def differences(got: Values, expected: Any) -> dict[str, str]:
    """What differs from the expected values, in words, by name."""
    wrong = {}
    for name, value in flatten(expected).items():
        if got[name] is None or value is None:
            same = got[name] is value
        else:
            same = math.isclose(got[name], value, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        if not same:
            wrong[name] = f"{name}: {got[name]!r}, expected {value!r}"
    return wrong


def check(row: Row) -> Outcome:
    """Score one row and judge it."""
    compute = MAPPING.get(row["metric"].split(".")[0])
    if compute is None:
        return Outcome("skipped", f"no measure {row['metric'].split('.')[0]}")
    got = compute(row)
    if row.get("error") and row["expected"] is None:
        # The package raised; ours is documented to be 0.
        ok = got["value"] == 0.0
        return Outcome("matched") if ok else Outcome("mismatch", f"{got}, documented: 0")
    allowed = list(row.get("expected_by_hashseed", {}).values()) or [row["expected"]]
    found = [differences(got, expected) for expected in allowed]
    if any(not wrong for wrong in found):
        return Outcome("matched")
    text = "; ".join(found[0].values())
    args = row["args"]
    language = args.get("lang") or args.get("language")
    known = KNOWN_DIFFERENCES.get((row["metric"], language, row["inputs"]["name"]))
    return Outcome("known", f"{known} ({text})") if known else Outcome("mismatch", text)


def rows(path: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def main(paths: list[str]) -> int:
    """Check files; 1 if any row does not match, 2 if a file is missing."""
    if not paths:
        print(__doc__)
        return 2
    failed = False
    for name in paths:
        path = Path(name)
        if not path.is_file():
            print(f"{path}: no such file", file=sys.stderr)
            return 2
        outcomes = [(row, check(row)) for row in rows(path)]
        count = {k: sum(o.kind == k for _, o in outcomes) for k in ("matched", "known", "skipped")}
        line = f"{path.name}: {count['matched']}/{len(outcomes) - count['skipped']} matched"
        if count["known"]:
            line += f", {count['known']} known differences"
        if count["skipped"]:
            line += f", {count['skipped']} rows of measures that codekin does not have yet"
        print(line)
        for row, outcome in outcomes:
            if outcome.kind in ("mismatch", "known"):
                label = f"{row['metric']} {row['inputs']['name']} {json.dumps(row['args'])[:160]}"
                print(f"  {outcome.kind}: {label}: {outcome.text}")
        failed |= any(outcome.kind == "mismatch" for _, outcome in outcomes)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
