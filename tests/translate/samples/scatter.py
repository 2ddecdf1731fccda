"""Elements put by number."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite(
        "x.scatter(1, n.argsort(1), y)", "tf.tensor_scatter_nd_update(x, _places(tf.argsort(n, axis=1), 1), y)", to="tf"
    ),
    Rewrite(
        "x.scatter(0, torch.tensor([[0, 2], [1, 0]]), y[:2, :2])",
        "tf.tensor_scatter_nd_update(x, _places(tf.constant([[0, 2], [1, 0]]), 0), y[:2, :2])",
        to="tf",
    ),
    Rewrite(
        "torch.scatter(z, 2, torch.tensor([[[1], [0], [3]]]), 0.5)",
        "tf.tensor_scatter_nd_update(z, _places(tf.constant([[[1], [0], [3]]]), 2), tf.fill(tf.shape("
        "tf.constant([[[1], [0], [3]]])), tf.constant(0.5, z.dtype)))",
        to="tf",
    ),
    Rewrite(
        "x.scatter(1, at[:, None], value=1.0)",
        "tf.tensor_scatter_nd_update(x, _places(at[:, None], 1), tf.fill(tf.shape(at[:, None]), "
        "tf.constant(1.0, x.dtype)))",
        to="tf",
    ),
    Rewrite("x.scatter_add(1, n, y)", "tf.tensor_scatter_nd_add(x, _places(n, 1), y)", to="tf"),
    Rewrite("torch.scatter_add(x, dim=-1, index=n, src=y)", "tf.tensor_scatter_nd_add(x, _places(n, -1), y)", to="tf"),
    Rewrite("x.index_add(0, at, y[:2])", "tf.tensor_scatter_nd_add(x, at[:, None], y[:2])", to="tf"),
    Rewrite(
        "torch.index_add(x, 0, at, y[:2], alpha=0.5)", "tf.tensor_scatter_nd_add(x, at[:, None], 0.5 * y[:2])", to="tf"
    ),
    Rewrite("x.index_copy(0, at, y[:2])", "tf.tensor_scatter_nd_update(x, at[:, None], y[:2])", to="tf"),
    Rewrite(
        "torch.ops.aten.embedding_dense_backward(y[:2], at, 3, -1, False)",
        "tf.math.unsorted_segment_sum(y[:2], at, 3)",
        to="tf",
    ),
    Rewrite(
        "torch.ops.aten.embedding_dense_backward(y[:2], at, 3, 2, False)",
        "tf.math.unsorted_segment_sum(y[:2], tf.where(at == 2, tf.cast(-1, at.dtype), at), 3)",
        to="tf",
    ),
    Rewrite("tf.math.unsorted_segment_sum(y[:2], at, 4)", "_segment_sum(y[:2], at, 4)", to="torch"),
    Rewrite("tf.math.unsorted_segment_sum(y, n, 3)", "_segment_sum(y, n, 3)", to="torch"),
    Rewrite(
        "tf.math.unsorted_segment_sum(y[:2], at - 1, num_segments=2)", "_segment_sum(y[:2], at - 1, 2)", to="torch"
    ),
    Rewrite(
        "tf.tensor_scatter_nd_update(x, [[0], [2]], y[:2])",
        "x.index_put(torch.tensor([[0], [2]]).unbind(-1), y[:2])",
        to="torch",
    ),
    Rewrite(
        "tf.tensor_scatter_nd_update(x, tf.stack([at, at], -1), v[:2])",
        "x.index_put(torch.stack([at, at], -1).unbind(-1), v[:2])",
        to="torch",
    ),
    Rewrite(
        "tf.tensor_scatter_nd_add(x, at[:, None], y[:2])",
        "x.index_put(at[:, None].unbind(-1), y[:2], accumulate=True)",
        to="torch",
    ),
    Rewrite(
        "tf.scatter_nd(at[:, None], y[:2], [4, 4])",
        "y[:2].new_zeros([4, 4]).index_put(at[:, None].unbind(-1), y[:2], accumulate=True)",
        to="torch",
    ),
    Rewrite("x.scatter(1, n, c)", "_put(x, 1, n, c)", to="numpy"),
    Rewrite("x.scatter(0, n[:1], value=1.5)", "_put(x, 0, n[:1], 1.5)", to="numpy"),
    Rewrite("x.index_add(0, at, y[:2], alpha=2)", "_added(x, at, 2 * y[:2])", to="numpy"),
    Rewrite("tf.math.unsorted_segment_sum(y, n - 1, 3)", "_segment_sum(y, n - 1, 3)", to="numpy", of="tf"),
    Rewrite(
        "torch.ops.aten.embedding_dense_backward(y[:2], at, 3, 2, False)",
        "_segment_sum(y[:2], np.where(at == 2, -1, at), 3)",
        to="numpy",
    ),
    Rewrite("x.scatter(0, n[:1], y[:1])", "_put(x, 0, n[:1], y[:1])", to="numpy"),
    Refused("x.scatter(1, n)", ".scatter(): a rule for numbers that are put alone", to="numpy"),
    Refused('x.scatter(1, n, y, reduce="add")', ".scatter(): reduce has no rule", to="tf"),
    Refused("x.scatter(1, n)", ".scatter(): src is not given", to="tf"),
    Refused("x.index_add(1, at, y[:, :2])", ".index_add(): a rule for the first axis alone", to="tf"),
    Refused("x.index_copy(1, at, y[:, :2])", ".index_copy(): a rule for the first axis alone", to="tf"),
    Refused(
        "torch.ops.aten.embedding_dense_backward(y[:2], at, 3, 2, True)",
        "embedding_dense_backward: scale_grad_by_freq has no rule",
        to="tf",
    ),
    Rewrite(
        "tf.convert_to_tensor(tf.IndexedSlices(x[:2], at, dense_shape=[5, 4]))",
        "x[:2].new_zeros([5, 4]).index_add(0, at, x[:2])",
        to="torch",
    ),
    Refused("tf.IndexedSlices(x[:2], at)", "tf.IndexedSlices: how large is the whole?", to="torch"),
    Rewrite(
        "tf.tensor_scatter_nd_sub(x, [[2], [0], [2]], x)",
        "x.index_put(torch.tensor([[2], [0], [2]]).unbind(-1), -x, accumulate=True)",
        to="torch",
    ),
    Rewrite(
        "tf.tensor_scatter_nd_min(x, [[2], [0], [2]], y)",
        '_at_places(x, torch.tensor([[2], [0], [2]]), y, "amin")',
        to="torch",
    ),
    Rewrite(
        "tf.tensor_scatter_nd_max(x, n[:, 1:3], 9 * v[:3])", '_at_places(x, n[:, 1:3], 9 * v[:3], "amax")', to="torch"
    ),
    Rewrite(
        "tf.tensor_scatter_nd_max(z, [[1, 2], [0, 1], [1, 2]], x)",
        '_at_places(z, torch.tensor([[1, 2], [0, 1], [1, 2]]), x, "amax")',
        to="torch",
    ),
    Rewrite("tf.math.unsorted_segment_sum(x, [0, 0, 1], 2)", "_segment_sum(x, torch.tensor([0, 0, 1]), 2)", to="torch"),
]
