"""Reads how a weight of TensorFlow begins: initializers of Keras by name or as objects, and values of variables.

Source: Keras' ``initializers``. A matrix is of inputs by outputs there, so that its fan in is PyTorch's fan out.
"""

from collections.abc import Sequence
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.translate import naming
from porting.translate.code import Expression, build, literal, names_in, source
from porting.translate.layer import Initial
from porting.translate.names import Names
from porting.translate.refusal import Refusal

_SMALL: Final = cst.Float("0.05")  # of Keras' own: the ends, and the standard deviation
_MADE: Final[dict[str, tuple[str, dict[str, Expression]]]] = {
    "zeros": ("zeros", {}), "ones": ("ones", {}), "constant": ("constant", {"value": cst.Integer("0")}),
    "random_normal": ("normal", {"mean": cst.Float("0.0"), "stddev": _SMALL}),
    "random_uniform": ("uniform", {"minval": cst.UnaryOperation(cst.Minus(), _SMALL), "maxval": _SMALL}),
    "truncated_normal": ("truncated", {"mean": cst.Float("0.0"), "stddev": _SMALL}),
    "orthogonal": ("orthogonal", {"gain": cst.Float("1.0")}), "identity": ("identity", {}),
    "glorot_uniform": ("fans", {}), "he_uniform": ("fans", {}),
}  # fmt: skip
_OTHER: Final = {
    "uniform": "random_uniform", "normal": "random_normal", "zero": "zeros", "one": "ones", "eye": "identity",
    "xavier_uniform": "glorot_uniform",
}  # fmt: skip
_FANS: Final = {"glorot_uniform": ("1", "avg"), "he_uniform": ("2 ** 0.5", "out")}
_WHERE: Final = ("tf.keras.initializers.", "keras.initializers.", "tf.initializers.", "tf.compat.v1.initializers.")


def of_initializer(node: Expression | None, names: Names) -> Initial:
    """Return how a weight with an initializer begins; Keras' default is ``glorot_uniform``.

    Raises
    ------
    Refusal
        If it is chosen elsewhere, or has no rule.
    """
    if node is None:
        return _by_name("glorot_uniform", (), None)
    value = literal(node)
    if isinstance(value, str):
        return _by_name(value, (), node)
    if isinstance(node, cst.Lambda):
        return _of_function(node)
    call = node if isinstance(node, cst.Call) else None
    path = names.path(call.func if call is not None else node)
    last = path.rpartition(".")[2]
    if path.endswith("initializers.get") and call is not None and call.args:
        return of_initializer(call.args[0].value, names)
    if path.startswith(_WHERE) or path.endswith("_initializer"):
        return _by_name(last.removesuffix("_initializer"), call.args if call is not None else (), node)
    raise Refusal(f"initializer={source(node)[:60]}: how that begins is not seen here", node)


def _of_function(node: cst.Lambda) -> Initial:
    """Return how a weight begins with what a function returns, ``lambda shape, dtype: tf.cast(w, dtype)``."""
    own = {p.name.value for p in node.params.params}
    value: Expression = node.body
    if m.matches(value, m.Call(m.Attribute(attr=m.Name("cast")), [m.Arg(), m.Arg(m.Name())])):
        value = cst.ensure_type(value, cst.Call).args[0].value
    if own & names_in(value):
        raise Refusal(f"initializer={source(node)[:60]}: has no rule", node)
    return Initial("value", (value,))


def _by_name(title: str, args: Sequence[cst.Arg], node: Expression | None) -> Initial:
    """Return the same by its name, ``RandomNormal`` or ``random_normal``."""
    snake = naming.called(title)
    snake = _OTHER.get(snake, snake)
    if snake not in _MADE:
        raise Refusal(f"the initializer {title}: no rule", node)
    kind, defaults = _MADE[snake]
    order = list(defaults)
    by_place = {order[n]: a.value for n, a in enumerate(args) if a.keyword is None and n < len(order)}
    given = {**defaults, **by_place, **{a.keyword.value: a.value for a in args if a.keyword is not None}}
    if kind == "fans":
        gain, fan = _FANS[snake]
        return Initial(kind, (build(gain),), fan, "uniform")
    return Initial(kind, tuple(given[key] for key in order))
