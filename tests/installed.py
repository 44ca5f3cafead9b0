"""What must work wherever codekin is installed; run with the Python of that environment alone.

Usage: ``python tests/installed.py``; it needs neither the repository nor the test dependencies.
"""

from __future__ import annotations

import codekin

CODE = {
    "python": ("def f(a):\n    return a + 1\n", "def f(b):\n    return b + 1\n"),
    "java": (
        "class A { int f(int a) { return a + 1; } }",
        "class A { int f(int b) { return b + 1; } }",
    ),
    "c": ("int f(int a) { return a + 1; }", "int f(int b) { return b + 1; }"),
}


def main() -> None:
    """Score renamed code by every measure, which uses every part of the kernels."""
    for language, (candidate, reference) in CODE.items():
        compared = codekin.compare(candidate, reference, origin=reference, language=language)
        values = {name: score.value for name, score in compared.scores.items()}
        assert set(values) == set(codekin.measure_names()), values
        assert values["cssg"] == 1.0, (language, values)
        assert 0 < values["codebleu"] < 1, (language, values)
    print(f"codekin {codekin.__version__}: {len(values)} measures in {len(CODE)} languages")


if __name__ == "__main__":
    main()
