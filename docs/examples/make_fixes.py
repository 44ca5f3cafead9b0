"""Write fixes.jsonl: how three models repair 100 small functions, of which a third were tested.

Run as ``python make_fixes.py > fixes.jsonl``; it writes the same file every time. The outcome of a
test is found by running the function, and is known for all rows; on stderr are the true pass rates.
"""

import json
import random
import sys

CONDITIONS = {
    "even": ("value % 2 == 0", "value % 2 != 0"),
    "odd": ("value % 2 == 1", "value % 2 == 0"),
    "positive": ("value > 0", "value >= 0"),
    "negative": ("value < 0", "value <= 0"),
    "small": ("value < 10", "value <= 10"),
    "large": ("value > 10", "value >= 10"),
    "round": ("value % 10 == 0", "value % 10 == 1"),
    "third": ("value % 3 == 0", "value % 3 == 1"),
    "two_digits": ("9 < value < 100", "9 < value <= 100"),
    "unit": ("abs(value) == 1", "value == 1"),
}
ACTIONS = {
    "count": ("0", "total += 1", "total -= 1"),
    "add": ("0", "total += value", "total = value"),
    "multiply": ("1", "total *= value", "total += value"),
    "collect": ("[]", "total.append(value)", "total = [value]"),
    "join": ('""', "total += str(value)", "total = str(value)"),
    "last": ("None", "total = value", "total = values[-1]"),
    "squares": ("0", "total += value ** 2", "total += value * 2"),
    "cubes": ("0", "total += value ** 3", "total += value * 3"),
    "lowest": ("999", "total = min(total, value)", "total = max(total, value)"),
    "highest": ("-999", "total = max(total, value)", "total = min(total, value)"),
}
FUNCTION = """\
def {name}(values):
    total = {start}
    for value in values:
        if {test}:
            {step}
    return total
"""
MODELS = {"small": 0.35, "medium": 0.55, "large": 0.75}
"""How likely each finds the bug."""
INPUTS = ([], [1, 2, 3], [10, 11, 20, -1, 0], [-4, 9, 100, 30, 7, 12], [5, 5, -1, 40, 99, 3])


def passes(code: str, reference: str, name: str) -> bool:
    """Whether two functions agree on all inputs."""
    made: list[dict] = [{}, {}]
    exec(code, made[0])
    exec(reference, made[1])
    return all(made[0][name](list(one)) == made[1][name](list(one)) for one in INPUTS)


def main() -> None:
    """Print a line for each model and task."""
    chance = random.Random(0)
    rows, truth = [], {}
    for action, (start, step, wrong_step) in ACTIONS.items():
        for condition, (test, wrong_test) in CONDITIONS.items():
            name = f"{action}_{condition}"
            right = {"name": name, "start": start, "test": test, "step": step}
            bug = {"test": wrong_test} if chance.random() < 0.5 else {"step": wrong_step}
            reference, origin = FUNCTION.format(**right), FUNCTION.format(**{**right, **bug})
            for model, skill in MODELS.items():
                fixed = right if chance.random() < skill else {**right, **bug}
                if fixed is not right and chance.random() < 0.5:  # changes another line
                    other = {"test": wrong_test} if "step" in bug else {"step": wrong_step}
                    fixed = {**fixed, **other}
                candidate = FUNCTION.format(**fixed)
                if chance.random() < 0.3:
                    candidate = candidate.replace("total", "result")
                outcome = int(passes(candidate, reference, name))
                truth.setdefault(model, []).append(outcome)
                rows.append(
                    {
                        "id": f"{name}/{model}",
                        "group": model,
                        "task": name,
                        "language": "python",
                        "origin": origin,
                        "reference": reference,
                        "candidate": candidate,
                        "outcome": outcome,
                    }
                )
    tested = set(chance.sample(range(len(rows)), len(rows) // 3))
    for number, row in enumerate(rows):
        if number not in tested:
            del row["outcome"]
        print(json.dumps(row))
    every = [one for outcomes in truth.values() for one in outcomes]
    for name, outcomes in {"all rows": every, **truth}.items():
        print(f"{name}: {sum(outcomes) / len(outcomes):.3f}", file=sys.stderr)


if __name__ == "__main__":
    main()
