"""Findings of a scan judged by a trained detector: other scores, another order, fewer pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import language_of_file
from codekin.scan.clone_classes import group_matches
from codekin.scan.clone_places import file_and_cell
from codekin.scan.matches import TYPES, Matches
from codekin.scan.scan_result import (
    CloneClass,
    CloneFinding,
    CodeRegion,
    Scan,
    ScanReranking,
)
from codekin.scan.scanned_files import read_lines
from codekin.scan.scanning import covered_lines, extremes

if TYPE_CHECKING:
    from codekin.detectors.detector import Detector

__all__ = ["rerank_scan"]

_WIDER = {frozenset({"c", "cpp"}): "cpp", frozenset({"javascript", "typescript"}): "typescript"}
"""The language that two files of different languages can both be read as."""
_COPY = "T1"


def rerank_scan(scan: Scan, model: str | Path | Detector, *, workers: int | None = None) -> Scan:
    """Judge the findings of a scan with a trained detector.

    The detector scores every pair but exact copies (T1). Pairs below its threshold are dropped. The
    others get its score, and the most likely clones come first, as do their classes. Exact copies
    keep the score 1, and pairs that the detector cannot score keep theirs: those in a language
    that it was not trained on, and what it cannot read. The notes of the result count them.

    A detector that was trained on functions knows less of shorter stretches of code.

    Parameters
    ----------
    scan : Scan
        Its files are read again.
    model : str, Path or Detector
        A folder that a detector was saved to, such as by ``codekin detect train``.
    workers : int, optional
        Worker processes that read code (default: one per core if there is much of it).

    Returns
    -------
    Scan
        The findings that are left, by score; `reranking` says what was done.

    Raises
    ------
    CodekinError
        If the folder holds no detector.

    Examples
    --------
    >>> import tempfile
    >>> from codekin import scan_paths, shipped_detector
    >>> from codekin.whole_files import whole_file
    >>> code = '''class One {
    ...     int sum(int[] values) {
    ...         int total = 0;
    ...         for (int i = 0; i < values.length; i++) {
    ...             if (values[i] > 0)
    ...                 total += values[i];
    ...         }
    ...         return total;
    ...     }
    ... }
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in (("One.java", code), ("Two.java", code.replace("total", "n"))):
    ...         with whole_file(Path(folder, name)) as file:
    ...             _ = file.write(text.encode())
    ...     scan = scan_paths([folder], workers=0)
    ...     judged = rerank_scan(scan, shipped_detector(["java"]), workers=0)
    >>> [round(one.score, 2) for one in judged.findings], judged.reranking.dropped
    ([1.0], 0)
    """
    from codekin.detectors.detector import load_detector

    detector = load_detector(model) if isinstance(model, str | Path) else model
    scores, reasons = _scores(scan.findings, detector, workers)
    kept = [
        (one, one.score if score is None else score)
        for one, score in zip(scan.findings, scores, strict=True)
        if score is None or score >= detector.threshold
    ]
    findings, classes = _grouped([one for one, _ in kept], [score for _, score in kept])
    done = ScanReranking(
        detector=detector.word,
        threshold=detector.threshold,
        scored=sum(score is not None for score in scores),
        dropped=len(scores) - len(kept),
        unscored=dict(sorted(reasons.items())),
    )
    return replace(
        scan,
        findings=findings,
        classes=classes,
        duplicated_lines=covered_lines(findings),
        reranking=done,
    )


def _scores(
    findings: Sequence[CloneFinding], detector: Detector, workers: int | None
) -> tuple[list[float | None], Counter[str]]:
    """The score of each finding, None if it has none; and how many have none, by reason."""
    texts: dict[str, list[str]] = {}
    found: list[float | None] = [None] * len(findings)
    reasons = Counter[str]()
    rows, places = [], []
    for place, one in enumerate(findings):
        if one.type == _COPY:
            continue
        language = _language(one)
        if detector.languages and language not in detector.languages:
            reasons[f"in {language}, which the detector was not trained on"] += 1
            continue
        try:
            codes = [_code(region, texts) for region in (one.first, one.second)]
        except CodekinError:
            reasons["in files that can no longer be read"] += 1
            continue
        rows.append({"language": language, "candidate": codes[0], "reference": codes[1]})
        places.append(place)
    if rows:
        from codekin.detectors.predicting import predict_pairs

        predicted = predict_pairs(rows, detector, workers=workers)
        for place, pair in zip(places, predicted.pairs, strict=True):
            if pair.clone is None:
                reasons["that the detector gave no score"] += 1
            else:
                found[place] = pair.score
    return found, reasons


def _language(finding: CloneFinding) -> str:
    both = set()
    for region in (finding.first, finding.second):
        file, cell = file_and_cell(region.file)
        known = None if cell is not None else language_of_file(file)
        both.add("python" if known is None else known.name)
    return both.pop() if len(both) == 1 else _WIDER.get(frozenset(both), min(both))


def _code(region: CodeRegion, texts: dict[str, list[str]]) -> str:
    if region.file not in texts:
        texts[region.file] = read_lines(region.file)
    return "\n".join(texts[region.file][region.start - 1 : region.end]) + "\n"


def _grouped(
    findings: Sequence[CloneFinding], scores: Sequence[float]
) -> tuple[tuple[CloneFinding, ...], tuple[CloneClass, ...]]:
    """Findings with new scores, and by these, in new classes.

    What joined two parts of a class may be gone. What joins them otherwise is the same as before:
    the scale of a detector says nothing about that.
    """
    if not findings:
        return (), ()
    ends = [end for one in findings for end in (one.first, one.second)]
    reach = Counter[str]()
    for end in ends:
        reach[end.file] = max(reach[end.file], end.end + 1)
    offsets, lines = {}, 0
    for file in sorted(reach):
        offsets[file], lines = lines, lines + reach[file]
    # Lines of all files, counted through, take the place of tokens.
    spans = [(offsets[end.file] + end.start, offsets[end.file] + end.end + 1) for end in ends]
    regions = dict(zip(spans, ends, strict=True))
    columns = np.array(spans, np.int32).reshape(len(findings), 4).T
    matches = Matches(
        columns[0],
        columns[1],
        columns[2],
        columns[3],
        np.array([TYPES.index(one.type) for one in findings], np.uint8),
        np.array([one.score for one in findings]),
    )
    groups = group_matches(matches)
    weakest, lowest = extremes(replace(matches, score=np.array(scores)), groups)
    classes = [
        CloneClass.of(number, TYPES[type_], float(score), tuple(regions[span] for span in members))
        for number, (type_, score, members) in enumerate(
            zip(weakest, lowest, groups.members, strict=True)
        )
    ]
    classes.sort(key=lambda one: (-one.score, -one.saved_lines, one.number))
    new = {one.number: place for place, one in enumerate(classes, 1)}
    numbered = [
        replace(one, score=score, clone_class=new[group])
        for one, score, group in zip(findings, scores, groups.class_of.tolist(), strict=True)
    ]
    numbered.sort(key=lambda one: (-one.score, one.first, one.second))
    return tuple(numbered), tuple(replace(one, number=new[one.number]) for one in classes)
