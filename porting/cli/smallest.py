"""Shrinks a case that differs: the simplest range of numbers, then the smallest shapes, that still show the same."""

import math
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from porting.errors import PortingError

if TYPE_CHECKING:
    from porting.pairs.array import Array
    from porting.pairs.pair import Pair
    from porting.parity.finding import Result
    from porting.parity.report import Report

_LENGTHS: Final = (0, 1, 2, 3)  # of an axis without a fixed length; where there may be none, 0 stands for a number
_SIMPLE: Final = ((0.0, 1.0), (-1.0, 1.0))


def smallest(report: "Report", *, timeout: float, strict: bool) -> list[str]:
    """Return the commands that show smaller what a report says of pairs, one for each side that differs.

    A finding is shrunk as its own command repeats it: with that side, check, type and seed alone.

    Parameters
    ----------
    report : Report
        Of pairs by name; of others nothing is returned, nor where nothing smaller differs.
    timeout : float
        Seconds of one check.
    strict : bool
        See `porting.check`.
    """
    firsts: dict[tuple[str, str], Result] = {}
    for result in report.results:
        if result.status == "differ" and result.target.startswith("--") and "--against" not in result.target:
            firsts.setdefault((result.op, result.runner), result)
    return [command for first in firsts.values() if (command := _shrunk(first, timeout, strict=strict))]


def _shrunk(result: "Result", timeout: float, *, strict: bool) -> str:
    from porting.engine.check import check

    code = result.findings[0].code

    def shows(pair: "Pair") -> bool:
        try:
            report = check(
                pair, runners=[result.runner], devices=[result.device], modes=[result.mode], dtypes=[result.dtype],
                only=[result.check], seed=result.seed, timeout=timeout, strict=strict,
            )  # fmt: skip
        except PortingError:  # it does not take such inputs
            return False
        return any(finding.code == code for r in report.results if r.status == "differ" for finding in r.findings)

    pair = _described(result)
    if not shows(pair):  # it takes more than this check to say who is wrong
        return ""
    found = pair
    for name in pair.inputs:
        found = _simpler(found, name, result, shows)
    shorter = (replace(found, inputs=inputs) for inputs in _shorter(found.inputs) if inputs != found.inputs)
    found = next(filter(shows, shorter), found)
    return "" if found is pair else replace(result, target=found.command).again


def _described(result: "Result") -> "Pair":
    """Return the pair of a result; inputs of any shape, of which a command need say nothing, are said."""
    from porting.pairs.array import array
    from porting.pairs.options import LISTS, pair_from

    words = shlex.split(result.target)  # as `porting.pairs.written` has them: an option, its value, and so on
    options: dict[str, Any] = {name: [] for name in LISTS}
    for option, value in zip(words[::2], words[1::2], strict=True):
        name = option.removeprefix("--").replace("-", "_")
        options[name] = [*options[name], value] if name in LISTS else value
    pair = pair_from(options, result.op)
    worst = next((finding.worst for finding in result.findings if finding.worst), None)
    names = [name for name in worst.at if not name.startswith("dy")] if worst else []
    return pair if pair.inputs else replace(pair, inputs={name: array() for name in names})


def _shorter(inputs: Mapping[str, "Array"]) -> Iterator[dict[str, "Array"]]:
    """Yield the inputs with shorter axes, the shortest first; lengths that are given as numbers stay."""
    for length in _LENGTHS:
        any_axes = [length] if length else []
        yield {name: replace(given, shape=tuple(_axes(given, any_axes, length))) for name, given in inputs.items()}


def _axes(given: "Array", any_axes: list[int], length: int) -> Iterator[int]:
    for n in given.shape:
        yield from any_axes if n is ... else [n if isinstance(n, int) else max(length, 1)]


def _simpler(pair: "Pair", name: str, result: "Result", shows: Callable[["Pair"], bool]) -> "Pair":
    """Return the pair with the simplest range of one input that still shows it; a kind, or a given range, stays."""
    given = pair.inputs[name]
    if given.kind is not None or given.domain is not None or not given.dtype.startswith("float"):
        return pair
    at = next((f.worst.at[name] for f in result.findings if f.worst and name in f.worst.at), math.nan)
    near = [(float(math.floor(at)), float(math.floor(at)) + 1.0)] if math.isfinite(at) else []
    simpler = (
        replace(pair, inputs={**pair.inputs, name: replace(given, domain=domain)}) for domain in [*_SIMPLE, *near]
    )
    return next(filter(shows, simpler), pair)
