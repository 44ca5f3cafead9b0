"""What docs/align.md shows is what the command prints."""

import re
from pathlib import Path

import pytest

from codekin import measure

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples" / "align"
PAGE = (DOCS / "align.md").read_text("utf-8")


@pytest.mark.parametrize(
    "names",
    [
        ("candidate.py", "reference.py", "origin.py"),
        ("lorem-candidate.txt", "lorem-reference.txt", "lorem.txt"),
    ],
)
def test_the_examples_on_the_page_are_printed(cli, names) -> None:
    command = "$ codekin align {} {} --origin {}".format(*names)
    blocks = re.findall(r"```console\n(.*?)\n```", PAGE, re.S)
    (shown,) = (block for block in blocks if block.startswith(f"{command}\n") and "region" in block)
    candidate, reference, origin = (EXAMPLES / name for name in names)
    result = cli("align", candidate, reference, "--origin", origin, width=84)
    assert result.exit_code == 0, result.output
    printed = [line.rstrip() for line in result.stdout.splitlines()]
    begin = next(i for i, line in enumerate(printed) if " regions; " in line)
    assert shown.splitlines()[1:] == printed[begin:]


def test_the_numbers_on_the_page_are_those_of_the_measures() -> None:
    names = ("lorem-candidate", "lorem-reference", "lorem")
    candidate, reference, origin = ((EXAMPLES / f"{n}.txt").read_text("utf-8") for n in names)
    (bleu,) = re.findall(r"BLEU of these words is (\S+),", PAGE)
    value = measure("bleu", tokens="13a").score(candidate, reference).value
    assert f"{value:.3f}" == bleu
    assert "es-token gives 0." in PAGE
    assert measure("es-token", tokens="13a").score(candidate, reference, origin).value == 0


def test_the_python_on_the_page_runs(capsys) -> None:
    (example,) = re.findall(r"## From Python\n+```python\n(.*?)```", PAGE, re.S)
    exec(example, {})
    assert "the reference puts `<=`, the candidate `>`" in capsys.readouterr().out


def test_every_option_is_on_the_page(cli) -> None:
    told = cli("align", "--help", width=200).stdout
    for option in re.findall(r"--[a-z]+", told):
        assert option in ("--help", "--candidate") or option in PAGE
