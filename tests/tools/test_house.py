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
