"""Fresh names that a text does not use yet."""

from __future__ import annotations

import random
from collections.abc import Collection

__all__ = ["FreshNames"]

# None of them is a keyword, a built-in function or a macro of a common header in any language.
_WORDS = """
    acorn amber anchor apple aspen atlas badge bagel barley basil beacon birch bison bramble brook
    cabin cactus candle canyon carbon cedar cherry cinder clover cobalt comet copper coral cotton
    crater cricket daisy dapple denim dove drift dune eagle echoed ember falcon feather fennel fern
    fjord flint forest fossil garnet ginger glacier grove harbor hazel heron hickory honey indigo
    iris island ivory jasmine jasper juniper kelp kettle lagoon lantern laurel lemon lilac
    linen lotus magnet mango maple marble meadow meteor mint mosaic myrtle nectar nickel nutmeg
    oasis ochre olive onyx opal orchid osprey otter oyster paddle papaya pebble pepper petal pine
    plum pollen poplar prairie quail quarry quartz raven reed ribbon river saffron sage sandal
    sapphire sequoia shale silver sorrel sparrow spruce summit sundial sycamore tangent thicket
    thistle timber topaz tulip tundra velvet violet walnut warbler willow wren yarrow zephyr zinnia
"""
WORDS = tuple(_WORDS.split())


class FreshNames:
    """Fresh names in random order, none of which is in a set of taken words.

    Examples
    --------
    >>> names = FreshNames({"amber"}, random.Random(0))
    >>> first, second = names.take(), names.take()
    >>> first != second and "amber" not in (first, second)
    True
    """

    def __init__(self, taken: Collection[str], chance: random.Random) -> None:
        self._words = [*WORDS]
        chance.shuffle(self._words)
        self._taken = taken
        self._count = 0

    def take(self) -> str:
        """Return a name that is neither taken nor used before."""
        while True:
            again, place = divmod(self._count, len(self._words))
            self._count += 1
            name = self._words[place] + (str(again + 1) if again else "")
            if name not in self._taken:
                return name
