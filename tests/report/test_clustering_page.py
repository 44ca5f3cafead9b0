from __future__ import annotations

import re

import pytest
from tests.report.many_revisions import clustering
from tests.report.nasty import NASTY

from codekin import cluster_revisions
from codekin.report.clustering_page import clustering_page


def page_of(**more: object) -> str:
    return clustering_page(clustering(3, 4, **more), "o.py").decode()


def test_nothing_is_asked_of_a_network() -> None:
    page = page_of(groups=3)
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    assert "default-src 'none'" in page


def test_the_same_clustering_gives_the_same_bytes() -> None:
    assert page_of(groups=3) == page_of(groups=3)


def test_every_revision_is_on_the_page() -> None:
    found = clustering(3, 4, groups=3)
    page = page_of(groups=3)
    for group in found.groups:
        assert f'id="group-{group.number}"' in page
        for name in group.members:
            assert re.search(rf'<span class="name" title="{name}[",]', page)
    assert "<li>untouched.py</li>" in page
    assert '<tr><td><span class="name">bad.py</span></td><td>no</td></tr>' in page
    assert "zz-copy.py <small>the same as f0-0.py</small>" in page
    assert page.count("similarity to the medoid") == 3
    assert "<dt>copy</dt><dd>1</dd>" in page
    assert '<small title="2 revisions">×2</small>' in page


def test_the_diff_of_the_medoid_is_against_the_origin() -> None:
    page = page_of(groups=3)
    (first,) = re.findall(r'id="group-1".*?</pre>', page, re.S)
    assert '<span class="minus">-line_0 = 0</span>' in first
    assert '<span class="plus">+family_0 = 0</span>' in first
    assert '<span class="where">@@ -1,6 +1,6 @@' in first


def test_long_diffs_are_cut_and_say_so() -> None:
    long = "\n".join(f"new_{i} = 1" for i in range(500))
    found = cluster_revisions("a = 1\n", {"b": long}, measure="nes", language="python")
    page = clustering_page(found, "o.py").decode()
    assert page.count('<span class="plus">') + page.count('<span class="minus">') == 199
    assert "And 303 lines more." in page


def test_many_groups_are_rows_of_a_table() -> None:
    found = clustering(60, 1, threshold=1.0)
    page = clustering_page(found, "o.py").decode()
    assert page.count('<pre class="diff"') == 40
    assert page.count('<tr id="group-') == 20
    assert page.count('id="group-') == 60 + 40  # and the titles of those with a diff


def test_all_untouched_is_a_page_too() -> None:
    found = cluster_revisions("a", {"b": "a"}, measure="nes", language="c")
    page = clustering_page(found, "o.py").decode()
    assert "No revision differs from the origin." in page
    assert 'id="tree"' not in page


@pytest.mark.parametrize("text", [*NASTY, "\ud800"])
def test_no_text_breaks_out(text) -> None:
    revisions = {text: f"{text} = 1\n", "other": "b = 2\n", f"copy {text}": f"{text} = 1\n"}
    found = cluster_revisions(
        f"{text}\n", revisions, measure="nes", language="python", unusable={f"{text}!": text}
    )
    page = clustering_page(found, text).decode()
    assert page.count("<script") == page.count("</script>") == 1
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
