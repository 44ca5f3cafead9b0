"""Random structured programs as trees: written as listings of items, and run by walking the tree.

A program is a list of statements, each a tuple whose first word says what it is. Running one draws
every decision and gives the operations that ran, each with how it was left: True or False for a
decision, "raised", or None.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

__all__ = ["listing", "program", "run"]

Statement = tuple[Any, ...]
_STATEMENTS = ("op", "op", "op", "raising", "if", "loop", "switch", "try", "block", "jump")


def program(random: Random, size: int, *, final: bool = True) -> list[Statement]:
    """A random program of about `size` statements.

    With `final` some have FINALLY; without it the body of every try starts with what may raise.
    """
    return _Writer(random, size, final).body([], [])


class _Writer:
    def __init__(self, random: Random, size: int, final: bool) -> None:
        self.random, self.left, self.final = random, size, final
        self.numbers = itertools.count()

    def name(self, prefix: str) -> str:
        return f"{prefix}{next(self.numbers)}"

    def maybe(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def body(self, loops: list[str], blocks: list[str]) -> list[Statement]:
        statements = []
        for _ in range(self.random.randint(0, 4)):
            if self.left <= 0:
                break
            self.left -= 1
            statements.append(self.statement(loops, blocks))
        return statements

    def statement(self, loops: list[str], blocks: list[str]) -> Statement:
        def body() -> list[Statement]:
            return self.body(loops, blocks)

        match self.random.choice(_STATEMENTS):
            case "op":
                return ("op", self.name("a"), False)
            case "raising":
                return ("op", self.name("r"), True)
            case "if":
                return ("if", self.name("c"), body(), body() if self.maybe() else None)
            case "loop":
                label = self.name("l")
                inner = self.body([*loops, label], blocks)
                update = [("op", self.name("u"), False)] if self.maybe() else None
                orelse = body() if self.maybe(0.3) else None
                return ("loop", label, self.name("t"), self.maybe(), inner, update, orelse)
            case "switch":
                return self.switch(loops, blocks)
            case "try":
                handlers = [body() for _ in range(self.random.randint(0, 2))]
                final = body() if self.final and self.maybe() else None
                first = [] if self.final else [("op", self.name("r"), True)]
                orelse = body() if self.maybe(0.3) else None
                return ("try", first + body(), handlers, orelse, final)
            case "block":
                label = self.name("k")
                return ("block", label, self.body(loops, [*blocks, label]))
        return self.jump(loops, blocks)

    def switch(self, loops: list[str], blocks: list[str]) -> Statement:
        alternatives = []
        default = self.random.randint(0, 4)
        for k in range(self.random.randint(0, 4)):
            match = "default" if k == default else self.name("m") if self.maybe() else None
            guard = self.name("g") if self.maybe(0.3) else None
            body = self.body(loops, blocks)
            if self.maybe(0.7):
                body.append(("leave", self.name("j")))
            alternatives.append((match, guard, body))
        return ("switch", self.name("s"), alternatives)

    def jump(self, loops: list[str], blocks: list[str]) -> Statement:
        kinds = ["return", "throw"]
        if loops:
            kinds += ["break", "continue"] * 2
        if blocks:
            kinds += ["block"] * 2
        kind = self.random.choice(kinds)
        if kind == "block":
            return ("break", self.name("j"), self.random.choice(blocks))
        label = self.random.choice([loops[-1], *loops]) if kind in {"break", "continue"} else None
        return (kind, self.name("j"), label)


def listing(statements: list[Statement]) -> str:
    """The items of a program."""
    return "; ".join(_items(statements))


def _items(statements: list[Statement]) -> list[str]:
    items: list[str] = []
    for word, *rest in statements:
        match word, rest:
            case "op", [name, raises]:
                items.append(name + "!" * raises)
            case "if", [name, then, orelse]:
                items += [name, f"if {name}", *_items(then)]
                items += ["else", *_items(orelse)] if orelse is not None else []
                items.append("end")
            case "loop", [label, name, first, body, update, orelse]:
                test = [name, f"test {name}"]
                items += [f"loop @{label}", *(test if first else []), *_items(body)]
                items += ["next", *_items(update)] if update is not None else []
                items += [] if first else (["next"] if update is None else []) + test
                items += ["loopelse", *_items(orelse)] if orelse is not None else []
                items.append("end")
            case "switch", [subject, alternatives]:
                items += [subject, f"switch {subject} nobreak"]
                for match_name, guard, body in alternatives:
                    items += ["case", *_tests(match_name)]
                    items += [guard, f"guard {guard}"] if guard else []
                    items += _items(body)
                items.append("end")
            case "try", [body, handlers, orelse, final]:
                items += ["try", *_items(body)]
                for handler in handlers:
                    items += ["catch", *_items(handler)]
                items += ["tryelse", *_items(orelse)] if orelse is not None else []
                items += ["finally", *_items(final)] if final is not None else []
                items.append("end")
            case "block", [label, body]:
                items += [f"block @{label}", *_items(body), "end"]
            case _, [name, *label]:
                items.append(f"{word} {name}" + (f" @{label[0]}" if label and label[0] else ""))
    return items


def _tests(match: str | None) -> list[str]:
    if match == "default":
        return ["default"]
    return ["match"] if match is None else [match, f"match {match}"]


class _JumpError(Exception):
    def __init__(self, kind: str, label: str | None = None) -> None:
        self.kind, self.label = kind, label


class _EnoughError(Exception):
    pass


class _Run:
    def __init__(self, random: Random, steps: int) -> None:
        self.random, self.steps = random, steps
        self.trace: list[list[Any]] = []
        self.protected = 0

    def step(self, name: str, left: object = None) -> None:
        if len(self.trace) >= self.steps:
            raise _EnoughError
        self.trace.append([name, left])

    def decide(self, name: str | None) -> bool:
        """Draw a decision; a switch's subject ran before, then nothing runs here."""
        decision = self.random.random() < 0.5
        if name is not None:
            self.step(name, decision)
        return decision

    def body(self, statements: list[Statement]) -> None:
        for word, *rest in statements:
            if word in {"op", "if", "loop", "switch", "try", "block"}:
                getattr(self, f"run_{word}")(*rest)
            else:
                self.step(rest[0], "raised" if word == "throw" else None)
                raise _JumpError(word, rest[1] if len(rest) > 1 else None)

    def run_op(self, name: str, raises: bool) -> None:
        raised = raises and self.protected > 0 and self.random.random() < 0.3
        self.step(name, "raised" if raised else None)
        if raised:
            raise _JumpError("throw")

    def run_if(self, name: str, then: list[Statement], orelse: list[Statement] | None) -> None:
        self.body(then if self.decide(name) else orelse or [])

    def run_block(self, label: str, body: list[Statement]) -> None:
        try:
            self.body(body)
        except _JumpError as jump:
            if (jump.kind, jump.label) != ("break", label):
                raise

    def run_loop(
        self,
        label: str,
        name: str,
        first: bool,
        body: list[Statement],
        update: list[Statement] | None,
        orelse: list[Statement] | None,
    ) -> None:
        while not first or self.decide(name):
            try:
                self.body(body)
            except _JumpError as jump:
                if jump.label != label:
                    raise
                if jump.kind == "break":
                    return
            self.body(update or [])
            if not first and not self.decide(name):
                break
        self.body(orelse or [])

    def run_switch(self, subject: str, alternatives: list[Any]) -> None:
        self.step(subject)
        order = sorted(range(len(alternatives)), key=lambda k: alternatives[k][0] == "default")
        for k in order:
            match, guard, _ = alternatives[k]
            if (match == "default" or self.decide(match)) and (not guard or self.decide(guard)):
                break
        else:
            return
        try:
            for _, _, body in alternatives[k:]:
                self.body(body)
        except _JumpError as jump:
            if jump.kind != "leave":
                raise

    def run_try(
        self,
        body: list[Statement],
        handlers: list[list[Statement]],
        orelse: list[Statement] | None,
        final: list[Statement] | None,
    ) -> None:
        try:
            with_final = int(final is not None)
            self.protected += with_final
            try:
                self.guarded(body, handlers, orelse or [])
            finally:
                self.protected -= with_final
        except _JumpError:
            self.body(final or [])
            raise
        self.body(final or [])

    def guarded(
        self, body: list[Statement], handlers: list[list[Statement]], orelse: list[Statement]
    ) -> None:
        self.protected += bool(handlers)
        try:
            self.body(body)
        except _JumpError as jump:
            self.protected -= bool(handlers)
            if jump.kind != "throw" or not handlers:
                raise
            self.body(self.random.choice(handlers))
        else:
            self.protected -= bool(handlers)
            self.body(orelse)


def run(statements: list[Statement], random: Random, steps: int = 60) -> tuple[list[Any], bool]:
    """What ran, and whether the program came to its end within the steps."""
    running = _Run(random, steps)
    try:
        running.body(statements)
    except _JumpError:
        pass
    except _EnoughError:
        return running.trace, False
    return running.trace, True
