"""New tensors of consecutive numbers, and the identity matrix."""

from collections.abc import Mapping

from porting.translate.abstract_value import FLOAT, Abstract, Sort
from porting.translate.calls import spread_out
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.fill import OPTIONS, of_dtype


def _counted(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of a range: whole numbers, if its ends are."""
    numbers = {kinds[name].number for name in ("start", "stop", "step") if name in kinds}
    return of_dtype(
        kinds, Abstract(Sort.TENSOR, "float" if "float" in numbers else "int" if numbers == {"int"} else "")
    )


EYE = Rule(
    torch=f"torch.eye(n, m=None, *, {OPTIONS})",
    tf="tf.eye(n: num_rows, m: num_columns=None, batch_shape=None, dtype=tf.float32, _name: name=None)",
    numpy="np.eye(n: N, m: M=None, *, dtype=None)",
    kind=lambda kinds: of_dtype(kinds, FLOAT),
)
ARANGE = Rule(
    torch=f"torch.arange(start, stop: end=None, step=1, *, {OPTIONS})",
    tf="tf.range(start, stop: limit=None, step: delta=1, dtype=None, _name: name='range')",
    numpy="np.arange(start, stop=None, step=1, dtype=None)",
    kind=_counted,
)
LINSPACE = Rule(
    torch=f"torch.linspace(start, stop: end, steps, *, {OPTIONS})",
    tf=["tf.linspace(start, stop, steps: num, _name: name=None)"],
    numpy="np.linspace(start, stop, steps: num, *, dtype=None)",
    kind=lambda kinds: of_dtype(kinds, FLOAT),
)
RULES = [EYE, ARANGE, LINSPACE]


@EYE.writes("torch")
def _eye(w: Writer, n: Expression, m: Given = None, batch_shape: Given = None, dtype: Given = None) -> Expression:
    inside = "{n}" + (", {m}" if m is not None else "") + (", dtype={dtype}" if dtype is not None else "")
    made = w.build(f"torch.eye({inside})", n=n, m=m, dtype=dtype)
    if batch_shape is None:
        return made
    batch = spread_out(w, batch_shape) if w.is_sequence(batch_shape) else f"*{w.code(batch_shape)}"
    return w.build(f"{{x}}.expand({batch}, -1, -1)", x=made)


@ARANGE.writes("torch", "tf", "numpy")
def _arange(w: Writer, start: Expression, stop: Given = None, step: Given = None, dtype: Given = None) -> Expression:
    if stop is None and step is not None:
        raise w.refuse("a range with a step and without an end")
    function = {"torch": "torch.arange", "tf": "tf.range", "numpy": "np.arange"}[w.to]
    parts = {"start": start, "stop": stop, "step": step}
    inside = ", ".join(f"{{{name}}}" for name, part in parts.items() if part is not None)
    return w.build(f"{function}({inside}{', dtype={dtype}' if dtype is not None else ''})", dtype=dtype, **parts)


@LINSPACE.writes("tf")
def _linspace(w: Writer, start: Expression, stop: Expression, steps: Expression, dtype: Given = None) -> Expression:
    """TensorFlow counts from whole numbers in double precision: the type is that of the ends."""
    ends = []
    for name, end in (("start", start), ("stop", stop)):
        whole = w.kinds[name].number == "int"
        if dtype is not None:
            made = w.build("tf.cast({end}, {dtype})", end=end, dtype=dtype)
        elif whole and w.code(end).lstrip("-").isdecimal():
            made = w.build(f"{w.code(end)}.0")
        else:
            made = w.build("tf.cast({end}, tf.float32)", end=end) if whole else end
        ends.append(made)
    return w.build("tf.linspace({start}, {stop}, {steps})", start=ends[0], stop=ends[1], steps=steps)
