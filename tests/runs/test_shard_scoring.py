from __future__ import annotations

from codekin import measure
from codekin.runs.rows import open_rows
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import RecentSources, score_shard

SETTINGS = Settings((measure("bleu"), measure("tsed"), measure("nes")))


def test_what_was_seen_of_late_changes_no_byte(rows) -> None:
    recent = RecentSources(300)
    for shard in open_rows(rows(200)).shards(20):
        alone = score_shard(shard, SETTINGS)
        assert score_shard(shard, SETTINGS, recent=recent) == alone


def test_references_are_kept_as_long_as_there_is_room() -> None:
    recent = RecentSources(10)
    first = recent.get(("aaaa", "c"))
    assert recent.get(("aaaa", "c")) is first
    assert recent.get(("aaaa", "python")) is not first
    recent.get(("bbbb", "c"))  # now the first, which was not asked for since, is gone
    assert recent.get(("aaaa", "c")) is not first
    huge = recent.get(("x" * 100, "c"))
    assert recent.get(("x" * 100, "c")) is not huge
    assert recent.get(("aaaa", "c")) is recent.get(("aaaa", "c"))
