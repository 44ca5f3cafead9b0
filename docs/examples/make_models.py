"""Write models/: what two models of predictions.jsonl answered, and the solutions, in three files.

Run as ``python make_models.py``; it writes the same files every time. The columns have the names
of a common benchmark, and the small model often chats.
"""

import json
from pathlib import Path

HERE = Path(__file__).parent
CHAT = "Sure! Here is the function:\n\n```python\n{}```\n\nLet me know if you have questions.\n"


def write(name: str, rows: list[dict]) -> None:
    """Write rows as JSON lines."""
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (HERE / "models" / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Write the three files."""
    lines = (HERE / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    gold = {row["task"]: row["reference"] for row in rows}
    write("gold.jsonl", [{"task_id": k, "canonical_solution": v} for k, v in gold.items()])
    for model in ("small", "large"):
        answers = []
        for number, row in enumerate(row for row in rows if row["group"] == model):
            code = row["candidate"]
            if code is None:
                continue
            chats = model == "small" and number % 3 == 0
            answers.append(
                {"task_id": row["task"], "completion": CHAT.format(code) if chats else code}
            )
        write(f"{model}.jsonl", answers)


if __name__ == "__main__":
    main()
