from __future__ import annotations

import sys
from pathlib import Path

# The scripts in bench/ import each other by name, as when one of them is run.
sys.path.append(str(Path(__file__).parents[2] / "bench"))
