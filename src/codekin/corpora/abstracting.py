"""Corpora whose snippets are abstracted, with one vocabulary for all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.snippets import Problems, Snippet
from codekin.errors import CodekinError
from codekin.languages import NameRole, get_language
from codekin.rewrite.abstraction import (
    NO_VOCABULARY,
    NameSurvey,
    Vocabulary,
    abstract,
    level_named,
    survey_names,
)
from codekin.rewrite.identifiers import identifiers, named_languages
from codekin.source import Source

__all__ = ["abstract_corpus", "abstract_snippet", "declared_types", "survey_snippet"]


def abstract_corpus(
    corpus: Corpus,
    level: int | str = 1,
    *,
    drop_imports: bool = False,
    workers: int | None = None,
) -> Corpus:
    r"""Abstract every snippet of a corpus, as :func:`codekin.rewrite.abstraction.abstract` does.

    From level 1 to 3, the types that any snippet, or any whole file of the corpus, declares count
    as declared. At level 3, one table gives each function that the corpus calls its new name. Both
    are kept in the corpus's ``vocabulary``, so that new code, and the corpus itself a second time,
    is abstracted alike.

    Parameters
    ----------
    corpus : Corpus
    level : int or str
        One of :data:`codekin.rewrite.abstraction.LEVELS`.
    drop_imports : bool
        Whether imports are removed, too.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this
        process. The result is the same.

    Returns
    -------
    Corpus
        With the same ids, roles and pairs, without the whole files, whose names would give away
        what was replaced. Its last step counts the snippets that parsed before and after.

    Raises
    ------
    CodekinError
        If a snippet is in a language that cannot be abstracted; with the count and the first ones.

    Examples
    --------
    >>> corpus = Corpus("two", (
    ...     Snippet("a", "java", "void f(int n) { g(n); }"),
    ...     Snippet("b", "java", "void g(int k) { h(k); }")))
    >>> [one.code for one in abstract_corpus(corpus, 3).snippets]
    ['void f(int var1) { fun0(var1); }', 'void fun0(int var1) { fun1(var1); }']
    """
    name = level_named(level)
    _check_languages(corpus)
    vocabulary = _vocabulary(corpus, name, drop_imports=drop_imports, workers=workers)
    found = list(
        each_snippet(
            abstract_snippet,
            corpus.snippets,
            name,
            drop_imports,
            vocabulary,
            workers=workers,
            where=corpus.name,
        )
    )
    snippets = tuple(
        replace(one, code=text) for one, (text, _, _) in zip(corpus.snippets, found, strict=True)
    )
    parsed = sum(before for _, before, _ in found)
    still = Counter((before, after) for _, before, after in found)[True, True]
    notes = []
    if name != "over" and still < parsed:
        notes.append(f"{parsed - still:,} of {parsed:,} snippets that parsed no longer do")
    step = Step(
        "abstract",
        {"level": name, "drop_imports": drop_imports},
        {"parsed": parsed},
        {"parsed": still} if name != "over" else {},
        tuple(notes),
    )
    words = corpus.vocabulary if name in {"0", "abs", "over"} else vocabulary.to_mapping()
    made = replace(corpus, snippets=snippets, files={}, vocabulary=dict(words))
    return made.with_step(corpus, step)


def _check_languages(corpus: Corpus) -> None:
    known, problems = set(named_languages()), Problems(corpus.name)
    for one in corpus.snippets:
        if one.language not in known:
            title = get_language(one.language).title
            problems.add(
                f"{title} cannot be abstracted (languages that can be: {', '.join(sorted(known))})",
                one.id,
            )
    problems.check()
    if not corpus.snippets:
        raise CodekinError(f"{corpus.name}: has no snippets to abstract")


def _vocabulary(
    corpus: Corpus, level: str, *, drop_imports: bool, workers: int | None
) -> Vocabulary:
    """The vocabulary of a corpus at a level, extending the one that it has."""
    if level in {"0", "abs", "over"}:
        return NO_VOCABULARY
    surveys = each_snippet(
        survey_snippet, corpus.snippets, drop_imports, workers=workers, where=corpus.name
    )
    known = Vocabulary.from_mapping(corpus.vocabulary)
    found = Vocabulary.of(surveys, known)
    if corpus.files:
        languages = {one.file: one.language for one in corpus.snippets if one.file is not None}
        files = [
            Snippet(name, languages[name], text)
            for name, text in sorted(corpus.files.items())
            if name in languages
        ]
        declared = each_snippet(declared_types, files, workers=workers, where=corpus.name)
        found = replace(found, types=found.types.union(*declared))
    return found if level == "3" else replace(found, functions=known.functions)


def survey_snippet(language: str, code: str, drop_imports: bool) -> NameSurvey:
    """The names of a snippet that a vocabulary must know."""
    return survey_names(Source(code, language), drop_imports=drop_imports)


def declared_types(language: str, code: str) -> frozenset[str]:
    """The types that a whole file declares."""
    found = identifiers(Source(code, language))
    return frozenset(one.text for one in found if one.role is NameRole.TYPE and one.declares)


def abstract_snippet(
    language: str, code: str, level: str, drop_imports: bool, vocabulary: Vocabulary
) -> tuple[str, bool, bool]:
    """A snippet's abstracted code, and whether it parsed before and parses now."""
    source = Source(code, language)
    done = abstract(source, level, drop_imports=drop_imports, vocabulary=vocabulary)
    return done.text, not source.problems, done.parses
