"""New tensors from Python's numbers."""

from collections.abc import Mapping
from typing import Any

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer
from porting.translate.rules.dtypes import typed_text
from porting.translate.rules.fill import OPTIONS, made_of_shape, of_dtype


def _number(kind: Abstract) -> str:
    """Return the kind of number of what stands in a list, of lists too."""
    if kind.sort is Sort.SHAPE:
        return "int"
    if kind.sort is not Sort.TUPLE:
        return kind.number
    numbers = {_number(item) for item in kind.items}
    return numbers.pop() if len(numbers) == 1 else "float" if numbers == {"int", "float"} else ""


def _of_value(kinds: Mapping[str, Abstract]) -> Abstract:
    value = kinds["value"]
    return of_dtype(kinds, value if value.tensor else Abstract(Sort.TENSOR, _number(value)))


TENSOR_OF = Rule(
    torch=[
        f"torch.tensor(value: data, *, {OPTIONS})",
        f"torch.as_tensor(value: data, {OPTIONS})",
        "torch.from_numpy(value: ndarray)",
    ],
    kind=_of_value,
)
NEW_TENSOR = Rule(
    torch=f"Tensor.new_tensor(x, value: data, *, {OPTIONS})", kind=lambda kinds: of_dtype(kinds, kinds["x"])
)
NEW = Rule(torch="Tensor.new(x, *value)", kind="x")
CONSTANT = Rule(tf=["tf.constant(value, dtype=None, shape=None, _name: name=None)"], kind=_of_value)
CONVERT = Rule(tf=["tf.convert_to_tensor(value, dtype=None, _hint: dtype_hint=None, _name: name=None)"], kind=_of_value)
RULES = [TENSOR_OF, NEW_TENSOR, NEW, CONSTANT, CONVERT]


def _stacks(kind: Abstract) -> bool:
    """Whether a list has tensors in it."""
    return kind.sort is Sort.TUPLE and any(item.tensor for item in kind.items)


@TENSOR_OF.writes("tf", "numpy")
def _tensor(w: Writer, value: Expression, dtype: Given = None) -> Expression:
    kind = w.kinds["value"]
    if kind.tensor:
        cast = "tf.cast({value}, {dtype})" if w.to == "tf" else "{value}.astype({dtype})"
        return value if dtype is None else w.build(cast, value=value, dtype=dtype)
    if (
        kind.sort in {Sort.UNKNOWN, Sort.SHAPE} and w.to == "tf" and not w.is_sequence(value)
    ):  # an array, a tensor, a shape
        if dtype is not None:
            return w.build("tf.cast({value}, {dtype})", value=value, dtype=dtype)
        return w.build("tf.convert_to_tensor({value})", value=value)
    if _stacks(kind) and w.to == "tf":
        made = w.build("tf.stack({value})", value=value)
        return made if dtype is None else w.build("tf.cast({made}, {dtype})", made=made, dtype=dtype)
    function = "tf.constant" if w.to == "tf" else "np.array"
    if dtype is None:
        return w.build(f"{function}({{value}})", value=value)
    return w.build(f"{function}({{value}}, {{dtype}})", value=value, dtype=dtype)


@NEW_TENSOR.writes("tf", "numpy")
def _new_tensor(w: Writer, x: Expression, value: Expression, dtype: Given = None) -> Made:
    return _tensor(w, value, dtype if dtype is not None else w.build("{x}.dtype", x=x))


@NEW.writes("tf", "numpy")
def _new(w: Writer, x: Expression, value: Any = ()) -> Expression:
    """Write the old ``x.new([1, 2])``, and ``x.new(3, 4)`` or ``x.new(y.size())``, whose numbers nobody may read."""
    kind = w.kinds.get("value", Abstract())
    function, library = {"tf": ("tf.constant", "tf"), "numpy": ("np.array", "np")}[w.to]
    if len(value) == 1 and kind.sort is Sort.TUPLE:
        return w.build(f"{function}({{value}}, {{x}}.dtype)", value=value[0].value, x=x)
    if len(value) == 1 and kind.sort is Sort.SHAPE:
        return made_of_shape(w, f"{library}.zeros", value[0].value, w.build("{x}.dtype", x=x))
    if kind.sort is Sort.STATIC:
        return w.build(f"{library}.zeros({{shape}}, {{x}}.dtype)", shape=w.sequence(value), x=x)
    raise w.refuse(".new(): a rule for numbers and sizes alone")


@CONSTANT.writes("torch", "numpy")
def _constant(w: Writer, value: Expression, dtype: Given = None, shape: Given = None) -> Made:
    kind = Abstract(Sort.TENSOR, _number(w.kinds["value"]))
    if dtype is not None:
        dtype, named = typed_text(w, dtype, w.kinds["dtype"])
        kind = named.values()
    function, full = {"torch": ("torch.tensor", "torch.full"), "numpy": ("np.array", "np.full")}[w.to]
    end = "" if dtype is None else ", dtype={dtype}"
    if shape is None:
        return w.build(f"{function}({{value}}{end})", value=value, dtype=dtype), kind
    if w.kinds["value"].sort is Sort.STATIC:
        return w.build(f"{full}({{shape}}, {{value}}{end})", shape=shape, value=value, dtype=dtype), kind
    return w.build(f"{function}({{value}}{end}).reshape({{shape}})", shape=shape, value=value, dtype=dtype), kind


@CONVERT.writes("torch", "numpy")
def _convert(w: Writer, value: Expression, dtype: Given = None) -> Made:
    given = w.kinds["value"]
    kind = Abstract(Sort.TENSOR, _number(given)) if not given.tensor else given
    if dtype is not None:
        dtype, named = typed_text(w, dtype, w.kinds["dtype"])
        kind = named.values()
    if given.tensor or _stacks(given):
        if not given.tensor:
            value = w.build("torch.stack({value})" if w.to == "torch" else "np.stack({value})", value=value)
            kind = kind if dtype is not None else TENSOR
        cast = "{value}.to({dtype})" if w.to == "torch" else "{value}.astype({dtype})"
        return (value if dtype is None else w.build(cast, value=value, dtype=dtype)), kind
    known = given.sort in {Sort.STATIC, Sort.TUPLE, Sort.SHAPE}
    function = {"torch": "torch.tensor" if known else "torch.as_tensor", "numpy": "np.asarray"}[w.to]
    end = "" if dtype is None else ", dtype={dtype}"
    return w.build(f"{function}({{value}}{end})", value=value, dtype=dtype), kind
