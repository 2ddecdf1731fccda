"""What solvers round, and results of which several are right, are no difference; a fault beside them is found.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST, differing
from judged import accused_by

import porting
from porting import Pair
from porting.pairs.parse import parse_input

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


# What two solvers lose grows with the length of a matrix.


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", ["n,n", "...,n,n"])
def test_the_rounding_of_two_solvers_is_no_difference(shape, seed):
    pair = Pair(
        torch=torch.linalg.eigvalsh, tf=tf.linalg.eigvalsh, inputs=dict([parse_input(f"x=float64[{shape}]{{spd}}")])
    )
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp", "large"], seed=seed)
    assert not found, str(report)
    assert any(r.check == "large" and r.status == "agree" for r in report.results)


def adjugate(x):
    u, s, v = torch.linalg.svd(x)
    return torch.linalg.det(x) * (u / s[..., None, :]) @ v


def adjugate_tf(factor=1.0):
    def f(x):
        s, u, v = tf.linalg.svd(x)
        rest = tf.linalg.det(x)[..., None, None] * u @ tf.linalg.diag(1 / s) @ tf.linalg.matrix_transpose(v)
        last = tf.reduce_all(tf.stack(tf.meshgrid(*[tf.range(tf.shape(x)[-1]) == 45] * 2)), axis=0)
        return tf.where(last, factor * rest, rest)

    return f


@pytest.mark.parametrize(("factor", "wrong"), [(1.0, False), (1 + 1e-9, True)])
def test_two_decompositions_of_a_large_matrix_may_differ_by_what_either_loses(factor, wrong):
    pair = Pair(torch=adjugate, tf=adjugate_tf(factor), inputs={"x": porting.array(("n", "n"))})
    report = porting.check(pair, **WIDEST, only=["large"])
    assert any(r.status != "agree" for r in report.results) is wrong, str(report)


def test_a_fault_in_one_row_of_a_larger_matrix_is_seen():
    def last_row(x):
        y = torch.linalg.eigvalsh(x)
        return torch.cat([y[..., :40], y[..., 40:] * (1 + 1e-9)], -1)

    pair = Pair(
        torch=last_row, tf=tf.linalg.eigvalsh, inputs=dict([parse_input("x=float64[n,n]{spd}")]), reference="tf"
    )
    found, report = accused_by(pair, **WIDEST, only=["value", "large"])
    assert ("torch", "large") in found, str(report)


def expm(G, ts):  # noqa: N803 - as people write it
    return torch.linalg.matrix_exp(G[None] * ts[:, None, None])


def test_the_rounding_of_a_solver_is_no_nonlinearity():
    pair = Pair(
        torch=expm,
        tf=lambda G, ts: tf.linalg.expm(G[None] * ts[:, None, None]),  # noqa: N803 - as people write it
        inputs={"G": porting.array(("n", "n")), "ts": porting.array(("n",))},
        reference="torch",
    )
    report = porting.check(pair, only=["linear"], runners=["torch"])
    assert not any(r.findings for r in report.results), str(report)


def test_a_small_square_of_the_cotangent_still_is():
    class Squared(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.exp(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return torch.exp(x) * (dy + 1e-10 * dy * dy.abs())

    report = porting.check(Pair(torch=Squared, tf=tf.exp), only=["linear"], runners=["torch"])
    assert ("torch", "linear") in differing(report), str(report)


# Eigenvectors are free up to their signs, here of every second one.


SPD = dict([parse_input("x=float64[n,n]{spd}")])
ONE_SIGN = {"only": ["value", "vjp", "large", "single_outputs"], "dtypes": ["float64"]}


def unique(x):
    e, v = torch.linalg.eigh(x)
    return e, v * v[..., :1, :].sign().detach()


def turned_tf(off_values=0.0, off_vectors=0.0, sign=1.0):
    def turned(x):
        e, v = tf.linalg.eigh(x)
        signs = (1.0 - 2.0 * tf.cast(tf.range(tf.shape(x)[-1]) % 2, x.dtype)) if sign > 0 else tf.cast(sign, x.dtype)
        v = v * tf.stop_gradient(tf.sign(v[..., :1, :])) * signs
        return e * (1 + off_values), v + off_vectors * tf.stop_gradient(v[..., ::-1, :])

    return turned


@pytest.fixture
def elsewhere(monkeypatch):
    """The solver stands in another file, which nobody reads: that signs are free is seen by the outputs alone."""
    monkeypatch.setattr("porting.pairs.ops.solve", lambda functions: False)


@pytest.mark.usefixtures("elsewhere")
def test_eigenvectors_of_other_signs_are_no_verdict_with_the_reason():
    found, report = accused_by(Pair(torch=unique, tf=turned_tf(), inputs=SPD), **ONE_SIGN)
    assert not found, str(report)
    assert report.exit_code == 5
    assert {r.status for r in report.results if r.check == "value"} == {"no verdict"}
    assert "signs" in next(r.note for r in report.results if r.check == "vjp")


@pytest.mark.parametrize("wrong", [{"off_values": 1e-4}, {"off_vectors": 1e-4}, {"sign": -1.0}])
def test_what_else_is_wrong_beside_the_signs_is_found(wrong):
    found, report = accused_by(Pair(torch=unique, tf=turned_tf(**wrong), inputs=SPD), **ONE_SIGN)
    assert ("tf", "value") in found, str(report)


def test_wrong_signs_on_a_diagonal_are_found():
    """Rows that are orthogonal to each other, and no vectors of length 1."""
    pair = Pair(torch=torch.diag_embed, tf=lambda x: tf.linalg.diag(tf.abs(x)), inputs={"x": porting.array(("n",))})
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"])
    assert ("tf", "value") in found, str(report)


# Principal components, U S, are orthogonal vectors of any length.


def components(x):
    e, v = unique(x)
    return e[..., None, :] * v, v


def components_tf(**wrong):
    def turned(x):
        e, v = turned_tf(**wrong)(x)
        return e[..., None, :] * v, v

    return turned


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("which", [slice(0, 2), slice(0, 1)])  # beside the vectors themselves, and alone
def test_scaled_vectors_of_other_signs_are_no_verdict_with_the_reason(which):
    pair = Pair(torch=lambda x: components(x)[which], tf=lambda x: components_tf()(x)[which], inputs=SPD)
    found, report = accused_by(pair, **WIDEST, only=["value"])
    assert not found, str(report)
    assert not report.diagnoses, str(report)
    assert "sign" in next(r.note for r in report.results if r.check == "value"), str(report)


@pytest.mark.parametrize("wrong", [{"off_values": 1e-4}, {"sign": -1.0}])
def test_what_else_is_wrong_beside_the_signs_of_scaled_vectors_is_found(wrong):
    pair = Pair(torch=lambda x: components(x)[0], tf=lambda x: components_tf(**wrong)(x)[0], inputs=SPD)
    found, report = accused_by(pair, **WIDEST, only=["value"])
    assert ("tf", "value") in found, str(report)


def test_wrong_signs_of_columns_that_are_not_orthogonal_are_found():
    def turned(x):
        return x * (1.0 - 2.0 * tf.cast(tf.range(tf.shape(x)[-1]) % 2, x.dtype))

    found, report = accused_by(Pair(torch=lambda x: 1 * x, tf=turned, inputs=SPD), **WIDEST, only=["value"])
    assert ("tf", "value") in found, str(report)


def test_the_wrong_sign_of_a_function_is_found():
    found, report = accused_by(Pair(torch=lambda x: -torch.sin(x), tf=tf.sin, inputs=ANY), only=["value"])
    assert {("torch", "value"), ("tf", "value")} == found, str(report)


# Whether two solvers give a matrix the same signs is chance; a compiler takes another solver.


SOLVER = {"dtypes": ["float64"], "only": ["value", "vjp", "interleaved", "single_outputs", "xla"]}


def svd(x):
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    return u, s, vh.mT


def svd_tf(off_values=0.0):
    def decomposed(x):
        s, u, v = tf.linalg.svd(x, full_matrices=False)
        return u, s * (1 + off_values), v

    return decomposed


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("inputs", [ANY, {"x": porting.array(("m", "n"))}])
@pytest.mark.slow
def test_singular_vectors_of_other_signs_are_no_verdict_with_the_reason(inputs):
    found, report = accused_by(Pair(torch=svd, tf=svd_tf(), inputs=inputs), **SOLVER)
    assert not found, str(report)
    assert not report.diagnoses, str(report)
    said = {r.check: r.note for r in report.results if r.runner == "tf" and r.status != "agree"}
    assert "signs" in said["vjp"], str(report)
    assert "sign" in said["xla"], str(report)


@pytest.mark.slow
def test_singular_values_that_are_off_are_found_beside_them():
    inputs = {"x": porting.array(("m", "n"))}
    found, report = accused_by(Pair(torch=svd, tf=svd_tf(1e-4), inputs=inputs), **SOLVER)
    assert {("tf", "value"), ("tf", "single_outputs")} <= found, str(report)
    said = [d.seen for d in report.diagnoses if (d.runner, d.cause) == ("tf", "wrong_value")]
    assert all("signs" not in seen for seen in said), str(report)


# Complex eigenvectors are free up to a phase, and a general matrix has its eigenvalues in any order.


SQUARE = {"A": porting.array(("n", "n"))}
EIGEN = {"dtypes": ["float64"], "only": ["value", "vjp", "raw_gradient", "linear", "finite"]}


def eig_tf(off_values=0.0, off_vectors=0.0):
    def decomposed(a):
        e, v = tf.linalg.eig(a)
        return e * (1 + off_values), v * (1 + off_vectors)

    return decomposed


@pytest.mark.parametrize("reference", [None, "tf"])
@pytest.mark.parametrize(
    "sides",
    [
        (torch.linalg.eig, eig_tf()),
        (lambda a: torch.linalg.eig(a)[1], lambda a: tf.linalg.eig(a)[1]),
    ],
)
def test_phases_of_eigenvectors_are_no_verdict_with_the_reason(sides, reference):
    pair = Pair(torch=sides[0], tf=sides[1], inputs=SQUARE, reference=reference, name="eig")
    found, report = accused_by(pair, **EIGEN)
    assert not found, str(report)
    assert report.exit_code == 5
    assert "phases" in next(r.note for r in report.results if r.check == "value" and r.status == "no verdict")


def test_the_order_of_complex_eigenvalues_is_free():
    pair = Pair(torch=torch.linalg.eigvals, tf=tf.linalg.eigvals, inputs=SQUARE)
    found, report = accused_by(pair, **EIGEN)
    assert not found, str(report)


@pytest.mark.parametrize("wrong", [{"off_values": 1e-4}, {"off_vectors": 1e-4}])
def test_what_else_is_wrong_beside_the_phases_is_found(wrong):
    found, report = accused_by(Pair(torch=torch.linalg.eig, tf=eig_tf(**wrong), inputs=SQUARE), **EIGEN)
    assert ("tf", "value") in found, str(report)


def test_the_order_of_real_eigenvalues_is_not_free():
    def descending(a):
        return torch.linalg.eigvalsh(a).flip(-1)

    pair = Pair(torch=descending, tf=tf.linalg.eigvalsh, inputs=SPD)
    found, report = accused_by(pair, **WIDEST, only=["value"])
    assert ("torch", "value") in found, str(report)


# Vectors of the null space of a matrix are anybody's: guessed shapes may have one.


def last_of_svd(x):
    centred = x - x.mean(-2, keepdim=True)
    last = torch.linalg.svd(centred.mT @ centred)[0][..., -1:]
    return last @ last.mT


def first_of_eigh(x):
    centred = x - tf.reduce_mean(x, -2, keepdims=True)
    first = tf.linalg.eigh(tf.matmul(centred, centred, transpose_a=True))[1][..., :1]
    return tf.matmul(first, first, transpose_b=True)


@pytest.mark.slow
def test_where_no_result_is_unique_there_is_no_verdict():
    report = porting.check(Pair(torch=last_of_svd, tf=first_of_eigh), only=["value", "large"])
    assert not differing(report), str(report)
    assert any("no result is unique" in r.note for r in report.results), str(report)


def doubled(x):
    return 2 * first_of_eigh(x)


@pytest.mark.parametrize(("side", "found"), [(first_of_eigh, False), (doubled, True)])
def test_where_one_is_it_is_judged(side, found):
    pair = Pair(torch=last_of_svd, tf=side, inputs={"x": porting.array((7, 3))})
    report = porting.check(pair, only=["value", "vjp"])
    assert (("tf", "value") in differing(report)) == found, str(report)


def signed_product(of, x):
    return of.linalg.slogdet(x)[0]


class Determinant(torch.autograd.Function):
    """By singular values, as some models of electrons have it."""

    @staticmethod
    def forward(ctx, x):
        u, s, vh = torch.linalg.svd(x)
        ctx.save_for_backward(u, s, vh, signed_product(torch, x))
        return signed_product(torch, x) * s.prod(-1)

    @staticmethod
    def backward(ctx, dy):
        u, s, vh, sign = ctx.saved_tensors
        rest = torch.stack([torch.cat([s[:k], s[k + 1 :]]).prod() for k in range(len(s))])
        return dy * sign * u @ torch.diag(rest) @ vh


@tf.custom_gradient
def determinant(x):
    s, u, v = tf.linalg.svd(x)
    sign = signed_product(tf, x)

    def vjp(dy):
        rest = tf.reduce_prod(tf.linalg.set_diag(tf.tile(s[:, None], [1, tf.shape(s)[0]]), tf.ones_like(s)), axis=0)
        return dy * sign * tf.matmul(u, tf.matmul(tf.linalg.diag(rest), v, transpose_b=True))

    return sign * tf.reduce_prod(s, axis=-1), vjp


@pytest.mark.parametrize("reference", [None, "tf"])
def test_what_a_solver_loses_in_a_larger_matrix_is_a_note(reference):
    pair = Pair(torch=Determinant, tf=determinant, inputs={"x": porting.array(("n", "n"))}, reference=reference)
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp", "large"])
    assert not found, str(report)


# A matrix with one element of 720 beside others of 1 is ill-conditioned: each algorithm has an answer of its own.


def nearest_rotation_torch(x):
    u, _, v = torch.linalg.svd(x)
    return u @ torch.diag(torch.tensor([1.0, 1.0, 1.0, -1.0], dtype=x.dtype)) @ v


def nearest_rotation_tf(x):
    _, u, v = tf.linalg.svd(x, full_matrices=True)
    return tf.linalg.matmul(u * tf.constant([1.0, 1.0, 1.0, -1.0], x.dtype), v, adjoint_b=True)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("reference", [None, "torch", "tf"])
def test_the_rounding_of_an_ill_conditioned_matrix_is_no_difference(reference, seed):
    pair = Pair(
        torch=nearest_rotation_torch, tf=nearest_rotation_tf, inputs={"x": porting.array((4, 4))}, reference=reference
    )
    found, report = accused_by(pair, only=["value", "special_values"], seed=seed)
    assert not found, str(report)


def test_digits_that_are_lost_beside_a_large_element_are_found():
    def beside_large(x):
        return (x.sum(-1) + 1e9) - 1e9

    pair = Pair(
        torch=beside_large, tf=lambda x: tf.reduce_sum(x, -1), inputs={"x": porting.array(("n", "k"))}, reference="tf"
    )
    found, report = accused_by(pair, **WIDEST, only=["special_values"])
    assert found == {("torch", "special_values")}, str(report)


# A file that speaks of a solver says whose signs these are: all sides are given the same ones.


class Eigen(torch.autograd.Function):
    """Eigenvalues and eigenvectors; the gradient through the vectors is `share` of the true one."""

    @staticmethod
    def forward(ctx, x, share=1.0):
        ctx.share = share
        e, v = unique(x)
        ctx.save_for_backward(e, v)
        return e, v

    @staticmethod
    def backward(ctx, de, dv):
        e, v = ctx.saved_tensors
        apart = e[..., None, :] - e[..., :, None]
        apart.diagonal(dim1=-2, dim2=-1).fill_(torch.inf)
        inner = torch.diag_embed(de) + ctx.share * (v.mT @ dv) / apart
        return v @ inner @ v.mT, None


def turned_rows(x):
    """Return the vectors as rows, in a dictionary."""
    e, v = turned_tf()(x)
    return {"a": e, "b": tf.linalg.matrix_transpose(v)}


@pytest.mark.parametrize(
    ("one", "other", "inputs"),
    [
        (Eigen, turned_tf(), SPD),
        (components, components_tf(), SPD),
        (lambda x: (Eigen.apply(x)[0], Eigen.apply(x)[1].mT), turned_rows, SPD),
        pytest.param(svd, svd_tf(), ANY, marks=pytest.mark.slow),
        pytest.param(svd, svd_tf(), {"x": porting.array((..., "m", "n"))}, marks=pytest.mark.slow),
    ],
    ids=["vectors", "scaled", "rows", "singular", "stacks"],
)
def test_vectors_of_either_sign_are_compared_with_the_same_signs(one, other, inputs):
    found, report = accused_by(Pair(torch=one, tf=other, inputs=inputs), dtypes=["float64"], modes=["eager"])
    assert not found - {("tf", "traced")}, str(report)  # TensorFlow's own has no gradient for unknown shapes
    agreed = {(r.runner, r.check) for r in report.results if r.status == "agree" and r.compared}
    assert {(side, check) for side in ("torch", "tf") for check in ("value", "vjp", "large")} <= agreed, str(report)
    assert "vectors of either sign" in "".join(report.described)


@pytest.mark.parametrize("share", [0.99, -1.0, 0.0])
def test_a_wrong_gradient_of_vectors_of_either_sign_is_found(share):
    pair = Pair(torch=Eigen, tf=turned_tf(), inputs=SPD, statics={"share": share})
    found, report = accused_by(pair, dtypes=["float64"], only=["value", "vjp"])
    assert ("torch", "vjp") in found, str(report)
    assert ("torch", "value") not in found, str(report)


def in_float32_alone(x):
    if x.dtype != tf.float32:
        raise TypeError("float32 is wanted")
    return turned_tf()(x)


def test_vectors_of_a_side_that_takes_float32_alone_are_given_the_same_signs():
    pair = Pair(torch=unique, tf=in_float32_alone, inputs=dict([parse_input("x=float32[n,n]{spd}")]))
    found, report = accused_by(pair, dtypes=["float32"], only=["value", "vjp"])
    assert not found, str(report)
    assert {r.check for r in report.results if r.status == "agree" and r.compared} == {"value", "vjp"}, str(report)
    assert "vectors of either sign" in "".join(report.described)
