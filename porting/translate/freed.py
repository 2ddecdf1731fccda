"""Frees the names that every op has for its cotangent and its output."""

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from porting.translate.around import Whole
from porting.translate.code import renamed


def freed(whole: Whole) -> Whole:
    """Give inputs other names that are called as the cotangent and the output of every op are."""
    taken = {p.name.value for p in whole.parameters} & {"y", "dy"}
    if not taken:
        return whole
    fresh = {n: cst.Name(f"{n}_in") for n in taken}

    def new(title: str) -> str:
        return fresh[title].value if title in fresh else title

    def params(given: Sequence[cst.Param]) -> list[cst.Param]:
        return [p.with_changes(name=cst.Name(new(p.name.value))) for p in given]

    record = whole.record
    changed = replace(
        record,
        parameters=params(record.parameters),
        primals=[new(p) for p in record.primals],
        forward=[renamed(s, fresh) for s in record.forward],
        outputs=[new(o) for o in record.outputs],
        cotangents=[new(c) for c in record.cotangents],
        vjp=[renamed(s, fresh) for s in record.vjp],
        captured=[new(c) for c in record.captured],
        kinds={new(n): kind for n, kind in record.kinds.items()},
    )
    return replace(
        whole,
        record=changed,
        parameters=params(whole.parameters),
        keyword={new(n) for n in whole.keyword},
        before=[renamed(s, fresh) for s in whole.before],
        bound={new(n): renamed(v, fresh) for n, v in whole.bound.items()},
        given={new(n): new(v) for n, v in whole.given.items()},
        after=[renamed(v, fresh) for v in whole.after],
    )
