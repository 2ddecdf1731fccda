"""Elements by number."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.index_select(0, at)", "tf.gather(x, at)", to="tf"),
    Rewrite("torch.index_select(x, dim=1, index=at)", "tf.gather(x, at, axis=1)", to="tf"),
    Rewrite("torch.gather(x, 1, n)", "tf.experimental.numpy.take_along_axis(x, n, 1)", to="tf"),
    Rewrite("x.gather(dim=-1, index=n)", "tf.experimental.numpy.take_along_axis(x, n, -1)", to="tf"),
    Rewrite("torch.take_along_dim(x, n, 1)", "tf.experimental.numpy.take_along_axis(x, n, 1)", to="tf"),
    Rewrite("torch.take(x, at)", "tf.gather(tf.reshape(x, [-1]), at)", to="tf"),
    Rewrite("torch.masked_select(x, mask)", "tf.boolean_mask(x, mask)", to="tf"),
    Rewrite("F.embedding(at, x)", "tf.gather(x, at)", to="tf"),
    Rewrite("tf.gather(x, at)", "x[at]", to="torch"),
    Rewrite("tf.gather(x, at, axis=1)", "x[:, at]", to="torch"),
    Rewrite("tf.gather(x, [0, 2])", "x[[0, 2]]", to="torch"),
    Rewrite("tf.gather(z, [1, 0], axis=-2)", "z[..., [1, 0], :]", to="torch"),
    Rewrite("tf.gather(x, at, axis=-1)", "x[..., at]", to="torch"),
    Rewrite("tf.gather(x, 1)", "x[1]", to="torch"),
    Rewrite("tf.gather(z, at, axis=k)", "z.index_select(k, at)", to="torch"),
    Rewrite("tf.experimental.numpy.take_along_axis(x, n, 1)", "x.take_along_dim(n.long(), 1)", to="torch"),
    Rewrite("tf.gather_nd(x, [[0, 1], [2, 3]])", "x[torch.tensor([[0, 1], [2, 3]]).unbind(-1)]", to="torch"),
    Rewrite("tf.gather_nd(x, tf.stack([at, at], -1))", "x[torch.stack([at, at], -1).unbind(-1)]", to="torch"),
    Rewrite("tf.boolean_mask(x, mask)", "x[mask]", to="torch"),
    Rewrite("tf.boolean_mask(x, mask[:, 0])", "x[mask[:, 0]]", to="torch"),
    Rewrite("tf.nn.embedding_lookup(x, at)", "torch.nn.functional.embedding(at, x)", to="torch"),
    Rewrite("x.index_select(1, at)", "np.take(x, at, 1)", to="numpy"),
    Rewrite("torch.gather(x, 1, n)", "np.take_along_axis(x, n, 1)", to="numpy"),
    Rewrite("torch.take(x, at)", "np.take(x, at)", to="numpy"),
    Rewrite("torch.masked_select(x, mask)", "x[mask]", to="numpy"),
    Rewrite("F.embedding(at, x)", "x[at]", to="numpy"),
    Rewrite("tf.gather(x, at, axis=1)", "x[:, at]", to="numpy", of="tf"),
    Rewrite("tf.gather(z, at, axis=k)", "np.take(z, at, k)", to="numpy", of="tf"),
    Rewrite("tf.boolean_mask(x, mask)", "x[mask]", to="numpy", of="tf"),
    Rewrite("tf.experimental.numpy.take_along_axis(x, n, 1)", "np.take_along_axis(x, n, 1)", to="numpy", of="tf"),
    Refused("tf.gather(x, n, batch_dims=1)", "tf.gather: batch_dims has no rule", to="torch"),
    Refused("tf.gather_nd(x, n, batch_dims=1)", "tf.gather_nd: batch_dims has no rule", to="torch"),
    Refused("tf.boolean_mask(x, mask, axis=1)", "tf.boolean_mask: axis has no rule", to="torch"),
    Refused(
        "F.embedding(at, x, padding_idx=0)", "torch.nn.functional.embedding: padding_idx is not in its rule", to="tf"
    ),
]
