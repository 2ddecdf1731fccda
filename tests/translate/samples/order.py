"""Sorting."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("torch.sort(x)", "(tf.sort(x), tf.argsort(x, stable=True))", to="tf"),
    Rewrite("x.sort(0)", "(tf.sort(x, axis=0), tf.argsort(x, axis=0, stable=True))", to="tf"),
    Rewrite(
        "x.sort(dim=-1, descending=True)",
        '(tf.sort(x, direction="DESCENDING"), tf.argsort(x, direction="DESCENDING", stable=True))',
        to="tf",
    ),
    Rewrite("x.sort(stable=True)[0]", "tf.sort(x)", to="tf"),
    Rewrite("x.argsort()", "tf.argsort(x)", to="tf"),
    Rewrite("torch.argsort(x, dim=0, descending=True)", 'tf.argsort(x, axis=0, direction="DESCENDING")', to="tf"),
    Rewrite("n.argsort(dim=1, stable=True)", "tf.argsort(n, axis=1, stable=True)", to="tf"),
    Rewrite("x.topk(2)", "tf.math.top_k(x, 2)", to="tf"),
    Rewrite("torch.topk(x, k, dim=-1)", "tf.math.top_k(x, k)", to="tf"),
    Rewrite("x.topk(2, 0)", "_topk(x, 2, 0)", to="tf"),
    Rewrite("x.topk(2, largest=False)", "_topk(x, 2, -1, largest=False)", to="tf"),
    Rewrite("x.topk(1, dim=1, sorted=True)[0]", "_topk(x, 1, 1)[0]", to="tf"),
    Rewrite("x.kthvalue(2)", "(tf.sort(x)[..., 1], tf.argsort(x, stable=True)[..., 1])", to="tf"),
    Rewrite(
        "torch.kthvalue(x, k, dim=0)",
        "(tf.gather(tf.sort(x, axis=0), k - 1, axis=0), tf.gather(tf.argsort(x, axis=0, stable=True), k - 1, axis=0))",
        to="tf",
    ),
    Rewrite(
        "x.kthvalue(1, dim=1, keepdim=True)",
        "(tf.expand_dims(tf.gather(tf.sort(x, axis=1), 0, axis=1), 1), tf.expand_dims(tf.gather(tf.argsort(x, "
        "axis=1, stable=True), 0, axis=1), 1))",
        to="tf",
    ),
    Rewrite("x.median()", "tf.sort(tf.reshape(x, [-1]))[(x.shape.num_elements() - 1) // 2]", to="tf"),
    Rewrite(
        "x.median(-1)",
        "(tf.sort(x)[..., (x.shape[-1] - 1) // 2], tf.argsort(x, stable=True)[..., (x.shape[-1] - 1) // 2])",
        to="tf",
    ),
    Rewrite(
        "torch.median(x, dim=0, keepdim=True)",
        "(tf.expand_dims(tf.gather(tf.sort(x, axis=0), (x.shape[0] - 1) // 2, axis=0), 0), "
        "tf.expand_dims(tf.gather(tf.argsort(x, axis=0, stable=True), (x.shape[0] - 1) // 2, axis=0), 0))",
        to="tf",
    ),
    Rewrite("tf.sort(x)", "x.sort().values", to="torch"),
    Rewrite("tf.sort(x, axis=0)", "x.sort(dim=0).values", to="torch"),
    Rewrite('tf.sort(x, direction="DESCENDING")', "x.sort(descending=True).values", to="torch"),
    Rewrite("tf.sort([3, 1, 2])", "torch.tensor([3, 1, 2]).sort().values", to="torch"),
    Rewrite("tf.argsort(x)", "x.argsort()", to="torch"),
    Rewrite('tf.argsort(x, 0, direction="DESCENDING")', "x.argsort(dim=0, descending=True)", to="torch"),
    Rewrite("tf.argsort(n, stable=True)", "n.argsort(stable=True)", to="torch"),
    Rewrite("tf.math.top_k(x)", "x.topk(1)", to="torch"),
    Rewrite("tf.math.top_k(x, 2)", "x.topk(2)", to="torch"),
    Rewrite("tf.nn.top_k(x, k=k, sorted=True)", "x.topk(k)", to="torch"),
    Rewrite("x.sort(0)", '(np.sort(x, 0), np.argsort(x, 0, kind="stable"))', to="numpy"),
    Rewrite("x.argsort(1)", "np.argsort(x, 1)", to="numpy"),
    Rewrite("tf.sort(x)", "np.sort(x)", to="numpy", of="tf"),
    Rewrite("tf.argsort(x, axis=0)", "np.argsort(x, 0)", to="numpy", of="tf"),
    Refused("x.sort(descending=k)", "torch.sort: k is not known here to be True or False", to="tf"),
    Rewrite("x.argsort(descending=True)", "_falling(x)", to="numpy"),
    Rewrite("n.argsort(dim=0, descending=True, stable=True)", "_falling(n, 0)", to="numpy"),
    Rewrite("x.sort(descending=True)", "(np.flip(np.sort(x), -1), _falling(x))", to="numpy"),
    Rewrite("e.sort(0, descending=True)[0]", "np.flip(np.sort(e, 0), 0)", to="numpy"),
    Rewrite('tf.sort(x, 0, direction="DESCENDING")', "np.flip(np.sort(x, 0), 0)", to="numpy", of="tf"),
    Rewrite('tf.argsort(n, direction="DESCENDING", stable=True)', "_falling(n)", to="numpy", of="tf"),
    Rewrite("tf.argsort(n, stable=True)", 'np.argsort(n, kind="stable")', to="numpy", of="tf"),
    Rewrite("x.topk(2)", "_topk(x, 2)", to="numpy"),
    Rewrite("x.topk(2, 0, largest=False)", "_topk(x, 2, 0, largest=False)", to="numpy"),
    Rewrite("tf.math.top_k(x, 2)", "_topk(x, 2)", to="numpy", of="tf"),
    Rewrite("tf.math.top_k(x)", "_topk(x, 1)", to="numpy", of="tf"),
    Refused("tf.sort(x, direction=k)", "tf.sort: direction is not known here", to="torch"),
    Refused("x.unique()", ".unique(): no rule", to="tf"),
    Rewrite("tf.searchsorted(tf.sort(v), v)", "torch.searchsorted(v.sort().values, v)", to="torch"),
    Rewrite(
        'tf.searchsorted(tf.sort(x), y, side="right")', "torch.searchsorted(x.sort().values, y, right=True)", to="torch"
    ),
    Refused("tf.searchsorted(v, v, side=k)", "side is not known here", to="torch"),
]
