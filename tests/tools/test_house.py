from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "house.py"
TREE = {
    "__init__.py": "_HOMES = {'work': 'codekin.engine.job:Job'}\n",
    "engine/__init__.py": "from codekin.engine.job import Job\n",
    "engine/job.py": "from codekin.engine import parts\nclass Job: ...\nclass _Row: ...\n",
    "engine/parts.py": "_COMMAND = 'from codekin.engine.child import main; main()'\n",
    "engine/child.py": "def main():\n    import codekin.engine.lazy\n",
    "engine/lazy.py": "from . import job\n",
    "measures/__init__.py": "from .nes import Nes\n",
    "measures/nes.py": "class Nes:\n    summary: str = 'alike'\n",
    "measures/words.py": "class Job: ...\n",
    "cli/job.py": "from codekin.engine import Job\nfrom codekin.measures.words import Job as J\n",
}


def house(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), str(root), *words], capture_output=True, text=True, check=False
    )


def test_a_small_tree_is_counted(tmp_path: Path) -> None:
    for name, text in TREE.items():
        file = tmp_path / "src" / "codekin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found = json.loads(house(tmp_path, "--json").stdout)
    assert found["single_importers"] == {
        "codekin.engine.child": "codekin.engine.parts",
        "codekin.engine.lazy": "codekin.engine.child",
        "codekin.engine.parts": "codekin.engine.job",
        "codekin.measures.words": "codekin.cli.job",
    }
    assert found["unimported"] == []
    assert found["repeated_files"] == {"job.py": ["cli/job.py", "engine/job.py"]}
    assert found["repeated_classes"] == {"Job": ["codekin.engine.job", "codekin.measures.words"]}
    assert found["counts"]["modules"] == len(TREE)


def test_a_folder_without_the_package_is_refused(tmp_path: Path) -> None:
    done = house(tmp_path)
    assert done.returncode == 1
    assert "name a checkout" in done.stderr


SURFACE = {
    "__init__.py": "import re\n",
    "__init__.pyi": "from codekin.x import score as score\nfrom codekin.x import Run as Run\n",
    "cli/options.py": (
        'Where = Annotated[str, Option("--where", "-w")]\n'
        "class Job:\n    where: Where\n    dask: Annotated[str, Option('--dask')]\n"
        'def level(text):\n    return Option("--level", help=text)\n'
    ),
    "cli/score.py": (
        "@command(example='x')\n"
        "def score_command(rows: Argument(), fast: Annotated[bool, Option('--fast/--slow')], *,\n"
        "                  job: Job, how: Annotated[int, level('L')]) -> None: ...\n"
    ),
    "cli/find.py": "@command()\ndef find_command(where: Where) -> None: ...\n",
    "runs/settings.py": (
        "def describe_settings(s):\n    return {'max_bytes': s.max_bytes, 'language': s.language}\n"
        "def limit(max_bytes):\n    return [one for one in max_bytes for a, b in one]\n"
    ),
    "report/templates/page.css": "a {}\nb {}\n",
}


def test_commands_options_names_and_loops_are_counted(tmp_path: Path) -> None:
    for name, text in SURFACE.items():
        file = tmp_path / "src" / "codekin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found = json.loads(house(tmp_path, "--json").stdout)
    assert found["options"] == {
        "codekin.cli.find.find_command": ["--where"],
        "codekin.cli.score.score_command": ["--dask", "--fast", "--level", "--where"],
    }
    counts = found["counts"]
    assert [counts[name] for name in ("commands", "options", "different options")] == [2, 5, 4]
    assert counts["most options of a command"] == 4
    assert counts["public names"] == 2
    assert counts["places of a setting, median"] == 2
    assert (counts["loop variables"], counts["called one, some, other or each"]) == (1, 1)
    assert counts["lines of templates"] == 2
    assert found["rooms"] == {"cli": 11, "runs": 4, "__init__.py": 1}


def test_a_row_is_followed() -> None:
    done = house(TOOL.parents[1], "--json", "--trace")
    found = json.loads(done.stdout)
    assert {"Record", "Row", "Source", "ScoredShard"} < set(found["types"])
    assert found["counts"]["types on the path of a row"] == len(found["types"])
    assert found["counts"]["decodings"] > 0
