"""Write predictions.jsonl: 40 small functions as three models, which err more or less, write them.

Run as ``python make_predictions.py > predictions.jsonl``; it writes the same file every time.
"""

import json
import random
import re

CONDITIONS = {
    "even": "value % 2 == 0",
    "odd": "value % 2 == 1",
    "positive": "value > 0",
    "small": "value < 10",
    "round": "value % 10 == 0",
}
ACTIONS = {
    "count": ("0", "total += 1"),
    "add": ("0", "total += value"),
    "multiply": ("1", "total *= value"),
    "list": ("[]", "total.append(value)"),
    "join": ('""', "total += str(value)"),
    "last": ("None", "total = value"),
    "lowest": ("None", "total = value if total is None else min(total, value)"),
    "squares": ("0", "total += value ** 2"),
}
FUNCTION = """\
def {action}_{condition}(values):
    total = {start}
    for value in values:
        if {test}:
            {step}
    return total
"""
EDITS = [
    (r"\bvalue\b", "item"),
    (r"\btotal\b", "result"),
    (r"== 0|> 0|< 10", "!= 1"),
    (r"return (\w+)", r"return \1 or None"),
    (r"\+=", "-="),
    (r":\n    (?=total|result)", r":\n    if not values:\n        return None\n    "),
]
MODELS = {"small": 0.4, "medium": 0.3, "large": 0.2}
"""How likely each makes each of the edits."""


def main() -> None:
    """Print a line for each model and task."""
    rng = random.Random(0)
    for model, rate in MODELS.items():
        tasks = [(action, condition) for action in ACTIONS for condition in CONDITIONS]
        for number, (action, condition) in enumerate(tasks, 1):
            start, step = ACTIONS[action]
            reference = candidate = FUNCTION.format(
                action=action,
                condition=condition,
                start=start,
                test=CONDITIONS[condition],
                step=step,
            )
            for pattern, text in EDITS:
                if rng.random() < rate:
                    candidate = re.sub(pattern, text, candidate)
            if (model, number) == ("large", 31):  # which it was never asked
                continue
            row = {
                "id": f"{model}-{number}",
                "group": model,
                "task": f"{action}_{condition}",
                "action": action,
                "language": "python",
                # One answer never came.
                "candidate": candidate if (model, number) != ("small", 23) else None,
                "reference": reference,
            }
            print(json.dumps(row))


if __name__ == "__main__":
    main()
