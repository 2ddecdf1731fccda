"""Diagonals and triangles."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.linalg.diagonal(z)", "tf.linalg.diag_part(z)", to="tf"),
    Rewrite("torch.linalg.diagonal(z)", "np.diagonal(z, axis1=-2, axis2=-1)", to="numpy"),
    Rewrite("x.diagonal()", "tf.experimental.numpy.diagonal(x)", to="tf"),
    Rewrite("z.diagonal()", "tf.experimental.numpy.diagonal(z)", to="tf"),
    Rewrite("z.diagonal(dim1=-2, dim2=-1)", "tf.linalg.diag_part(z)", to="tf"),
    Rewrite("torch.diagonal(z, 1, -2, -1)", "tf.linalg.diag_part(z, k=1)", to="tf"),
    Rewrite("z.diagonal(dim1=-1, dim2=-2)", "tf.linalg.diag_part(z)", to="tf"),
    Rewrite("torch.diag(v)", "tf.experimental.numpy.diag(v)", to="tf"),
    Rewrite("x.diag()", "tf.experimental.numpy.diag(x)", to="tf"),
    Rewrite("torch.diag(x, 1)", "tf.experimental.numpy.diag(x, 1)", to="tf"),
    Rewrite("torch.diag_embed(x)", "tf.linalg.diag(x)", to="tf"),
    Rewrite("torch.diag_embed(x, 1)", "tf.linalg.diag(x, k=1)", to="tf"),
    Rewrite("s.diagonal_scatter(r[:, 0], dim1=-2, dim2=-1)", "tf.linalg.set_diag(s, r[:, 0])", to="tf"),
    Rewrite("x.tril()", "tf.linalg.band_part(x, -1, 0)", to="tf"),
    Rewrite("torch.tril(x, -1)", "tf.experimental.numpy.tril(x, -1)", to="tf"),
    Rewrite("z.triu()", "tf.linalg.band_part(z, 0, -1)", to="tf"),
    Rewrite("torch.triu(z, diagonal=1)", "tf.experimental.numpy.triu(z, 1)", to="tf"),
    Rewrite("tf.linalg.diag_part(z)", "z.diagonal(dim1=-2, dim2=-1)", to="torch"),
    Rewrite("tf.linalg.diag_part(x, k=1)", "x.diagonal(1, dim1=-2, dim2=-1)", to="torch"),
    Rewrite("tf.linalg.diag(v)", "torch.diag_embed(v)", to="torch"),
    Rewrite("tf.linalg.set_diag(s, r[:, 0])", "s.diagonal_scatter(r[:, 0], dim1=-2, dim2=-1)", to="torch"),
    Rewrite("tf.experimental.numpy.diag(v, 1)", "torch.diag(v, 1)", to="torch"),
    Rewrite("tf.linalg.band_part(x, -1, 0)", "x.tril()", to="torch"),
    Rewrite("tf.linalg.band_part(x, 0, -1)", "x.triu()", to="torch"),
    Rewrite("tf.linalg.band_part(x, 1, 1)", "x.triu(-1).tril(1)", to="torch"),
    Rewrite("tf.linalg.band_part(z, -1, 1)", "z.tril(1)", to="torch"),
    Rewrite("tf.linalg.band_part(x, 1, -1)", "x.triu(-1)", to="torch"),
    Rewrite("z.diagonal()", "np.diagonal(z)", to="numpy"),
    Rewrite("torch.diagonal(z, 1, -2, -1)", "np.diagonal(z, 1, -2, -1)", to="numpy"),
    Rewrite("torch.diag(v)", "np.diag(v)", to="numpy"),
    Rewrite("x.tril(-1)", "np.tril(x, -1)", to="numpy"),
    Rewrite("x.triu()", "np.triu(x)", to="numpy"),
    Rewrite("tf.linalg.diag_part(z)", "np.diagonal(z, axis1=-2, axis2=-1)", to="numpy", of="tf"),
    Rewrite("tf.linalg.diag_part(z, k=1)", "np.diagonal(z, 1, axis1=-2, axis2=-1)", to="numpy", of="tf"),
    Rewrite("tf.linalg.band_part(x, 1, 0)", "np.tril(np.triu(x, -1))", to="numpy", of="tf"),
    Refused("s.diagonal_scatter(r[:, 0])", "torch.diagonal_scatter: a rule for dim1=-2, dim2=-1 alone", to="tf"),
    Refused(
        "tf.linalg.diag_part(x, k=(0, 1))", "tf.linalg.diag_part: several diagonals have no counterpart", to="torch"
    ),
    Refused(
        "tf.linalg.band_part(x, k, 0)", "tf.linalg.band_part: a rule for numbers that are written out alone", to="torch"
    ),
    Refused("tf.linalg.diag(v, num_rows=5)", "tf.linalg.diag: num_rows is not in its rule", to="torch"),
    Rewrite("tf.linalg.tensor_diag(v)", "v.reshape(-1).diag().reshape(*v.shape, *v.shape)", to="torch"),
    Rewrite("tf.linalg.tensor_diag(x)", "x.reshape(-1).diag().reshape(*x.shape, *x.shape)", to="torch"),
    Rewrite("tf.linalg.tensor_diag_part(s)", "_tensor_diagonal(s)", to="torch"),
    Rewrite(
        "tf.compat.v1.diag_part(tf.linalg.tensor_diag(x))",
        "_tensor_diagonal(x.reshape(-1).diag().reshape(*x.shape, *x.shape))",
        to="torch",
    ),
]
