"""What docs/evaluation.md shows is what the command prints."""

from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "evaluation.md"


def test_the_card_on_the_page_is_the_one_that_is_printed(cli, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    result = cli("evaluate", "card", "-m", "bleu", "-m", "tsed", "-w", 1)
    assert result.exit_code == 0, result.output
    printed = result.stdout.partition("Cost of a pair")[0]
    shown = [line.rstrip() for line in printed.splitlines() if line.strip()]
    page = [line.rstrip() for line in PAGE.read_text(encoding="utf-8").splitlines()]
    assert len(shown) == 18
    assert [line for line in page if line in shown] == shown
