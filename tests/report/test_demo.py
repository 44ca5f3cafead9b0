from __future__ import annotations

from codekin.report.demo import demo_run, read_demo


def test_the_demo_scores_every_pair() -> None:
    with demo_run() as run:
        assert (run.rows, run.failed) == (55, 0)
        assert run.table(["id"]).column("id").to_pylist() == [row["id"] for row in read_demo()]
        folder = run.path
    assert not folder.exists()
