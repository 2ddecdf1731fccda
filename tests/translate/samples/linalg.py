"""Decompositions and determinants."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.linalg.eigh(s)[0]", "tf.linalg.eigh(s)[0]", to="tf"),
    Rewrite("torch.linalg.eigvalsh(s)", "tf.linalg.eigvalsh(s)", to="tf"),
    Rewrite("torch.linalg.cholesky(s)", "tf.linalg.cholesky(s)", to="tf"),
    Rewrite("torch.linalg.svd(x)[1]", "_svd(x)[1]", to="tf"),
    Rewrite("torch.linalg.svd(x, full_matrices=False)[1]", "_svd(x, False)[1]", to="tf"),
    Rewrite("torch.svd(x)[1]", "_thin_svd(x)[1]", to="tf"),
    Rewrite("torch.linalg.svdvals(x)", "tf.linalg.svd(x, compute_uv=False)", to="tf"),
    Rewrite("torch.linalg.det(s)", "tf.linalg.det(s)", to="tf"),
    Rewrite("torch.det(s)", "tf.linalg.det(s)", to="tf"),
    Rewrite("torch.linalg.slogdet(s)", "tf.linalg.slogdet(s)", to="tf"),
    Rewrite("torch.slogdet(-s)", "tf.linalg.slogdet(-s)", to="tf"),
    Rewrite("torch.logdet(s)", "_logdet(s)", to="tf"),
    Rewrite("torch.logdet(-s)", "_logdet(-s)", to="tf"),
    Rewrite("torch.trace(s)", "tf.linalg.trace(s)", to="tf"),
    Rewrite("torch.linalg.matrix_exp(s)", "tf.linalg.expm(s)", to="tf"),
    Rewrite("tf.linalg.eigh(s)[0]", "torch.linalg.eigh(s)[0]", to="torch"),
    Rewrite("tf.linalg.eigvalsh(s)", "torch.linalg.eigvalsh(s)", to="torch"),
    Rewrite("tf.linalg.cholesky(s)", "torch.linalg.cholesky(s)", to="torch"),
    Rewrite("tf.linalg.svd(x)[0]", "_svd(x)[0]", to="torch"),
    Rewrite("tf.linalg.svd(x, full_matrices=True)[0]", "_svd(x, True)[0]", to="torch"),
    Rewrite("tf.linalg.svd(x, compute_uv=False)", "torch.linalg.svdvals(x)", to="torch"),
    Rewrite("tf.linalg.det(s)", "torch.linalg.det(s)", to="torch"),
    Rewrite("tf.linalg.slogdet(s)", "torch.linalg.slogdet(s)", to="torch"),
    Rewrite("tf.linalg.logdet(s)", "torch.logdet(s)", to="torch"),
    Rewrite("tf.linalg.trace(z[:, :, :3])", "z[:, :, :3].diagonal(dim1=-2, dim2=-1).sum(-1)", to="torch"),
    Rewrite("tf.linalg.expm(s)", "torch.linalg.matrix_exp(s)", to="torch"),
    Rewrite("torch.linalg.eigh(s)[0]", "np.linalg.eigh(s)[0]", to="numpy"),
    Rewrite("torch.linalg.cholesky(s)", "np.linalg.cholesky(s)", to="numpy"),
    Rewrite("torch.linalg.eigvalsh(s)", "np.linalg.eigvalsh(s)", to="numpy"),
    Rewrite("torch.linalg.qr(s)[0] @ torch.linalg.qr(s)[1]", "np.linalg.qr(s)[0] @ np.linalg.qr(s)[1]", to="numpy"),
    Rewrite("torch.linalg.qr(s)[0] @ torch.linalg.qr(s)[1]", "tf.linalg.qr(s)[0] @ tf.linalg.qr(s)[1]", to="tf"),
    Rewrite(
        "tf.matmul(tf.linalg.qr(s)[0], tf.linalg.qr(s)[1])", "torch.linalg.qr(s)[0] @ torch.linalg.qr(s)[1]", to="torch"
    ),
    Rewrite("torch.linalg.svd(x)[1]", "np.linalg.svd(x)[1]", to="numpy"),
    Rewrite("torch.linalg.svd(x, full_matrices=False)[1]", "np.linalg.svd(x, False)[1]", to="numpy"),
    Rewrite("torch.linalg.svdvals(x)", "np.linalg.svd(x, compute_uv=False)", to="numpy"),
    Rewrite("torch.linalg.det(s)", "np.linalg.det(s)", to="numpy"),
    Rewrite("torch.linalg.slogdet(s)[1]", "np.linalg.slogdet(s)[1]", to="numpy"),
    Rewrite("torch.logdet(s)", "np.log(np.linalg.det(s))", to="numpy"),
    Rewrite("torch.trace(s)", "np.trace(s)", to="numpy"),
    Rewrite("tf.linalg.trace(z[:, :, :3])", "np.trace(z[:, :, :3], axis1=-2, axis2=-1)", to="numpy", of="tf"),
    Refused("torch.symeig(s)", "torch.symeig: without eigenvectors; torch.linalg.eigvalsh has a rule", to="tf"),
    Refused("torch.svd(x, some=False)", "torch.svd: some=False has no rule", to="tf"),
    Refused(
        "tf.linalg.svd(x, compute_uv=k)", "tf.linalg.svd: compute_uv is not known here to be True or False", to="torch"
    ),
    Refused("torch.linalg.cholesky(s, upper=True)", "torch.linalg.cholesky: upper is not in its rule", to="tf"),
]
