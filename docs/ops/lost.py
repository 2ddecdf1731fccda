"""Writes on the page of every op in which modes its gradient is lost, and the way round: ``python docs/ops/lost.py``.

The losses are those of ``porting/known_differences.toml``, which ``porting survive`` holds against what it sees; the
way round is that of the framework's ``modes.toml``.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from porting.backends import BACKENDS
from porting.parity.known import KnownDifference, load
from porting.registry import ops
from porting.spec import Op

HERE = Path(__file__).parent
_TITLE = "## Where the gradient is lost"
_BEFORE = "## Source"
_SECTION = re.compile(rf"{_TITLE}\n.*?(?={_BEFORE})", re.DOTALL)
_ALL = "[Every mode](../../guide/survival.md#the-catalogue) is looked at with `porting survive {}`."


def section(op: Op) -> str:
    """Return what stands on the page of an op."""
    lines = [line for key in BACKENDS if key in op.runners for line in _of_side(op, key)]
    return "\n".join([_TITLE, "", *lines, "", _ALL.format(op.name), "", ""])


def _of_side(op: Op, key: str) -> Iterator[str]:
    title, modes = BACKENDS[key].title, BACKENDS[key].modes
    found = [known for known in load() if (known.op, known.runner) == (op.name, key) and known.check in modes]
    if not found:
        yield f"- {title}: in no mode that is known."
    ways: dict[str, list[KnownDifference]] = {}
    for known in found:
        way = modes[known.check].instead
        ways.setdefault(f"silently. {way}" if way else f"{known.reason}.", []).append(known)
    for way, losses in ways.items():
        names = ", ".join(f"`{known.check}`{' (with some numbers)' if known.sometimes else ''}" for known in losses)
        yield fill(f"- {title}, {names}: {way}", 120, subsequent_indent="  ", break_on_hyphens=False)


def written(op: Op) -> str:
    """Return the page of an op, with the section as it should be."""
    page = (HERE / op.family / f"{op.name}.md").read_text(encoding="utf-8")
    return _SECTION.sub("", page).replace(_BEFORE, section(op) + _BEFORE)


if __name__ == "__main__":
    for each in ops().values():
        if each.in_catalogue:
            (HERE / each.family / f"{each.name}.md").write_text(written(each), encoding="utf-8")
