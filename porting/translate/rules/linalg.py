"""Matrices: decompositions, determinants. The signs of vectors in a decomposition are the framework's choice.

So is the order of eigenvalues, if the matrix is not known to be symmetric.
"""

from collections.abc import Mapping

from porting.translate.abstract_value import COMPLEX, Abstract, Sort
from porting.translate.calls import MODULES, flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


def _pair(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"],) * 2)


def _triple(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"],) * 3)


EIGH = Rule(
    torch="torch.linalg.eigh(x: A)",
    tf="tf.linalg.eigh(x: tensor, _name: name=None)",
    numpy="np.linalg.eigh(x: a)",
    kind=_pair,
)
EIG = Rule(
    torch="torch.linalg.eig(x: A)",
    tf=["tf.linalg.eig(x: tensor, _name: name=None)", "tf.eig(x: tensor, _name: name=None)"],
    numpy="np.linalg.eig(x: a)",
    kind=Abstract(Sort.TUPLE, items=(COMPLEX, COMPLEX)),
)
EIGVALS = Rule(
    torch="torch.linalg.eigvals(x: A)",
    tf="tf.linalg.eigvals(x: tensor, _name: name=None)",
    numpy="np.linalg.eigvals(x: a)",
    kind=COMPLEX,
)
SYMEIG = Rule(torch="torch.symeig(x: input, vectors: eigenvectors=False)", kind=_pair)
EIGVALSH = Rule(
    torch="torch.linalg.eigvalsh(x: A)",
    tf="tf.linalg.eigvalsh(x: tensor, _name: name=None)",
    numpy="np.linalg.eigvalsh(x: a)",
)
CHOLESKY = Rule(
    torch=["torch.linalg.cholesky(x: A)", "torch.cholesky(x: input)"],
    tf="tf.linalg.cholesky(x: input, _name: name=None)",
    numpy="np.linalg.cholesky(x: a)",
)
QR = Rule(
    torch=["torch.linalg.qr(x: A, mode='reduced')", "torch.qr(x: input)"],
    tf=["tf.linalg.qr(x: input, full: full_matrices=False, _name: name=None)"],
    numpy="np.linalg.qr(x: a, mode='reduced')",
    kind=_pair,
)
CROSS = Rule(
    torch="torch.linalg.cross(x: input, y: other, *, dim=-1)",
    tf="tf.linalg.cross(x: a, y: b, _name: name=None)",
    numpy="np.linalg.cross(x: x1, y: x2, *, dim: axis=-1)",
)
OLD_CROSS = Rule(torch="torch.cross(x: input, y: other, dim=None)")
CHOLESKY_INVERSE = Rule(torch="torch.cholesky_inverse(x: input, upper=False)")
SVD = Rule(torch="torch.linalg.svd(x: A, full: full_matrices=True)", kind=_triple)
OLD_SVD = Rule(torch="torch.svd(x: input, some=True, vectors: compute_uv=True)", kind=_triple)
TF_SVD = Rule(
    tf="tf.linalg.svd(x: tensor, full: full_matrices=False, vectors: compute_uv=True, _name: name=None)",
    kind=lambda kinds: kinds["x"] if "vectors" in kinds else _triple(kinds),
)
SVDVALS = Rule(torch="torch.linalg.svdvals(x: A)")
DET = Rule(
    torch=["torch.linalg.det(x: A)", "torch.det(x: input)"],
    tf="tf.linalg.det(x: input, _name: name=None)",
    numpy="np.linalg.det(x: a)",
)
SLOGDET = Rule(
    torch=["torch.linalg.slogdet(x: A)", "torch.slogdet(x: input)"],
    tf="tf.linalg.slogdet(x: input, _name: name=None)",
    numpy="np.linalg.slogdet(x: a)",
    kind=_pair,
)
LOGDET = Rule(torch="torch.logdet(x: input)", tf="tf.linalg.logdet(x: matrix, _name: name=None)")
TRACE = Rule(torch="torch.trace(x: input)", numpy="np.trace(x: a)")
TF_TRACE = Rule(tf="tf.linalg.trace(x, _name: name=None)")
EXPM = Rule(
    torch=["torch.linalg.matrix_exp(x: A)", "torch.matrix_exp(x: input)"],
    tf="tf.linalg.expm(x: input, _name: name=None)",
)
RULES = [
    EIG, EIGVALS, EIGH,
    SYMEIG, EIGVALSH, CHOLESKY, CHOLESKY_INVERSE, QR, CROSS, OLD_CROSS, SVD,
    OLD_SVD, TF_SVD, SVDVALS, DET, SLOGDET, LOGDET, TRACE, TF_TRACE, EXPM,
]  # fmt: skip


def _unsorted(rule: Rule, name: str) -> None:
    @rule.writes("torch", "tf")
    def _(w: Writer, x: Expression) -> Expression:
        w.note(f"{name} of a matrix that is not symmetric: each framework has an order of its own.")
        return w.build(f"{w.to}.linalg.{name}({{x}})", x=x)


_unsorted(EIG, "eig")
_unsorted(EIGVALS, "eigvals")


@SYMEIG.writes("tf")
def _symeig(w: Writer, x: Expression, vectors: Given = None) -> Expression:
    if not flag(w, vectors, "torch.symeig"):
        raise w.refuse("torch.symeig: without eigenvectors; torch.linalg.eigvalsh has a rule")
    return w.build("tf.linalg.eigh({x})", x=x)


_MODES = {"torch": ("reduced", "complete"), "numpy": ("reduced", "complete"), "tf": ("False", "True")}


@QR.writes("tf", "torch", "numpy")
def _qr(w: Writer, x: Expression, mode: Given = None, full: Given = None) -> Expression:
    said = w.code(full) if full is not None else w.text(mode) if mode is not None else _MODES[w.of][0]
    if said not in _MODES[w.of]:
        raise w.refuse("qr: its mode is neither reduced nor complete, or is not known here")
    whole = said == _MODES[w.of][1]
    how = ("full_matrices=True" if w.to == "tf" else 'mode="complete"') if whole else ""
    return w.build(f"{MODULES[w.to]}.linalg.qr({{x}}{', ' if how else ''}{how})", x=x)


@OLD_CROSS.writes("tf", "numpy")
def _old_cross(w: Writer, x: Expression, y: Expression, dim: Given = None) -> Expression:
    if dim is None or w.code(dim) != "-1":
        raise w.refuse("torch.cross: along another axis than the last, dim=-1, it has no rule")
    return w.build(f"{MODULES[w.to]}.linalg.cross({{x}}, {{y}})", x=x, y=y)


_CHOLESKY_INVERSE = '''
def _cholesky_inverse(x):
    """The inverse of the matrix whose lower factor this is."""
    one = tf.eye(tf.shape(x)[-1], batch_shape=tf.shape(x)[:-2], dtype=x.dtype)
    inverse = tf.linalg.triangular_solve(x, one)
    return tf.matmul(inverse, inverse, adjoint_a=True)
'''


@CHOLESKY_INVERSE.writes("tf")
def _cholesky_inverse(w: Writer, x: Expression, upper: Given = None) -> Expression:
    if upper is not None:
        raise w.refuse("torch.cholesky_inverse: upper is not in its rule")
    w.helper("_cholesky_inverse", _CHOLESKY_INVERSE)
    return w.build("_cholesky_inverse({x})", x=x)


_SVD = '''
def _svd(x, full=True):
    """u, s and the adjoint of v, as PyTorch returns them."""
    s, u, v = tf.linalg.svd(x, full_matrices=full)
    return u, s, tf.linalg.adjoint(v)
'''
_OLD_SVD = '''
def _thin_svd(x):
    """u, s and v, as PyTorch returns them."""
    s, u, v = tf.linalg.svd(x)
    return u, s, v
'''
_TF_SVD = '''
def _svd(x, full=False):
    """s, u and v, as TensorFlow returns them."""
    u, s, vh = torch.linalg.svd(x, full_matrices=full)
    return s, u, vh.mH
'''


@SVD.writes("tf", "numpy")
def _svd(w: Writer, x: Expression, full: Given = None) -> Expression:
    w_full = "" if full is None else ", {full}"
    parts = {"x": x} if full is None else {"x": x, "full": full}
    if w.to == "numpy":
        return w.build(f"np.linalg.svd({{x}}{w_full})", **parts)
    w.helper("_svd", _SVD)
    return w.build(f"_svd({{x}}{w_full})", **parts)


@OLD_SVD.writes("tf")
def _old_svd(w: Writer, x: Expression, some: Given = None, vectors: Given = None) -> Expression:
    if some is not None or vectors is not None:
        raise w.refuse(f"torch.svd: {'compute_uv' if some is None else 'some'}=False has no rule")
    w.helper("_thin_svd", _OLD_SVD)
    return w.build("_thin_svd({x})", x=x)


@TF_SVD.writes("torch")
def _tf_svd(w: Writer, x: Expression, full: Given = None, vectors: Given = None) -> Expression:
    if vectors is not None:
        if w.code(vectors) != "False":
            raise w.refuse("tf.linalg.svd: compute_uv is not known here to be True or False")
        return w.build("torch.linalg.svdvals({x})", x=x)
    w.helper("_svd", _TF_SVD)
    return w.build("_svd({x})", x=x) if full is None else w.build("_svd({x}, {full})", x=x, full=full)


SVDVALS.form("tf.linalg.svd({x}, compute_uv=False)", "tf")
SVDVALS.form("np.linalg.svd({x}, compute_uv=False)", "numpy")


_LOGDET = '''
def _logdet(x):
    """The logarithm of the determinant, NaN where it is negative."""
    sign, size = tf.linalg.slogdet(x)
    return size + tf.math.log(sign)
'''


@LOGDET.writes("tf")
def _logdet(w: Writer, x: Expression) -> Expression:
    """Not tf.linalg.logdet, which is for symmetric matrices only."""
    w.helper("_logdet", _LOGDET)
    return w.build("_logdet({x})", x=x)


LOGDET.form("np.log(np.linalg.det({x}))", "numpy")
TRACE.form("tf.linalg.trace({x})", "tf")
# Of each matrix of a batch; torch.trace is of one
TF_TRACE.form("{x}.diagonal(dim1=-2, dim2=-1).sum(-1)", "torch")
TF_TRACE.form("np.trace({x}, axis1=-2, axis2=-1)", "numpy")
