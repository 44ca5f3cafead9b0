from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.auditing import Severity, audit_corpus, label_hints
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Role, Snippet
from codekin.corpora.trivial import trivial_detectors


@pytest.fixture(scope="module")
def clean():
    return audit_corpus(contest(authors=24), workers=0)


def titles(audit, severity=None):
    return [one.title for one in audit.findings if severity in (None, one.severity)]


def test_findings_are_ordered_by_severity(clean):
    order = [list(Severity).index(one.severity) for one in clean.findings]
    assert order == sorted(order)
    assert "Contradicting labels" in titles(clean, Severity.NONE)
    assert "Parsing" in titles(clean, Severity.NONE)


def test_names_before_and_after_abstraction(clean):
    levels = {one.level: one for one in clean.vocabularies}
    assert list(levels) == ["original", "level 0", "level 1", "level 2", "level 3", "Abs"]
    assert levels["Abs"].overlap > levels["original"].overlap
    assert levels["level 1"].words < levels["original"].words


def test_every_view_is_tried(clean):
    views = {one.view: one for one in clean.views}
    assert views["random"].test.snippets == 14
    assert views["cross-functionality"].test.functionalities == 2
    assert all(one.problem or one.test for one in clean.views)


def test_planted_faults_are_found():
    corpus = contest(authors=24)
    snippets = list(corpus.snippets)
    for i in range(40):  # copies, of which some are tagged as lacking what they have
        kind = "tagged_false" if i < 4 else None
        one = snippets[i]
        snippets.append(
            replace(one, id=f"{one.id}'", roles=(Role(one.functionality, kind),), project="x")
        )
    snippets += [Snippet(f"bad{i}", "c", "int f( {{{", (Role("sum"),)) for i in range(12)]
    audit = audit_corpus(Corpus("faulty", tuple(snippets)), workers=0)
    found = titles(audit)
    assert "Tests contain copies of training code" in found
    (copies,) = [one.evidence for one in audit.findings if one.title.startswith("Tests contain")]
    assert re.search(r" split, \d+ of \d+ test snippets \(\S+ %\) have an exact copy", copies)
    assert "Groups of exact copies with contradicting tags" in found
    assert "Code that does not parse" in found
    assert audit.unparsed == 12
    assert f"{len(snippets)} snippets in C;" in repr(audit.section())
    hints = {one.kind: one for one in audit.hints}
    assert hints["groups of exact copies with contradicting tags"].count == 4


def test_pairs_that_contradict_functionalities():
    corpus = contest()
    first = np.array([0, 0, 1], np.int32)
    second = np.array([1, 12, 2], np.int32)
    pairs = Pairs(first, second, np.array([0, 1, 1], np.int8))
    hints = {one.kind: one for one in audit_corpus(replace(corpus, pairs=pairs), workers=0).hints}
    against = hints["pairs whose label contradicts the functionalities of their snippets"]
    assert against.count == 2
    assert against.cases == ("sum/0 and sum/1", "sum/0 and max/0")


def test_one_functionality_and_none(clean):
    one = audit_corpus(contest(problems=1), workers=0)
    assert "One functionality only" in titles(one, Severity.HIGH)
    bare = tuple(replace(s, roles=()) for s in contest().snippets)
    none = audit_corpus(Corpus("bare", bare), workers=0)
    assert "No functionalities" in titles(none)
    assert "Trivial detectors could not be tried" in titles(none)


def test_an_empty_corpus():
    with pytest.raises(CodekinError, match="is empty; there is nothing to audit"):
        audit_corpus(Corpus("empty", ()))


def test_languages_whose_names_cannot_be_told_apart():
    snippets = tuple(replace(one, language="ruby") for one in contest().snippets)
    audit = audit_corpus(Corpus("ruby", snippets), workers=0)
    assert "Names were not analysed" in titles(audit)
    assert audit.vocabularies == ()


def test_all_formats(clean):
    document = json.loads(clean.to_json())
    assert document["findings"][0].keys() == {"severity", "title", "evidence", "advice"}
    assert "<b>What to do</b><span>" in clean.to_html()
    assert clean.to_csv().startswith("severity,finding,evidence,what to do")


def test_size_alone_finds_clones_where_it_should():
    long, short = "int x = 1; " * 40, "int y;"
    snippets = tuple(
        Snippet(f"{name}{i}", "c", f"{text} int z{i};", (Role(name),))
        for name, text in (("long", long), ("short", short))
        for i in range(20)
    )
    found = trivial_detectors(Corpus("sizes", snippets))
    size = found.detectors[0]
    assert size.name == "size"
    assert size.f1 == 1
    assert found.all_positive_f1 == pytest.approx(0.643, abs=0.01)
    assert size.gain == pytest.approx(1 - found.all_positive_f1)


def test_shared_names_find_clones_where_they_should():
    corpus = contest()
    names = [frozenset({one.functionality}) for one in corpus.snippets]
    found = {one.name: one for one in trivial_detectors(corpus, names=names).detectors}
    assert found["shared names"].f1 == 1


def test_near_copies_that_contradict_are_not_counted_among_exact_ones_again():
    corpus = contest(authors=8)
    first, second = corpus.snippets[:2]
    lacking = (Role(first.functionality, "tagged_false"),)
    near = second.code.replace("for", "while", 1)
    more = (
        replace(first, id="exact", roles=lacking, code=f"{first.code} // copied"),
        replace(second, id="near", roles=lacking, code=near),
    )
    audit = audit_corpus(replace(corpus, snippets=(*corpus.snippets, *more)), workers=0)
    hints = {one.kind: one.cases for one in audit.hints}
    assert hints["groups of exact copies with contradicting tags"] == ("sum/0, exact (sum)",)
    assert hints["groups of near copies with contradicting tags"] == ("sum/1, near (sum)",)


def test_copies_without_a_functionality_are_listed():
    corpus = contest(authors=2)
    bare = replace(corpus.snippets[0], id="bare", roles=(), code=f"{corpus.snippets[0].code} ")
    whole = replace(corpus, snippets=(*corpus.snippets, bare))
    hints = {one.kind: one.cases for one in label_hints(whole, find_copies(whole.snippets))}
    kind = "groups of exact copies of which some have a functionality and others none"
    assert hints[kind] == ("sum/0 (sum) and bare (none)",)
    assert hints["groups of exact copies with contradicting tags"] == ()


def test_names_are_compared_over_the_same_functionalities():
    corpus = contest(authors=24)
    rare = tuple(one for one in contest(authors=3).snippets if one.functionality == "swap")
    others = tuple(one for one in corpus.snippets if one.functionality != "swap")
    audit = audit_corpus(replace(corpus, snippets=(*others, *rare)), workers=0)
    (finding,) = [one for one in audit.findings if "20 most frequent names" in one.evidence]
    levels = {one.level: one for one in audit.vocabularies}
    assert levels["Abs"].overlap != levels["Abs"].overlap_without_small
    assert "of two functionalities of at least 20 snippets" in finding.evidence
    assert re.findall(r"\d\.\d{3}", finding.evidence) == [
        f"{audit.names.mean_without_small:.3f}",
        f"{levels['Abs'].overlap_without_small:.3f}",
    ]


def test_the_most_frequent_names_are_listed(clean):
    (names,) = [grid for grid in clean.grids() if grid.title.startswith("Most frequent names")]
    assert {row[0] for row in names.cells} == {
        one.functionality for one in clean.names.functionalities
    }
    assert "return" not in names.cells[0][2].split()
