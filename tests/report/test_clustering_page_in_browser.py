"""The page of groups in a real browser: that it fits, and can be used by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.many_revisions import clustering

from codekin import Clustering, cluster_revisions
from codekin.report.clustering_page import clustering_page


def written_page(found: Clustering, folder: Path, origin: str = "o.py") -> Path:
    path = folder / "p.html"
    path.write_bytes(clustering_page(found, origin))
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written_page(clustering(50, 3, threshold=0.9), tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(page, tmp_path, report, scheme) -> None:
    long = "x" * 300
    revisions = {f"{long}-{i}.py": f"{long}_{i} = 1\n" for i in range(4)}
    found = cluster_revisions(
        "a = 1\n", revisions, measure="nes", threshold=1, language="python", unusable={long: long}
    )
    page.prefer(scheme)
    for written in (report, written_page(found, tmp_path, f"{long}.py")):
        for width in (420, 1280):
            page.resize(width, 900)
            page.open(written)
            page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            assert page.run("document.documentElement.scrollWidth") <= width
            branches, names = page.run(
                "['.branches svg', '.leaves'].map((one) => "
                "(({width, height}) => [width, height])"
                "(document.querySelector(one).getBoundingClientRect()))"
            )
            assert branches[0] > 150
            assert branches[1] == pytest.approx(names[1], abs=2)  # rows stand beside their lines


def test_a_name_in_the_tree_leads_to_its_group_by_keyboard(page, report) -> None:
    page.open(report)
    page.run("document.querySelector('.leaves a[href=\"#group-20\"]').focus()")
    assert not page.run("document.querySelector('#group-20 details').open")
    page.press("Enter")
    page.until("document.querySelector('#group-20 details').open")
    top = page.run("document.querySelector('#group-20').getBoundingClientRect().top")
    assert 0 <= top < 100
    page.run("document.querySelector('#group-20 .diff').focus()")
    assert page.run("document.activeElement.matches('.diff')")


def test_the_theme_is_changed_by_its_button(page, report) -> None:
    page.prefer("light")
    page.open(report)
    shade = "getComputedStyle(document.body).backgroundColor"
    light = page.run(shade)
    assert page.text("#theme") == "Dark"
    page.click("#theme")
    assert page.text("#theme") == "Light"
    assert page.run(shade) != light
    page.click("#theme")
    assert page.run(shade) == light


def test_what_could_not_be_used_can_be_read(page, tmp_path) -> None:
    """At both widths names stay whole while there is room, and nothing is cut off."""
    reason = "hunk 1 of 1 (line 3 of the patch) does not apply: line 29 should be 'x' " * 4
    names = ["0012-against-an-old-version.patch", "folder/normal_diff_without_a_hyphen.patch"]
    found = cluster_revisions(
        "a = 1\n", {"b.py": "b = 1\n"}, measure="nes", unusable=dict.fromkeys(names, reason)
    )
    written = written_page(found, tmp_path)
    for width in (420, 1280):
        page.resize(width, 900)
        page.open(written)
        heights = page.run(
            "[...document.querySelectorAll('.failed .name')].map((one) => one.offsetHeight)"
        )
        assert len(heights) == 2
        assert max(heights) < 30  # one line
        ends = page.run(
            "[...document.querySelectorAll('.failed td')]"
            ".map((one) => one.getBoundingClientRect().right)"
        )
        assert max(ends) <= width
