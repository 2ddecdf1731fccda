"""Padding: PyTorch takes the widths in one list, beginning with the last axis."""

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

PAD = Rule(
    torch="torch.nn.functional.pad(x: input, widths: pad, mode='constant', value=None)",
    tf=["tf.pad(x: tensor, widths: paddings, mode='CONSTANT', value: constant_values=0, _name: name=None)"],
)
RULES = [PAD]
_ALONE = "a rule for widths that are written out, and modes constant and reflect, alone"


@PAD.writes("tf", "numpy")
def _pad(w: Writer, x: Expression, widths: Expression, mode: Given = None, value: Given = None) -> Expression:
    parts = w.parts(widths) if w.is_sequence(widths) else []
    said = _mode(w, mode)
    if w.to == "tf" and said == "constant" and not parts and _are_widths(w):
        return _computed(w, _PAD_TF, x, widths, value)
    if said not in {"constant", "reflect"} or not parts or len(parts) % 2:
        raise w.refuse(f"torch.nn.functional.pad: {_ALONE}")
    rows = [f"[{w.code(a)}, {w.code(b)}]" for a, b in zip(parts[::2], parts[1::2], strict=True)][::-1]
    rank = "{x}.shape.rank" if w.to == "tf" else "{x}.ndim"
    made = f"[[0, 0]] * ({rank} - {len(rows)}) + [{', '.join(rows)}]"
    function = "tf.pad" if w.to == "tf" else "np.pad"
    if said == "reflect":
        said = "REFLECT" if w.to == "tf" else "reflect"
        return w.build(f'{function}({{x}}, {made}, mode="{said}")', x=x)
    if value is None or w.code(value) in {"None", "0", "0.0"}:
        return w.build(f"{function}({{x}}, {made})", x=x)
    return w.build(f"{function}({{x}}, {made}, constant_values={{value}})", x=x, value=value)


@PAD.writes("torch")
def _pad_torch(w: Writer, x: Expression, widths: Expression, mode: Given = None, value: Given = None) -> Expression:
    rows = [w.parts(row) if w.is_sequence(row) else [] for row in w.parts(widths)] if w.is_sequence(widths) else []
    said = _mode(w, mode)
    if said == "constant" and not rows and _are_widths(w):
        return _computed(w, _PAD_TORCH, x, widths, value)
    if said not in {"constant", "reflect"} or not rows or any(len(row) != 2 for row in rows):
        raise w.refuse(f"tf.pad: {_ALONE}")
    while len(rows) > 1 and all(w.code(part) == "0" for part in rows[0]):  # PyTorch leaves the first axes out
        rows.pop(0)
    flat = ", ".join(w.code(part) for row in reversed(rows) for part in row)
    options = ', mode="reflect"' if said == "reflect" else ""
    if value is None or options:
        return w.build(f"torch.nn.functional.pad({{x}}, ({flat}){options})", x=x)
    return w.build(f"torch.nn.functional.pad({{x}}, ({flat}), value={{value}})", x=x, value=value)


_PAD_TF = '''
def _pad(x, widths, value=0):
    """Pad the last axes, by a width before and behind each, those of the last axis first."""
    rows = [list(row) for row in zip(widths[::2], widths[1::2])][::-1]
    return tf.pad(x, [[0, 0]] * (x.shape.rank - len(rows)) + rows, constant_values=value)
'''
_PAD_TORCH = '''
def _pad(x, widths, value=0):
    """Pad each axis, by a width before and behind it."""
    return torch.nn.functional.pad(x, [int(n) for row in reversed(list(widths)) for n in row], value=value)
'''


def _computed(w: Writer, helper: str, x: Expression, widths: Expression, value: Given) -> Expression:
    w.helper("_pad", helper)
    if value is None or w.code(value) in {"None", "0", "0.0"}:
        return w.build("_pad({x}, {widths})", x=x, widths=widths)
    return w.build("_pad({x}, {widths}, {value})", x=x, widths=widths, value=value)


def _are_widths(w: Writer) -> bool:
    """Whether the widths are numbers of Python: a list that is computed, or an argument."""
    return w.kinds["widths"].sort in {Sort.TUPLE, Sort.SHAPE, Sort.STATIC}


def _mode(w: Writer, mode: Given) -> str:
    return "constant" if mode is None else w.text(mode).lower()
