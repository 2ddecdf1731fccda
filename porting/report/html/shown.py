"""What a notebook shows of a report, an op and a pair."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from inspect import getdoc
from typing import Any

from porting.backends import TITLES
from porting.contract import Contract
from porting.pairs.pair import Pair
from porting.parity.report import Report
from porting.report.html import check
from porting.report.html.environment import rendered
from porting.report.html.style import coloured, style
from porting.report.source import ROLES, sources
from porting.signature import written
from porting.spec import Op


def shown(thing: Report | Op | Pair) -> str:
    """Return an object as HTML.

    Parameters
    ----------
    thing : Report, Op or Pair
        A report as the page shows it, without the list of all checks; an op with its contract and its sources; a pair
        as it was given: nothing of it is loaded or called.
    """
    match thing:
        case Report():
            return check.fragment(thing)
        case Op():
            return _op(thing)
        case Pair():
            return _pair(thing)


def _op(op: Op) -> str:
    trees: dict[str, dict[str, str]] = {}
    with suppress(OSError, TypeError, SyntaxError):  # no file has it, as in an interpreter
        trees = sources(op)
    return rendered(
        "op.html.j2", style=style("check"), call=f"{op.name}{written(op.inputs, op.statics)}", family=op.family,
        about=getdoc(op) or "", said={"gradient": op.contract.kind, **_said(op.contract, "gradient_of")},
        roles=[role for role in ROLES if any(parts.get(role) for parts in trees.values())],
        trees=[(TITLES.get(tree, tree), parts) for tree, parts in trees.items()], coloured=coloured,
    )  # fmt: skip


def _pair(pair: Pair) -> str:
    sides = {TITLES[key]: _plain(side) for key, side in pair.sides.items()}
    said = {**sides, **_said(pair, "name", "sides", "contract", *pair.sides), **_said(pair.contract)}
    return rendered("pair.html.j2", style=style("check"), name=pair.name, said=said)


def _said(thing: Contract | Pair, *beside: str) -> dict[str, str]:
    """Return what was given, without what nobody said, and some names."""
    usual = Contract() if isinstance(thing, Contract) else None
    given = {f.name: getattr(thing, f.name) for f in fields(thing) if f.name not in beside}
    return {n: _plain(x) for n, x in given.items() if x not in (None, "", {}) and x != getattr(usual, n, None)}


def _plain(value: Any) -> str:
    """Return a value as people write it: a function by its name, a mapping as a list of its parts."""
    if callable(value) and hasattr(value, "__name__"):
        return f"{getattr(value, '__module__', '')}.{value.__name__}".removeprefix("__main__.")
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_plain(part)}" for name, part in value.items())
    return str(value).replace("Ellipsis", "...")
