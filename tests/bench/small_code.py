"""Small functions of six languages, no two alike, for clones to be planted."""

from __future__ import annotations

HEADS = {"go": "package small\n\n"}
STEPS = {
    "c": ("total += {0};", "total = total * {0};", "note(total, {0});", "total -= {0} % n;"),
    "java": ("total += {0};", "total = total * {0};", "note(total, {0});", "total -= {0} % n;"),
    "go": ("total += {0}", "total = total * {0}", "note(total, {0})", "total -= {0} % n"),
    "python": ("total += {0}", "total = total * {0}", "note(total, {0})", "total -= {0} % n"),
    "javascript": (
        "total += {0};",
        "total = total * {0};",
        "note(total, {0});",
        "total -= {0} % n;",
    ),
}
STEPS["typescript"] = STEPS["javascript"]
FORMS = {
    "c": "int {0}(int n)\n{{\n    int total = 0;\n    int scale = {1};\n"
    "    for (int i = 0; i < n; i++) {{\n{2}    }}\n"
    "    if (total > scale && n > 2) {{\n        total -= scale;\n    }}\n    return total;\n}}\n",
    "java": "    int {0}(int n) {{\n        int total = 0;\n        int scale = {1};\n"
    "        for (int i = 0; i < n; i++) {{\n{2}        }}\n"
    "        if (total > scale && n > 2) {{\n            total -= scale;\n        }}\n"
    "        return total;\n    }}\n",
    "go": "func {0}(n int) int {{\n\ttotal := 0\n\tscale := {1}\n"
    "\tfor i := 0; i < n; i++ {{\n{2}\t}}\n"
    "\tif total > scale && n > 2 {{\n\t\ttotal -= scale\n\t}}\n\treturn total\n}}\n",
    "python": "def {0}(n):\n    total = 0\n    scale = {1}\n    for i in range(n):\n{2}"
    "    if total > scale and n > 2:\n        total -= 1\n    return total\n",
    "javascript": "function {0}(n) {{\n  let total = 0;\n  let scale = {1};\n"
    "  for (let i = 0; i < n; i++) {{\n{2}  }}\n"
    "  if (total > scale && n > 2) {{\n    total -= scale;\n  }}\n  return total;\n}}\n",
}
FORMS["typescript"] = FORMS["javascript"].replace("(n)", "(n: number): number")


def function(language: str, number: int) -> str:
    """A function whose statements spell its number with four digits in base four."""
    indentation = {"go": "\t\t", "java": " " * 12, "javascript": "    ", "typescript": "    "}
    digits = [number // 4**i % 4 for i in range(4)]
    steps = [STEPS[language][digit].format(f"i + {i}") for i, digit in enumerate(digits)]
    base = indentation.get(language, " " * 8)
    body = "".join(f"{base}{step}\n" for step in steps)
    return FORMS[language].format(f"work{number}", number, body)


def small_file(language: str, numbers: range) -> str:
    functions = "\n".join(function(language, number) for number in numbers)
    if language == "java":
        return f"class Small{numbers[0]} {{\n{functions}}}\n"
    return HEADS.get(language, "") + functions
