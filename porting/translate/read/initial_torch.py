"""Reads how a parameter of PyTorch begins: the tensor that it is made of, and functions of ``torch.nn.init``."""

from collections.abc import Callable, Sequence
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, build, literal
from porting.translate.layer import Initial
from porting.translate.names import Names
from porting.translate.refusal import Refusal

INIT: Final = "torch.nn.init."
_SAME: Final = {
    "to",
    "float",
    "double",
    "half",
    "type",
    "cuda",
    "cpu",
    "clone",
    "detach",
    "contiguous",
    "requires_grad_",
}
_ZERO, _ONE = cst.Integer("0"), cst.Integer("1")
_FILLED: Final = {"zeros": "zeros", "ones": "ones", "rand": "uniform", "randn": "normal", "empty": "zeros"}
_UNSET: Final = {"Tensor", "FloatTensor", "DoubleTensor"}
_SHAPES: Final = ("shape", "size", "sizes", "dims")

Begins = tuple[Expression | None, Initial]


def of_tensor(node: Expression, names: Names) -> Begins:
    """Return the shape of a new tensor and the numbers in it; without a shape it begins with a tensor as it is."""
    found = None
    if isinstance(node, cst.Call):
        found = _of_call(node, names)
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        found = _product(node.left, node.right, names) or _product(node.right, node.left, names)
    return found if found is not None and found[0] is not None else (None, Initial("value", (node,)))


def _of_call(node: cst.Call, names: Names) -> Begins | None:
    path = names.path(node.func)
    if path.startswith(INIT) and node.args:
        shape, _ = of_tensor(node.args[0].value, names)
        return shape, of_function(path.removeprefix(INIT), node.args[1:])
    if path.startswith("torch."):
        return _made(node, path.removeprefix("torch."))
    if path or not isinstance(node.func, cst.Attribute):
        return None
    method, shape = node.func.attr.value, of_tensor(node.func.value, names)[0]
    if method in _SAME:
        return of_tensor(node.func.value, names)
    initial = of_method(method, node.args)
    return None if initial is None else (shape, initial)


def _product(tensor: Expression, factor: Expression, names: Names) -> Begins | None:
    shape, initial = of_tensor(tensor, names)
    scaled = _times(initial, factor)
    return None if scaled is None else (shape, scaled)


def _made(node: cst.Call, function: str) -> Begins | None:
    given = [a for a in node.args if a.keyword is None or a.keyword.value in {"size", "fill_value", "data"}]
    values = [a.value for a in given]
    starred = any(a.star for a in given)
    if function in _FILLED and values:
        kind = _FILLED[function]
        sizes = cst.Tuple([cst.StarredElement(a.value) if a.star else cst.Element(a.value) for a in given])
        shape = sizes if starred else _shape(values)
        return shape, Initial(kind, (_ZERO, _ONE) if kind in {"uniform", "normal"} else ())
    if starred or not values:
        return None
    if function == "full" and len(values) == 2:
        return _shape(values[:1]), Initial("constant", (values[1],))
    if function in _UNSET and not isinstance(values[0], cst.List):
        return _shape(values), Initial("zeros")
    if function in {*_UNSET, "tensor"}:
        return _of_numbers(values[0])
    return None


def _of_numbers(value: Expression) -> Begins | None:
    """Return how ``torch.tensor`` begins, of one number or a list of one."""
    match value:
        case cst.List(elements=[cst.Element(value=only)]) if not isinstance(only, cst.List | cst.Tuple):
            return build("(1,)"), Initial("constant", (only,))
        case cst.Integer() | cst.Float() | cst.UnaryOperation():
            return build("()"), Initial("constant", (value,))
        case cst.Call(func=cst.Name(value="float")):
            return build("()"), Initial("constant", (value,))
    return None


def _shape(sizes: Sequence[Expression]) -> Expression:
    """Return lengths as a shape: of one name it is what its name says, a length or a shape."""
    if len(sizes) == 1 and isinstance(sizes[0], cst.Tuple | cst.List):
        return cst.Tuple(sizes[0].elements)
    if len(sizes) == 1 and isinstance(sizes[0], cst.Name):
        title = sizes[0].value.lower()
        if title in _SHAPES or title.endswith("shape"):
            return sizes[0]
    if len(sizes) == 1 and m.matches(sizes[0], m.Attribute(attr=m.Name("shape"))):
        return sizes[0]
    return cst.Tuple([cst.Element(size) for size in sizes])


