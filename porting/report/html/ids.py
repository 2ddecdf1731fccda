"""The ids of a page: the same in each run for the same thing, so that a link stays good; no two alike."""

import re
from typing import Final

_ODD: Final = re.compile(r"[^A-Za-z0-9_.]+")


class Ids:
    """Gives ids, of what names a thing; the same names get the same id again."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, ...], str] = {}
        self._taken: set[str] = set()

    def of(self, *names: str) -> str:
        """Return the id: ``op-swish.vjp`` of an op and a check."""
        if names not in self._given:
            self._given[names] = self.new(*names)
        return self._given[names]

    def new(self, *names: str) -> str:
        """Return an id that nothing has, for a further thing of these names."""
        wanted = found = "op-" + ".".join(_ODD.sub("-", name).strip("-") for name in names)
        number = 1
        while found in self._taken:
            number += 1
            found = f"{wanted}-{number}"
        self._taken.add(found)
        return found
