"""einops: its functions take the tensors of every framework, so that a call stays as it is."""

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

RULES: list[Rule] = []


def _same(title: str, *parameters: str) -> Callable[..., Expression]:
    """Return what writes a call with the lengths of axes, which are named: ``h=2``."""
    template = f"einops.{title}({', '.join(f'{{{p}}}' for p in parameters)})"

    def write(w: Writer, lengths: Sequence[cst.Arg] = (), **given: Any) -> Expression:
        w.imports.add("einops")
        call = cst.ensure_type(w.build(template, **given), cst.Call)
        return call.with_changes(args=[*call.args, *lengths])

    return write


for _title, _parameters in {
    "rearrange": ("x", "pattern"),
    "repeat": ("x", "pattern"),
    "reduce": ("x", "pattern", "reduction"),
}.items():
    _signature = f"einops.{_title}(x: tensor, {', '.join(_parameters[1:])}, **lengths)"
    _rule = Rule(torch=_signature, tf=_signature, numpy=_signature)
    _rule.writes("torch", "tf", "numpy")(_same(_title, *_parameters))
    RULES.append(_rule)