def _times(initial: Initial, factor: Expression) -> Initial | None:
    if initial.kind == "zeros":
        return initial
    if initial.kind == "ones":
        return Initial("constant", (factor,))
    if initial.kind in {"uniform", "normal"} and initial.given == (_ZERO, _ONE):
        return Initial(initial.kind, (_ZERO, factor))
    return None


def of_method(method: str, args: Sequence[cst.Arg]) -> Initial | None:
    """Return the numbers that a method in place draws or sets, ``weight.uniform_(-1, 1)``; nothing for another one."""
    match method:
        case "zero_":
            return Initial("zeros")
        case "fill_" if len(args) == 1:
            return Initial("constant", (args[0].value,))
        case "uniform_":
            return Initial("uniform", _given(args, ("from", "to"), (_ZERO, _ONE)))
        case "normal_":
            return Initial("normal", _given(args, ("mean", "std"), (_ZERO, _ONE)))
    return None


def of_function(function: str, args: Sequence[cst.Arg]) -> Initial:
    """Return the same of a function of ``torch.nn.init``, by its last name; its first argument is not in `args`.

    Raises
    ------
    Refusal
        If it is not translated.
    """
    found = _FUNCTIONS.get(function.rstrip("_"))
    if found is None:
        raise Refusal(f"torch.nn.init.{function}: no rule")
    return found(args)


def _given(args: Sequence[cst.Arg], names: Sequence[str], default: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return arguments in the order of a signature, or their defaults."""
    by_place = {names[n]: a.value for n, a in enumerate(args) if a.keyword is None and n < len(names)}
    given = by_place | {a.keyword.value: a.value for a in args if a.keyword is not None}
    return tuple(given.get(title, other) for title, other in zip(names, default, strict=True))


def _fans(distribution: str) -> Callable[[Sequence[cst.Arg]], Initial]:
    return lambda args: Initial("fans", _given(args, ("gain",), (_ONE,)), "avg", distribution)


def _kaiming(distribution: str) -> Callable[[Sequence[cst.Arg]], Initial]:
    def made(args: Sequence[cst.Arg]) -> Initial:
        names = ("a", "mode", "nonlinearity")
        slope, mode, of = _given(args, names, (_ZERO, build("'fan_in'"), build("'leaky_relu'")))
        fan = {"fan_in": "in", "fan_out": "out"}.get(str(literal(mode)))
        gain = {
            "leaky_relu": "(2 / (1 + {a} ** 2)) ** 0.5",
            "relu": "2 ** 0.5",
            "linear": "1",
            "sigmoid": "1",
            "tanh": "5 / 3",
        }.get(str(literal(of)))
        if fan is None or gain is None:
            raise Refusal("torch.nn.init.kaiming_: mode and nonlinearity are not seen here")
        if literal(of) == "leaky_relu" and literal(slope) == 0:
            gain = "2 ** 0.5"
        return Initial("fans", (build(gain, a=slope),), fan, distribution)

    return made


_FUNCTIONS: Final[dict[str, Callable[[Sequence[cst.Arg]], Initial]]] = {
    "zeros": lambda _: Initial("zeros"),
    "ones": lambda _: Initial("ones"),
    "constant": lambda args: Initial("constant", _given(args, ("val",), (_ZERO,))),
    "uniform": lambda args: Initial("uniform", _given(args, ("a", "b"), (_ZERO, _ONE))),
    "normal": lambda args: Initial("normal", _given(args, ("mean", "std"), (_ZERO, _ONE))),
    "orthogonal": lambda args: Initial("orthogonal", _given(args, ("gain",), (_ONE,))),
    "eye": lambda _: Initial("identity"),
    "xavier_uniform": _fans("uniform"),
    "xavier_normal": _fans("normal"),
    "kaiming_uniform": _kaiming("uniform"),
    "kaiming_normal": _kaiming("normal"),
}
