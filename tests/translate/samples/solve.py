"""Linear equations."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.linalg.inv(s)", "tf.linalg.inv(s)", to="tf"),
    Rewrite("s.inverse()", "tf.linalg.inv(s)", to="tf"),
    Rewrite("torch.linalg.solve(s, r)", "tf.linalg.solve(s, r)", to="tf"),
    Rewrite(
        "torch.cholesky_solve(r, torch.linalg.cholesky(s))",
        "tf.linalg.cholesky_solve(tf.linalg.cholesky(s), r)",
        to="tf",
    ),
    Rewrite(
        "torch.cholesky_solve(r, torch.linalg.cholesky(s).mT, upper=True)",
        "tf.linalg.cholesky_solve(tf.linalg.adjoint(tf.linalg.matrix_transpose(tf.linalg.cholesky(s))), r)",
        to="tf",
    ),
    Rewrite(
        "torch.linalg.solve_triangular(s, r, upper=True)", "tf.linalg.triangular_solve(s, r, lower=False)", to="tf"
    ),
    Rewrite(
        "torch.linalg.solve_triangular(s, r, upper=False, unitriangular=False)",
        "tf.linalg.triangular_solve(s, r)",
        to="tf",
    ),
    Rewrite(
        "torch.triangular_solve(r, s, upper=False)[0]",
        "tf.linalg.triangular_solve(s, r)",
        to="tf",
    ),
    Rewrite(
        "torch.triangular_solve(r, s, transpose=True)[0]",
        "tf.linalg.triangular_solve(s, r, lower=False, adjoint=True)",
        to="tf",
    ),
    Rewrite("torch.linalg.solve_triangular(s, r, upper=False)", "tf.linalg.triangular_solve(s, r)", to="tf"),
    Rewrite(
        "torch.linalg.solve_triangular(s, r, upper=k > 1)", "tf.linalg.triangular_solve(s, r, lower=not k > 1)", to="tf"
    ),
    Rewrite("torch.linalg.lu_factor(s)[0]", "tf.linalg.lu(s)[0]", to="tf"),
    Rewrite(
        "torch.linalg.lu_factor_ex(s.flip(0))[0]",
        "(*tf.linalg.lu(tf.reverse(s, [0])), tf.zeros(tf.reverse(s, [0]).shape[:-2], tf.int32))[0]",
        to="tf",
    ),
    Rewrite(
        "torch.linalg.lu_solve(torch.linalg.lu_factor(s)[0], torch.linalg.lu_factor(s)[1], r)",
        "tf.linalg.lu_solve(tf.linalg.lu(s)[0], tf.linalg.lu(s)[1], r)",
        to="tf",
    ),
    Rewrite(
        "torch.linalg.lu_solve(torch.linalg.lu_factor(x[:, :3])[0], torch.linalg.lu_factor(x[:, :3])[1], r, "
        "adjoint=True)",
        "_lu_solve(tf.linalg.lu(x[:, :3])[0], tf.linalg.lu(x[:, :3])[1], r, True)",
        to="tf",
    ),
    Rewrite("tf.linalg.inv(s)", "torch.linalg.inv(s)", to="torch"),
    Rewrite(
        "tf.linalg.inv(s + tf.linalg.band_part(s, 0, -1), adjoint=True)",
        "torch.linalg.inv((s + s.triu()).mH)",
        to="torch",
    ),
    Rewrite("tf.linalg.solve(s, r)", "torch.linalg.solve(s, r)", to="torch"),
    Rewrite(
        "tf.linalg.solve(s + tf.linalg.band_part(s, 0, -1), r, adjoint=True)",
        "torch.linalg.solve((s + s.triu()).mH, r)",
        to="torch",
    ),
    Rewrite(
        "tf.linalg.cholesky_solve(tf.linalg.cholesky(s), r)",
        "torch.cholesky_solve(r, torch.linalg.cholesky(s))",
        to="torch",
    ),
    Rewrite("tf.linalg.triangular_solve(s, r)", "torch.linalg.solve_triangular(s, r, upper=False)", to="torch"),
    Rewrite(
        "tf.linalg.triangular_solve(s, r, lower=False)", "torch.linalg.solve_triangular(s, r, upper=True)", to="torch"
    ),
    Rewrite(
        "tf.linalg.triangular_solve(s, r, adjoint=True)",
        "torch.linalg.solve_triangular(s.mH, r, upper=True)",
        to="torch",
    ),
    Rewrite(
        "tf.linalg.triangular_solve(s, r, lower=False, adjoint=True)",
        "torch.linalg.solve_triangular(s.mH, r, upper=False)",
        to="torch",
    ),
    Rewrite("torch.linalg.inv(s)", "np.linalg.inv(s)", to="numpy"),
    Rewrite("torch.linalg.solve(s, r)", "np.linalg.solve(s, r)", to="numpy"),
    Rewrite("tf.linalg.inv(s, adjoint=True)", "np.linalg.inv(np.swapaxes(s, -1, -2).conj())", to="numpy", of="tf"),
    Refused("tf.linalg.inv(s, adjoint=k)", "tf.linalg.inv: k is not known here to be True or False", to="torch"),
    Refused("tf.linalg.lu(s)", "tf.linalg.lu: no rule", to="torch"),
    Refused("torch.linalg.solve(s, r, left=False)", "torch.linalg.solve: left is not in its rule", to="tf"),
    Refused(
        "torch.linalg.solve_triangular(s, r, upper=True, unitriangular=True)",
        "torch.linalg.solve_triangular: unitriangular=True has no rule",
        to="tf",
    ),
    Rewrite(
        "tf.linalg.pinv(x)", "torch.linalg.pinv(x, rtol=10 * max(x.shape[-2:]) * torch.finfo(x.dtype).eps)", to="torch"
    ),
    Rewrite("tf.linalg.pinv(x, rcond=0.5)", "torch.linalg.pinv(x, rtol=0.5)", to="torch"),
    Rewrite("tf.linalg.lstsq(s, r)", "torch.linalg.lstsq(s, r).solution", to="torch"),
    Rewrite("tf.linalg.lstsq(x[:, :2], r)", "torch.linalg.lstsq(x[:, :2], r).solution", to="torch"),
    Refused("tf.linalg.lstsq(s, r, 0.1)", "l2_regularizer has no rule", to="torch"),
]
