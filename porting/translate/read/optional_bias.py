"""Writes a layer whose bias may be None as the two layers that it is: PyTorch takes None for no bias."""

from collections.abc import Collection, Sequence
from typing import Any

import libcst as cst

from porting.translate.code import build
from porting.translate.names import Names

_LAYERS = {f"torch.nn.functional.{title}" for title in ("linear", "conv1d", "conv2d", "conv3d")}
_PLACE = 2  # of the bias


def with_bias_if_given(body: Sequence[Any], optional: Collection[str], names: Names) -> list[Any]:
    """Return statements with ``linear(x, w) if bias is None else linear(x, w, bias)`` where a bias may be left out.

    Parameters
    ----------
    body : sequence of libcst.BaseStatement
        What a function does.
    optional : collection of str
        Its arguments that are None if they are left out.
    names : Names
        Of the module.
    """

    class Told(cst.CSTTransformer):
        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
            if names.path(original_node.func) not in _LAYERS:
                return updated_node
            bias = [a for k, a in enumerate(updated_node.args) if _is_bias(k, a)]
            if len(bias) != 1 or not isinstance(bias[0].value, cst.Name) or bias[0].value.value not in optional:
                return updated_node
            without = [a.with_changes(value=cst.Name("None")) if a is bias[0] else a for a in updated_node.args]
            without = without[:-1] if updated_node.args[-1] is bias[0] else without
            without[-1] = without[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            alone = updated_node.with_changes(args=without)
            return build("{a} if {bias} is None else {b}", a=alone, b=updated_node, bias=bias[0].value)

    return [statement.visit(Told()) for statement in body]


def _is_bias(place: int, argument: cst.Arg) -> bool:
    return argument.keyword.value == "bias" if argument.keyword is not None else place == _PLACE
