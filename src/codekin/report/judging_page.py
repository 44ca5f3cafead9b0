"""The page on which a person judges sampled pairs: one HTML file that works offline."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from codekin._version import __version__
from codekin.align.line_diff import line_diff, split_lines
from codekin.corpora.judging import ANSWERS, QUESTION, JudgingPair, JudgingSample
from codekin.corpora.snippets import Snippet
from codekin.plain_text import plain
from codekin.report.explanations import token_ink
from codekin.report.page_data import language_title
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name
from codekin.report.pages import Pages, embed, put_json
from codekin.source import Source

__all__ = ["QUESTION", "judging_page"]

_STYLES = ("base.css", "browser.css", "judging.css")
_SCRIPTS = ("pieces.js", "theme.js", "code.js", "judging.js")
_HERE = b"<!-- data -->"
_LONG = 200_000
"""Characters; longer texts are shown without colours for keywords, strings and comments."""


def judging_page(
    sample: JudgingSample, *, question: str = QUESTION, show_claims: bool = False
) -> bytes:
    """The page that asks a person about each pair of a sample.

    Answers are kept in the browser, under the fingerprint of the sample, and exported as JSON for
    :func:`codekin.corpora.judgements.judged`. The same sample gives the same bytes.

    Parameters
    ----------
    sample : JudgingSample
    question : str
        What the judge answers with clone, no clone or undecided.
    show_claims : bool
        Whether the page shows what the corpus says of a pair. A judge who sees it tends to agree.
    """
    before, _, after = _frame(sample, question).partition(_HERE)
    data = io.BytesIO()
    put_json(data, "export", sample.document())
    pages = Pages(data, "pairs")
    for one in sample.pairs:
        shown = _pair(one, show_claims)
        pages.add(shown, sum(len(text) for text in shown["texts"]))
    pages.close()
    about = {"pairs": len(sample), "answers": ANSWERS, "starts": pages.starts}
    data.write(b'<script type="application/json" id="about">')
    data.write(embed(about | {"fingerprint": sample.fingerprint}).encode("ascii"))
    data.write(b"</script>\n")
    return before + data.getvalue() + after


def _frame(sample: JudgingSample, question: str) -> bytes:
    return with_files(
        template_environment(),
        "judging.html.j2",
        _STYLES,
        _SCRIPTS,
        own_scope=True,
        version=__version__,
        question=plain(question),
        corpus=plain(sample.corpus),
        fingerprint=sample.fingerprint,
        pairs=len(sample),
        all_pairs=sum(one.pairs for one in sample.strata),
        by=sample.by,
    )


def _pair(pair: JudgingPair, show_claims: bool) -> dict[str, Any]:
    ends = (pair.first, pair.second)
    # Line ends are LF, or each would be shown.
    texts = [one.code.replace("\r\n", "\n") for one in ends]
    common, differing = _differing(*(split_lines(text) for text in texts))
    return {
        "texts": texts,
        "inks": [_ink(one, text) for one, text in zip(ends, texts, strict=True)],
        "differing": differing,
        "common": common,
        "languages": [language_title(one.language) for one in ends],
        "names": [
            [plain(name) for name in (one.id, page_name(one.file or "")) if name] for one in ends
        ],
        "claim": plain(pair.claim) if show_claims else None,
    }


def _ink(snippet: Snippet, text: str) -> list[int | str]:
    return token_ink(Source(text, snippet.language)) if len(text) <= _LONG else []


def _differing(first: Sequence[str], second: Sequence[str]) -> tuple[int, list[list[int]]]:
    """How many lines that are not blank both texts have, and the ends of where they differ."""
    hunks = line_diff(first, second, ignore_all_space=True)
    ends: list[list[int]] = [[], []]
    for one in hunks:
        ends[0] += [one.before_start, one.before_end]
        ends[1] += [one.after_start, one.after_end]
    inside = {i for one in hunks for i in range(one.before_start, one.before_end)}
    common = sum(bool(line.strip()) for i, line in enumerate(first) if i not in inside)
    return common, ends
