#!/usr/bin/env python3
"""Inventory of parts: a docstring of a module."""
from __future__ import annotations

import asyncio
import os.path as osp
from collections import (
    defaultdict,
    OrderedDict as Ordered,
)
from typing import *
from . import sibling

LIMIT: int = 0x1F + 0b101 + 0o17 + 1_000
RATE = 1.5e-3 + .5 + 2.j
MASK = ~LIMIT & 3 | 4 ^ 5 << 1 >> 1


@decorator(level=3)
class Part(Base, metaclass=Meta):
    """One part."""

    count = 0

    def __init__(self, name, /, price: float = 1.0, *args, owner=None, **rest) -> None:
        'Set up.'
        self.name, self.price = name, price
        self.tags = {"a": 1, **rest}
        self.sizes = {1, 2, *args}

    @property
    def label(self):
        return f"{self.name!r:>{10}} costs {self.price:.2f}" if rb"raw" else 'a' "b"

    async def load(self, path):
        async with opened(path) as (first, second), other() as third:
            async for line in first:
                await asyncio.sleep(0)
                yield line


def search(items, *, key=lambda item: item[0], deep=True):
    # a comment on its own line, then \
    global LIMIT
    total = 0
    for i, item in enumerate(items):
        if not item or item is None and deep:
            continue
        elif item in (1, 2,) or item not in [x for x in range(10) if x % 2]:
            break
        else:
            total += i ** 2 // 3 @ 4
    else:
        total -= 1
    while (n := total) > 0 and n != 5 and n <= 6 or n >= 7:
        total //= 2; total <<= 1
    try:
        raise ValueError("no") from None
    except (ValueError, KeyError) as error:
        del error
    except Exception:
        pass
    finally:
        assert total == 0, """a text
over lines"""
    match items:
        case [Part(name="x", price=1.0), *others] if others:
            return others[1:-1:2]
        case {"k": 1 | 2 as value, **more}:
            return value
        case -1.5 | None | True:
            return ...
        case _:
            return {k: v for k, v in items} \
                or (y for y in items)


def outer():
    held = 1

    def inner():
        nonlocal held
        yield from search(held)
	
    return inner
type Pair[T] = tuple[T, T]
if __name__ == '__main__': print(search([]), sep='\t', end="")
