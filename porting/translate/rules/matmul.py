"""Products of matrices and vectors. ``tf.matmul`` takes matrices only."""

from typing import Any

import libcst as cst

from porting.translate.abstract_value import Sort, joined
from porting.translate.calls import MODULES, flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

MATMUL = Rule(
    torch=[
        "torch.matmul(x: input, y: other)",
        "torch.linalg.matmul(x: input, y: other)",
    ]
)
MM = Rule(
    torch=["torch.mm(x: input, y: mat2)", "torch.bmm(x: input, y: mat2)"],
    axes=lambda kinds, _: kinds["x"].axes or kinds["y"].axes,  # as many as of both
)
TF_MATMUL = Rule(
    tf=[
        f"{path}(x: a, y: b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, _name: name=None)"
        for path in ("tf.matmul", "tf.linalg.matmul")
    ]
)
MV = Rule(torch="torch.mv(x: input, y: vec)")
MATVEC = Rule(tf="tf.linalg.matvec(x: a, y: b, transpose_a=False, _name: name=None)")
DOT = Rule(torch="torch.dot(x: input, y: tensor)", numpy="np.dot(x: a, y: b)")
INNER = Rule(torch="torch.inner(x: input, y: other)", numpy="np.inner(x: a, y: b)")
TENSORDOT = Rule(
    torch="torch.tensordot(x: a, y: b, axes: dims=2)",
    tf="tf.tensordot(x: a, y: b, axes, _name: name=None)",
    numpy="np.tensordot(x: a, y: b, axes=2)",
)
EINSUM = Rule(
    torch="torch.einsum(equation, *x)",
    tf=["tf.einsum(equation, *x)", "tf.linalg.einsum(equation, *x)"],
    numpy="np.einsum(equation, *x)",
    kind=lambda kinds: joined(*kinds["x"].items) if kinds["x"].sort is Sort.TUPLE else kinds["x"],
)
OUTER = Rule(torch=["torch.outer(x: input, y: vec2)", "torch.ger(x: input, y: vec2)"], numpy="np.outer(x: a, y: b)")
ADDMM = Rule(
    torch=[
        "torch.addmm(x: input, a: mat1, b: mat2, *, beta=1, alpha=1)",
        "torch.baddbmm(x: input, a: batch1, b: batch2, *, beta=1, alpha=1)",
    ]
)
LINEAR = Rule(torch="torch.nn.functional.linear(x: input, weight, bias=None)")
RULES = [MATMUL, MM, TF_MATMUL, MV, MATVEC, DOT, INNER, TENSORDOT, EINSUM, OUTER, ADDMM, LINEAR]
MM.form("tf.matmul({x}, {y})", "tf")
MM.form("{x} @ {y}", "numpy")
MATMUL.form("{x} @ {y}", "numpy")
MV.form("{x} @ {y}", "numpy")


_MATMUL = '''
def _matmul(x, y):
    """x @ y, of which each may be a vector."""
    if y.shape.rank == 1:
        return tf.tensordot(x, y, 1)
    return tf.linalg.matvec(y, x, transpose_a=True) if x.shape.rank == 1 else tf.matmul(x, y)
'''


@MATMUL.writes("tf")
def _matmul(w: Writer, x: Expression, y: Expression) -> Expression:
    if "rest" not in w.general:
        return w.build("tf.matmul({x}, {y})", x=x, y=y)
    w.helper("_matmul", _MATMUL)
    return w.build("_matmul({x}, {y})", x=x, y=y)


@TF_MATMUL.writes("torch", "numpy")
def _tf_matmul(
    w: Writer,
    x: Expression,
    y: Expression,
    transpose_a: Given = None,
    transpose_b: Given = None,
    adjoint_a: Given = None,
    adjoint_b: Given = None,
) -> Expression:
    turned = (
        ("{x}.mT", "{x}.mH") if w.to == "torch" else ("np.swapaxes({x}, -1, -2)", "np.swapaxes({x}, -1, -2).conj()")
    )
    sides = []
    for side, transpose, adjoint in ((x, transpose_a, adjoint_a), (y, transpose_b, adjoint_b)):
        if flag(w, adjoint, "tf.matmul"):
            sides.append(w.build(turned[1], x=side))
        else:
            sides.append(w.build(turned[0], x=side) if flag(w, transpose, "tf.matmul") else side)
    return w.build("{x} @ {y}", x=sides[0], y=sides[1])


MV.form("tf.linalg.matvec({x}, {y})", "tf")


@MATVEC.writes("torch", "numpy")
def _matvec(w: Writer, x: Expression, y: Expression, transpose_a: Given = None) -> Expression:
    """Write it for batches too: a vector for each matrix."""
    if flag(w, transpose_a, "tf.linalg.matvec"):
        x = w.build("{x}.mT" if w.to == "torch" else "np.swapaxes({x}, -1, -2)", x=x)
    return w.build("({x} @ {y}[..., None])[..., 0]", x=x, y=y)


DOT.form("tf.tensordot({x}, {y}, 1)", "tf")
INNER.form("tf.tensordot({x}, {y}, [[-1], [-1]])", "tf")


@TENSORDOT.writes("tf", "torch", "numpy")
def _tensordot(w: Writer, x: Expression, y: Expression, axes: Given = None) -> Expression:
    axes = w.build("2") if axes is None else axes
    if w.is_sequence(axes) and w.to == "torch":  # [1, 0] is a number for each side; a variable holds several
        number = (cst.Integer, cst.UnaryOperation)
        sides = [f"[{w.code(p)}]" if isinstance(p, number) else w.code(p) for p in w.parts(axes)]
        axes = w.build(f"[{', '.join(sides)}]")
    return w.build(f"{MODULES[w.to]}.tensordot({{x}}, {{y}}, {{axes}})", x=x, y=y, axes=axes)


@EINSUM.writes("tf", "torch", "numpy")
def _einsum(w: Writer, equation: Expression, x: Any) -> Expression:
    if w.kinds["equation"].tensor:
        raise w.refuse("torch.einsum: a rule for an equation that is a text alone")
    operands = x[0].value.elements if len(x) == 1 and w.is_sequence(x[0].value) else x
    inside = ", ".join(("*" if w.starred(e) else "") + w.code(e.value) for e in operands)
    return w.build(f"{MODULES[w.to]}.einsum({{equation}}, {inside})", equation=equation)


OUTER.form("{x}[:, None] * {y}[None, :]", "tf")


@ADDMM.writes("tf", "numpy")
def _addmm(
    w: Writer, x: Expression, a: Expression, b: Expression, beta: Given = None, alpha: Given = None
) -> Expression:
    product = w.build("tf.matmul({a}, {b})", a=a, b=b) if w.to == "tf" else w.build("{a} @ {b}", a=a, b=b)
    if alpha is not None:
        product = w.build("{alpha} * ({p})", alpha=alpha, p=product)
    if beta is not None:
        x = w.build("{beta} * {x}", beta=beta, x=x)
    return w.build("{x} + {p}", x=x, p=product)


@LINEAR.writes("tf", "numpy")
def _linear(w: Writer, x: Expression, weight: Expression, bias: Given = None) -> Expression:
    template = "tf.matmul({x}, {weight}, transpose_b=True)" if w.to == "tf" else "{x} @ {weight}.T"
    product = w.build(template, x=x, weight=weight)
    return product if bias is None else w.build("{p} + {bias}", p=product, bias=bias)
