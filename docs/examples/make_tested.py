"""Write models/tested/: samples of two models for ten tasks with the results of their tests.

Run as ``python make_tested.py``; it writes the same files every time, in the form of human-eval:
a file of problems, and per model five samples of each task with whether they passed. A completion
continues its prompt, and begins with a docstring or not, as models do.
"""

import json
import random
from pathlib import Path

FOLDER = Path(__file__).parent / "models" / "tested"
SAMPLES = 5
TASKS = {  # head, what it does, solution, what wrong samples have in place of what, one test
    "total": ("values", "Add the values.", "    return sum(values)\n", ("sum", "max"), ([1, 2], 3)),
    "largest": ("values", "Find the largest value.", "    return max(values)\n", ("max", "min"),
                ([1, 2], 2)),
    "evens": ("values", "Keep the even values.", "    return [v for v in values if v % 2 == 0]\n",
              ("== 0", "== 1"), ([1, 2], [2])),
    "squares": ("values", "Square each value.", "    return [v * v for v in values]\n",
                ("v * v", "v + v"), ([3], [9])),
    "backwards": ("values", "Reverse the values.", "    return values[::-1]\n", ("::-1", "1:"),
                  ([1, 2], [2, 1])),
    "longest": ("words", "Find the longest word.", "    return max(words, key=len)\n",
                (", key=len", ""), (["z", "aa"], "aa")),
    "initials": ("words", "Take the first letter of each word.",
                 "    return [word[0] for word in words]\n", ("[0]", "[-1]"), (["ab"], ["a"])),
    "distinct": ("values", "Count the distinct values.", "    return len(set(values))\n",
                 ("len(set(values))", "len(values)"), ([1, 1], 1)),
    "ordered": ("values", "Tell whether the values are in order.",
                "    return list(values) == sorted(values)\n", ("==", "!="), ([1, 2], True)),
    "product": ("values", "Multiply the values.",
                "    result = 1\n    for value in values:\n        result *= value\n"
                "    return result\n", ("*=", "+="), ([2, 3], 6)),
}  # fmt: skip
RIGHT = {"small": 0.4, "large": 0.7}


def write(name: str, rows: list[dict]) -> None:
    """Write rows as JSON lines."""
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (FOLDER / name).write_text(text, encoding="utf-8")


def passes(program: str, name: str, test: tuple) -> bool:
    """Whether a program does what the test of its task wants."""
    names: dict = {}
    exec(program, names)
    return bool(names[name](test[0]) == test[1])


def main() -> None:
    """Write the problems, and the samples of both models."""
    FOLDER.mkdir(exist_ok=True)
    problems, samples = [], {model: [] for model in RIGHT}
    for number, (name, (head, what, solution, wrong, test)) in enumerate(TASKS.items()):
        task = f"Tested/{number}"
        prompt = f'def {name}({head}):\n    """{what}"""\n'
        problems.append(
            {
                "task_id": task,
                "prompt": prompt,
                "entry_point": name,
                "canonical_solution": solution,
            }
        )
        for model, share in RIGHT.items():
            drawn = random.Random(f"{model} {name}")
            for sample in range(SAMPLES):
                body = solution if drawn.random() < share else solution.replace(*wrong)
                if sample % 2 and model == "small":
                    body = f'    """{what}"""\n{body}'
                passed = passes(prompt + body, name, test)
                result = "passed" if passed else "failed: AssertionError"
                samples[model].append(
                    {"task_id": task, "completion": body, "result": result, "passed": passed}
                )
    write("problems.jsonl", problems)
    for model, rows in samples.items():
        write(f"{model}_samples.jsonl_results.jsonl", rows)


if __name__ == "__main__":
    main()
