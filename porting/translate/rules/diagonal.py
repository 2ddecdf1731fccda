"""Diagonals and triangles: by default PyTorch takes the diagonal of the first two axes, TensorFlow of the last two."""

from porting.translate.calls import call, whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

DIAGONAL = Rule(
    torch="torch.diagonal(x: input, k: offset=0, a: dim1=0, b: dim2=1)",
    numpy="np.diagonal(x: a, k: offset=0, a: axis1=0, b: axis2=1)",
)
DIAGONAL_OF_LAST = Rule(torch="torch.linalg.diagonal(x: A)")
DIAG_PART = Rule(tf="tf.linalg.diag_part(x: input, _name: name=None, k=0)")
DIAG_EMBED = Rule(
    torch="torch.diag_embed(x: input, k: offset=0)", tf="tf.linalg.diag(x: diagonal, _name: name=None, k=0)"
)
DIAG = Rule(
    torch="torch.diag(x: input, k: diagonal=0)", tf="tf.experimental.numpy.diag(x: v, k=0)", numpy="np.diag(x: v, k=0)"
)
TENSOR_DIAG = Rule(tf="tf.linalg.tensor_diag(x: diagonal, _name: name=None)")
TENSOR_DIAG_PART = Rule(tf="tf.linalg.tensor_diag_part(x: input, _name: name=None)")
SET_DIAG = Rule(tf="tf.linalg.set_diag(x: input, y: diagonal, _name: name=None)")
DIAGONAL_SCATTER = Rule(torch="torch.diagonal_scatter(x: input, y: src, k: offset=0, a: dim1=0, b: dim2=1)")
TRIL = Rule(torch="torch.tril(x: input, k: diagonal=0)", numpy="np.tril(x: m, k=0)")
TRIU = Rule(torch="torch.triu(x: input, k: diagonal=0)", numpy="np.triu(x: m, k=0)")
BAND = Rule(tf="tf.linalg.band_part(x: input, low: num_lower, high: num_upper, _name: name=None)")
RULES = [
    DIAGONAL,
    DIAGONAL_OF_LAST,
    DIAG_PART,
    DIAG_EMBED,
    DIAG,
    TENSOR_DIAG,
    TENSOR_DIAG_PART,
    SET_DIAG,
    DIAGONAL_SCATTER,
    TRIL,
    TRIU,
    BAND,
]


def _last_two(w: Writer, a: Given, b: Given) -> bool:
    return [None if part is None else w.code(part) for part in (a, b)] == ["-2", "-1"]


@DIAGONAL.writes("tf")
def _diagonal(w: Writer, x: Expression, k: Given = None, a: Given = None, b: Given = None) -> Expression:
    if _last_two(w, a, b) or (k is None and _last_two(w, b, a)):
        return call(w, "tf.linalg.diag_part", x, k=k)
    return call(w, "tf.experimental.numpy.diagonal", x, offset=k, axis1=a, axis2=b)


DIAGONAL_OF_LAST.form("tf.linalg.diag_part({x})", "tf")
DIAGONAL_OF_LAST.form("np.diagonal({x}, axis1=-2, axis2=-1)", "numpy")


@DIAG_PART.writes("torch", "numpy")
def _diag_part(w: Writer, x: Expression, k: Given = None) -> Expression:
    if k is not None and w.is_sequence(k):
        raise w.refuse("tf.linalg.diag_part: several diagonals have no counterpart")
    inside = "" if k is None else "{k}, "
    made = (
        f"{{x}}.diagonal({inside}dim1=-2, dim2=-1)"
        if w.to == "torch"
        else f"np.diagonal({{x}}, {inside}axis1=-2, axis2=-1)"
    )
    return w.build(made, **({"x": x} if k is None else {"x": x, "k": k}))


TENSOR_DIAG.form("{x}.reshape(-1).diag().reshape(*{x}.shape, *{x}.shape)", "torch")
_TENSOR_DIAG_PART = '''
def _tensor_diagonal(x):
    """The numbers of x whose places have the same two halves."""
    half = x.shape[: x.ndim // 2]
    return x.reshape(half.numel(), half.numel()).diagonal().reshape(half)
'''


@TENSOR_DIAG_PART.writes("torch")
def _tensor_diag_part(w: Writer, x: Expression) -> Expression:
    w.helper("_tensor_diagonal", _TENSOR_DIAG_PART)
    return w.build("_tensor_diagonal({x})", x=x)


SET_DIAG.form("{x}.diagonal_scatter({y}, dim1=-2, dim2=-1)", "torch")


@DIAGONAL_SCATTER.writes("tf")
def _diagonal_scatter(
    w: Writer, x: Expression, y: Expression, k: Given = None, a: Given = None, b: Given = None
) -> Expression:
    if not _last_two(w, a, b):
        raise w.refuse("torch.diagonal_scatter: a rule for dim1=-2, dim2=-1 alone")
    return call(w, "tf.linalg.set_diag", x, y, k=k)


def _triangle(rule: Rule, name: str, ends: str) -> None:
    @rule.writes("tf")
    def _(w: Writer, x: Expression, k: Given = None) -> Expression:
        if k is None:
            return w.build(f"tf.linalg.band_part({{x}}, {ends})", x=x)
        return w.build(f"tf.experimental.numpy.{name}({{x}}, {{k}})", x=x, k=k)


_triangle(TRIL, "tril", "-1, 0")
_triangle(TRIU, "triu", "0, -1")


@BAND.writes("torch", "numpy")
def _band(w: Writer, x: Expression, low: Expression, high: Expression) -> Expression:
    """Write it with triangles: a negative number is a whole one."""
    below, above = whole(w, low), whole(w, high)
    if below is None or above is None:
        raise w.refuse("tf.linalg.band_part: a rule for numbers that are written out alone")
    made = x
    if below >= 0:
        made = w.build(_one_side(w, "triu", -below), x=made)
    return w.build(_one_side(w, "tril", above), x=made) if above >= 0 else made


def _one_side(w: Writer, name: str, k: int) -> str:
    if w.to == "numpy":
        return f"np.{name}({{x}}, {k})" if k else f"np.{name}({{x}})"
    return f"{{x}}.{name}({k or ''})"
