"""Norms of vectors. Over two axes, ``tf.norm`` and ``torch.linalg.norm`` may mean a matrix norm."""

from porting.translate.abstract_value import Sort
from porting.translate.calls import call, whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.reduce import as_tuple, none_is_all, one_axis

NORM = Rule(
    torch=[
        "torch.linalg.vector_norm(x: x, p: ord=2, axis: dim=None, keepdims: keepdim=False)",
        "torch.norm(x: input, p=2, axis: dim=None, keepdims: keepdim=False)",
    ]
)
LINALG_NORM = Rule(torch="torch.linalg.norm(x: A, p: ord=None, axis: dim=None, keepdims: keepdim=False)")
TF_NORM = Rule(
    tf=[
        f"{path}(x: tensor, p: ord='euclidean', axis=None, keepdims=None, _name: name=None)"
        for path in ("tf.norm", "tf.linalg.norm")
    ]
)
EUCLIDEAN = Rule(
    tf="tf.math.reduce_euclidean_norm(x: input_tensor, axis=None, keepdims=False, _name: name=None)",
)
RULES = [NORM, LINALG_NORM, TF_NORM, EUCLIDEAN]
_TWO = {"2", "2.0"}
_TOP = {"math.inf", "float('inf')", 'float("inf")', "np.inf"}
_LOW = {f"-{text}" for text in _TOP}


_NORM = '''
def _norm(x, axis=None, keepdims=False):
    """The Euclidean norm of x; its derivative at 0 is 0."""
    squares = tf.reduce_sum(tf.square(tf.abs(x)), axis, keepdims)
    some = squares > 0
    return tf.where(some, tf.sqrt(tf.where(some, squares, tf.ones_like(squares))), squares)
'''


def _size(w: Writer, x: Expression, p: Given, axis: Given, keepdims: Given) -> Expression:
    """Write the norm of vectors over all axes that there are, or some."""
    said = w.code(p) if p is not None else "2"
    library, sizes = ("tf", "tf.abs({x})") if w.to == "tf" else ("np", "np.abs({x})")
    if said in _TWO:
        if w.to == "numpy":
            squares = call(w, "np.sum", w.build("np.square({x})", x=x), axis, keepdims=keepdims)
            return w.build("np.sqrt({squares})", squares=squares)
        if "rest" in w.general:
            w.helper("_norm", _NORM)
            return call(w, "_norm", x, axis, keepdims)
        if axis is None or whole(w, axis) is not None:
            return call(w, "tf.norm", x, axis=axis, keepdims=keepdims)
        return call(w, "tf.math.reduce_euclidean_norm", x, axis, keepdims=keepdims)  # of any number of axes
    names = {"tf": ("reduce_max", "reduce_min", "reduce_sum"), "np": ("max", "min", "sum")}[library]
    found = names[0] if said in _TOP else names[1] if said in _LOW else names[2] if said in {"1", "1.0"} else ""
    if not found:
        raise w.refuse("norm: a rule for p = 1, 2 and inf alone")
    return call(w, f"{library}.{found}", w.build(sizes, x=x), axis, keepdims=keepdims)


@NORM.writes("tf", "numpy")
def _norm(w: Writer, x: Expression, p: Given = None, axis: Given = None, keepdims: Given = None) -> Expression:
    if p is not None and (w.text(p) == "fro" or w.code(p) == "None"):
        p = None
    axis = none_is_all(w, axis)
    return _size(w, x, p, axis if w.to == "tf" else as_tuple(w, axis), keepdims)


@LINALG_NORM.writes("tf", "numpy")
def _linalg_norm(w: Writer, x: Expression, p: Given = None, axis: Given = None, keepdims: Given = None) -> Expression:
    if (
        p is not None
        and w.text(p) != "fro"
        and (axis is None or w.is_sequence(axis) or w.kinds["axis"].sort is Sort.TUPLE)
    ):
        raise w.refuse("torch.linalg.norm: may be the norm of a matrix; torch.linalg.vector_norm is not")
    p = None if p is not None and w.text(p) == "fro" else p
    return _size(w, x, p, axis if w.to == "tf" or axis is None else as_tuple(w, axis), keepdims)


@TF_NORM.writes("torch", "numpy")
def _tf_norm(w: Writer, x: Expression, p: Given = None, axis: Given = None, keepdims: Given = None) -> Expression:
    if p is not None and w.text(p) in {"euclidean", "fro"}:
        p = None
    if p is not None and axis is not None and (w.is_sequence(axis) or w.kinds["axis"].sort is Sort.TUPLE):
        if w.to == "numpy":
            return call(w, "np.linalg.norm", x, p, as_tuple(w, axis), keepdims=keepdims)
        return call(w, "torch.linalg.matrix_norm", x, p, dim=axis, keepdim=keepdims)
    if w.to == "numpy":
        return _size(w, x, p, as_tuple(w, axis), keepdims)
    p = None if p is not None and w.code(p) in _TWO else p
    return call(w, "torch.linalg.vector_norm", x, p, dim=axis, keepdim=keepdims)


@EUCLIDEAN.writes("torch", "numpy")
def _euclidean(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
    if axis is not None and w.is_sequence(axis) and not w.parts(axis):
        raise w.refuse("tf.math.reduce_euclidean_norm: over no axis")
    axis = one_axis(w, axis)
    if w.to == "numpy":
        return _size(w, x, None, as_tuple(w, axis), keepdims)
    return call(w, "torch.linalg.vector_norm", x, dim=axis, keepdim=keepdims)
