"""Padding: PyTorch takes the widths in one list, beginning with the last axis."""

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
    if said not in {"constant", "reflect"} or not rows or any(len(row) != 2 for row in rows):
        raise w.refuse(f"tf.pad: {_ALONE}")
    while len(rows) > 1 and all(w.code(part) == "0" for part in rows[0]):  # PyTorch leaves the first axes out
        rows.pop(0)
    flat = ", ".join(w.code(part) for row in reversed(rows) for part in row)
    options = ', mode="reflect"' if said == "reflect" else ""
    if value is None or options:
        return w.build(f"torch.nn.functional.pad({{x}}, ({flat}){options})", x=x)
    return w.build(f"torch.nn.functional.pad({{x}}, ({flat}), value={{value}})", x=x, value=value)


def _mode(w: Writer, mode: Given) -> str:
    return "constant" if mode is None else w.text(mode).lower()
