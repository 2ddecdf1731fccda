"""Calls of functions that compute with NumPy arrays: these functions are not translated."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, build, name, names_in, source
from porting.translate.dialects import DIALECTS, IMPORTED
from porting.translate.lower.expression import TIGHT, Typed
from porting.translate.lower.translating import Translating
from porting.translate.names import Names
from porting.translate.refusal import Refusal

_CALLS: Final = {"tf.numpy_function", "tf.py_func", "tf.compat.v1.py_func"}
_ON_HOST: Final = '''
def _on_host(function, inputs, dtype):
    """Call a function of NumPy arrays, and give its arrays as tensors where the inputs are."""
    made = function(*(x.detach().cpu().numpy() if torch.is_tensor(x) else x for x in inputs))
    device = next((x.device for x in inputs if torch.is_tensor(x)), None)
    if isinstance(dtype, (list, tuple)):
        return tuple(torch.tensor(y, dtype=d, device=device) for y, d in zip(made, dtype))
    return torch.tensor(made, dtype=dtype, device=device)
'''


def is_plain(node: cst.CSTNode | None, names: Names) -> bool:
    """Whether a function names no framework: NumPy's arrays go through it as they are."""
    if not isinstance(node, cst.FunctionDef):
        return False
    paths = [names.imported.get(n, "") for n in names_in(node)]
    return not any(p.startswith(IMPORTED) for p in paths)


def takes_arrays(node: cst.CSTNode, names: Names, kinds: Sequence[Abstract]) -> bool:
    """Whether a function is called with arrays, and may stay as it is."""
    return is_plain(node, names) and any(k.sort is Sort.ARRAY for k in kinds) and not any(k.tensor for k in kinds)


def given(node: cst.Call, made: Sequence[Typed], keywords: Sequence[cst.Name | None] | None = None) -> list[cst.Arg]:
    """Return the arguments of a call, translated.

    Parameters
    ----------
    node : libcst.Call
        The call.
    made : sequence of (expression, Abstract)
        Their values.
    keywords : sequence of libcst.Name or None, optional
        Their names, if these are not the names in the source.
    """
    spelled = [a.keyword for a in node.args] if keywords is None else keywords
    return [
        cst.Arg(value, keyword=k, star=a.star, equal=TIGHT if k else cst.MaybeSentinel.DEFAULT)
        for (value, _), a, k in zip(made, node.args, spelled, strict=True)
    ]


def call(translator: Any, expressions: Translating, node: cst.Call) -> Typed | None:
    """Translate ``tf.numpy_function(f, [x], dtype)``: NumPy takes what PyTorch has on the host."""
    path = expressions.path(node.func)
    if DIALECTS[expressions.to].traced or path not in _CALLS | {"tf.py_function"}:
        return None
    places = ["func", "inp", "Tout"]
    given = {a.keyword.value if a.keyword else places[n]: a.value for n, a in enumerate(node.args[:3])}
    if set(given) != set(places):
        raise Refusal(f"{path}: its arguments are not known here", node)
    function = given["func"]
    inputs, (dtype, what) = expressions(given["inp"]), expressions.typed(given["Tout"])
    several = what.sort is Sort.TUPLE
    kind = Abstract(Sort.TUPLE, items=what.items) if several else Abstract(Sort.TENSOR, what.number)
    if path == "tf.py_function":  # it takes tensors
        if several:
            raise Refusal("tf.py_function: several results have no rule", node)
        made = cst.Call(expressions(function), [cst.Arg(inputs, star="*")])
        return build("{made}.to({dtype})", made=made, dtype=dtype), kind
    title = function.value if isinstance(function, cst.Name) else ""
    if title in expressions.names.defined and title not in expressions.scope:
        callee: Expression = name(translator.carry(title, function))
    elif expressions.path(function).startswith(("np.", "scipy.")):
        callee = name(source(function))
    else:
        raise Refusal(f"{path}: a rule for functions of the module, of NumPy and of SciPy", node)
    expressions.helper("_on_host", _ON_HOST)
    return build("_on_host({f}, {inputs}, {dtype})", f=callee, inputs=inputs, dtype=dtype), kind
