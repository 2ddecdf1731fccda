"""Renames inputs that have a reserved name: every op uses these names for its cotangent and its output."""

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from porting.translate.code import renamed
from porting.translate.read.enclosing_scope import Whole


def freed(whole: Whole) -> Whole:
    """Rename the inputs whose names every op uses for its cotangent and its output."""
    taken = {p.name.value for p in whole.parameters} & {"y", "dy"}
    if not taken:
        return whole
    fresh = {n: cst.Name(f"{n}_in") for n in taken}

    def new(title: str) -> str:
        return fresh[title].value if title in fresh else title

    def params(given: Sequence[cst.Param]) -> list[cst.Param]:
        return [p.with_changes(name=cst.Name(new(p.name.value))) for p in given]

    ir = whole.ir
    changed = replace(
        ir,
        parameters=params(ir.parameters),
        primals=[new(p) for p in ir.primals],
        forward=[renamed(s, fresh) for s in ir.forward],
        outputs=[new(o) for o in ir.outputs],
        cotangents=[new(c) for c in ir.cotangents],
        vjp=[renamed(s, fresh) for s in ir.vjp],
        captured=[new(c) for c in ir.captured],
        kinds={new(n): kind for n, kind in ir.kinds.items()},
    )
    return replace(
        whole,
        ir=changed,
        parameters=params(whole.parameters),
        keyword={new(n) for n in whole.keyword},
        before=[renamed(s, fresh) for s in whole.before],
        bound={new(n): renamed(v, fresh) for n, v in whole.bound.items()},
        given={new(n): new(v) for n, v in whole.given.items()},
        after=[renamed(v, fresh) for v in whole.after],
    )
