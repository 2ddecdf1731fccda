"""Matrices: inverses and linear equations."""

from collections.abc import Mapping

from porting.translate.abstract_value import INT, Abstract, Sort
from porting.translate.calls import call, flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.shape import shape_of


def _factors(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"], INT, INT))


INVERSE = Rule(
    torch=["torch.linalg.inv(x: A)", "torch.inverse(x: input)"],
    tf="tf.linalg.inv(x: input, adjoint=False, _name: name=None)",
    numpy="np.linalg.inv(x: a)",
)
SOLVE = Rule(
    torch="torch.linalg.solve(x: A, y: B)",
    tf="tf.linalg.solve(x: matrix, y: rhs, adjoint=False, _name: name=None)",
    numpy="np.linalg.solve(x: a, y: b)",
    kind="y",
)
CHOLESKY_SOLVE = Rule(
    torch="torch.cholesky_solve(y: B, x: L, upper=False)",
    tf="tf.linalg.cholesky_solve(x: chol, y: rhs, _name: name=None)",
    kind="y",
)
TRIANGULAR = Rule(torch="torch.linalg.solve_triangular(x: A, y: B, *, upper, ones: unitriangular=False)", kind="y")
OLD_TRIANGULAR = Rule(
    torch="torch.triangular_solve(y: b, x: A, upper=True, transpose=False)",
    kind=lambda kinds: Abstract(Sort.TUPLE, items=(kinds["y"], kinds["x"])),
)
TF_TRIANGULAR = Rule(
    tf="tf.linalg.triangular_solve(x: matrix, y: rhs, lower=True, adjoint=False, _name: name=None)", kind="y"
)
PINV = Rule(tf="tf.linalg.pinv(x: a, least: rcond=None, _validate: validate_args=False, _name: name=None)")
LSTSQ = Rule(
    tf="tf.linalg.lstsq(x: matrix, y: rhs, ridge: l2_regularizer=0.0, _fast: fast=True, _name: name=None)",
    kind="y",
)
LU = Rule(torch="torch.linalg.lu_factor(x: A)", kind=_factors)
LU_EX = Rule(torch="torch.linalg.lu_factor_ex(x: A)", kind=_factors)
LU_SOLVE = Rule(torch="torch.linalg.lu_solve(x: LU, p: pivots, y: B, *, adjoint=False)", kind="y")
RULES = [INVERSE, SOLVE, CHOLESKY_SOLVE, TRIANGULAR, OLD_TRIANGULAR, TF_TRIANGULAR, PINV, LSTSQ, LU, LU_EX, LU_SOLVE]
_PIVOTS = "LU factors: the pivots are a permutation in TensorFlow; tf.linalg.lu_solve and what is written here take it."


@INVERSE.writes("torch", "numpy")
def _inverse(w: Writer, x: Expression, adjoint: Given = None) -> Expression:
    return call(w, f"{_library(w)}.inv", _turned(w, x, adjoint, "tf.linalg.inv"))


@SOLVE.writes("torch", "numpy")
def _solve(w: Writer, x: Expression, y: Expression, adjoint: Given = None) -> Expression:
    return call(w, f"{_library(w)}.solve", _turned(w, x, adjoint, "tf.linalg.solve"), y)


def _library(w: Writer) -> str:
    return "torch.linalg" if w.to == "torch" else "np.linalg"


def _turned(w: Writer, x: Expression, adjoint: Given, what: str) -> Expression:
    turned = w.build("{x}.mH" if w.to == "torch" else "np.swapaxes({x}, -1, -2).conj()", x=x)
    if adjoint is not None and w.kinds["adjoint"].number == "bool" and w.code(adjoint) not in {"True", "False"}:
        return w.build("{turned} if {adjoint} else {x}", turned=turned, adjoint=adjoint, x=x)
    return turned if flag(w, adjoint, what) else x


@CHOLESKY_SOLVE.writes("tf")
def _cholesky_solve(w: Writer, y: Expression, x: Expression, upper: Given = None) -> Expression:
    if flag(w, upper, "torch.cholesky_solve"):
        x = w.build("tf.linalg.adjoint({x})", x=x)
    return w.build("tf.linalg.cholesky_solve({x}, {y})", x=x, y=y)


CHOLESKY_SOLVE.form("torch.cholesky_solve({y}, {x})", "torch")


@TRIANGULAR.writes("tf")
def _triangular(w: Writer, x: Expression, y: Expression, upper: Expression, ones: Given = None) -> Expression:
    if flag(w, ones, "torch.linalg.solve_triangular"):
        raise w.refuse("torch.linalg.solve_triangular: unitriangular=True has no rule")
    if w.code(upper) == "False":
        return w.build("tf.linalg.triangular_solve({x}, {y})", x=x, y=y)
    lower = w.build("False" if w.code(upper) == "True" else "not {upper}", upper=upper)
    return w.build("tf.linalg.triangular_solve({x}, {y}, lower={lower})", x=x, y=y, lower=lower)


@OLD_TRIANGULAR.writes("tf")
def _old_triangular(
    w: Writer, y: Expression, x: Expression, upper: Given = None, transpose: Given = None
) -> Expression:
    above = upper is None or flag(w, upper, "torch.triangular_solve")
    turned = ", adjoint=True" if flag(w, transpose, "torch.triangular_solve") else ""
    if turned and w.kinds["x"].number != "float":
        raise w.refuse("torch.triangular_solve: transpose of complex numbers has no rule")
    below = ", lower=False" if above else ""
    return w.build(f"(tf.linalg.triangular_solve({{x}}, {{y}}{below}{turned}), {{x}})", x=x, y=y)


@TF_TRIANGULAR.writes("torch")
def _tf_triangular(w: Writer, x: Expression, y: Expression, lower: Given = None, adjoint: Given = None) -> Expression:
    """Write it: the adjoint of a lower triangle is an upper one."""
    below = lower is None or flag(w, lower, "tf.linalg.triangular_solve")
    turned = flag(w, adjoint, "tf.linalg.triangular_solve")
    if turned:
        x = w.build("{x}.mH", x=x)
    return w.build(f"torch.linalg.solve_triangular({{x}}, {{y}}, upper={turned == below})", x=x, y=y)


@PINV.writes("torch")
def _pinv(w: Writer, x: Expression, least: Given = None) -> Expression:
    """Write it: singular values that are left out are ten times as large in TensorFlow as in PyTorch."""
    if least is None:
        least = w.build("10 * max({x}.shape[-2:]) * torch.finfo({x}.dtype).eps", x=x)
    return w.build("torch.linalg.pinv({x}, rtol={least})", x=x, least=least)


@LSTSQ.writes("torch")
def _lstsq(w: Writer, x: Expression, y: Expression, ridge: Given = None) -> Expression:
    if ridge is not None:
        raise w.refuse("tf.linalg.lstsq: l2_regularizer has no rule")
    return w.build("torch.linalg.lstsq({x}, {y}).solution", x=x, y=y)


_LU_SOLVE = '''
def _lu_solve(lu, permutation, b, adjoint=False):
    """Solve linear equations by the factors of their matrix, or of its adjoint."""
    if not adjoint:
        return tf.linalg.lu_solve(lu, permutation, b)
    lower = tf.linalg.set_diag(lu, tf.ones_like(tf.linalg.diag_part(lu)))
    y = tf.linalg.triangular_solve(lu, b, lower=False, adjoint=True)
    y = tf.linalg.triangular_solve(lower, y, adjoint=True)
    return tf.gather(y, tf.argsort(permutation), axis=-2, batch_dims=permutation.shape.rank - 1)
'''


@LU.writes("tf")
def _lu(w: Writer, x: Expression) -> Expression:
    """Write it; a singular matrix raises."""
    w.note(_PIVOTS)
    return w.build("tf.linalg.lu({x})", x=x)


@LU_EX.writes("tf")
def _lu_ex(w: Writer, x: Expression) -> Expression:
    w.note(_PIVOTS)
    return w.build("(*tf.linalg.lu({x}), tf.zeros({shape}[:-2], tf.int32))", x=x, shape=shape_of(w, x))


@LU_SOLVE.writes("tf")
def _lu_solve(w: Writer, x: Expression, p: Expression, y: Expression, adjoint: Given = None) -> Expression:
    w.note(_PIVOTS)
    if adjoint is None:
        return w.build("tf.linalg.lu_solve({x}, {p}, {y})", x=x, p=p, y=y)
    w.helper("_lu_solve", _LU_SOLVE)
    return w.build("_lu_solve({x}, {p}, {y}, {adjoint})", x=x, p=p, y=y, adjoint=adjoint)
