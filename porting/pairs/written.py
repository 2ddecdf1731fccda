"""A pair as the options of a command line."""

import shlex
from collections.abc import Iterator
from typing import Any

from porting.pairs.parse import written_promises, written_static
from porting.pairs.turned import written_axes


def written_pair(pair: Any) -> str:
    """Return the options that name a pair; empty if functions or a contract were given in Python."""
    if pair.in_catalogue:
        return f"{pair.name} --against {shlex.quote(str(pair.against))}"
    promises = written_promises(pair.contract) if pair.against is None else []
    if not pair.by_name or promises is None:
        return ""
    named: dict[str, Any] = dict(pair.sides)
    if pair.against is None:
        named |= {"oracle": pair.oracle, "surrogate-of": pair.surrogate_of, "like": pair.like}
        named |= {"reference": pair.reference}
    else:  # it says what the function is called with
        named |= {"against": pair.against}
    named |= {f"{key}-python": path for key, path in pair.python.items()}
    words = [word for option, value in named.items() if value for word in (f"--{option}", str(value))]
    if pair.against is None:
        words += [word for option, value in _repeated(pair, promises) for word in (f"--{option}", value)]
    words += [word for mine, theirs in pair.weights.items() for word in ("--weights", f"torch:{mine}=tf:{theirs}")]
    return shlex.join(words)


def _repeated(pair: Any, promises: list[str]) -> Iterator[tuple[str, str]]:
    yield from (("input", f"{a.part or name}={a}") for name, a in pair.inputs.items())
    yield from (("static", f"{name}={written_static(value)}") for name, value in pair.statics.items())
    yield from (("rename", f"{k}:{a}={b}") for k, names in pair.rename.items() for a, b in names.items())
    yield from (("axes", text) for text in written_axes(pair.axes))
    yield from (("contract", promise) for promise in promises)
