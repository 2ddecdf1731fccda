"""Softmax and losses."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("x.softmax(-1)", "tf.nn.softmax(x)", to="tf"),
    Rewrite("F.softmax(x, dim=0)", "tf.nn.softmax(x, 0)", to="tf"),
    Rewrite("torch.softmax(x, 1, torch.float64)", "tf.nn.softmax(tf.cast(x, tf.float64), 1)", to="tf"),
    Rewrite("F.log_softmax(x, -1)", "tf.nn.log_softmax(x)", to="tf"),
    Rewrite("torch.log_softmax(x, dim=0)", "tf.nn.log_softmax(x, 0)", to="tf"),
    Rewrite(
        "F.binary_cross_entropy_with_logits(x, p)",
        "tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x))",
        to="tf",
    ),
    Rewrite(
        'F.binary_cross_entropy_with_logits(x, p, reduction="none")',
        "tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x)",
        to="tf",
    ),
    Rewrite("F.mse_loss(x, y)", "tf.reduce_mean(tf.square(x - y))", to="tf"),
    Rewrite('F.mse_loss(x, y, reduction="sum")', "tf.reduce_sum(tf.square(x - y))", to="tf"),
    Rewrite('F.l1_loss(x, y, reduction="none")', "tf.abs(x - y)", to="tf"),
    Rewrite("tf.nn.softmax(x)", "x.softmax(-1)", to="torch"),
    Rewrite("tf.nn.softmax(x, axis=0)", "x.softmax(0)", to="torch"),
    Rewrite("tf.nn.log_softmax(x)", "x.log_softmax(-1)", to="torch"),
    Rewrite("tf.math.log_softmax(x, 0)", "x.log_softmax(0)", to="torch"),
    Rewrite("tf.nn.softmax_cross_entropy_with_logits(p, x)", "-(p * x.log_softmax(-1)).sum(-1)", to="torch"),
    Rewrite(
        "tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=x, axis=0)",
        "-(p * x.log_softmax(0)).sum(0)",
        to="torch",
    ),
    Rewrite(
        "tf.nn.sparse_softmax_cross_entropy_with_logits(n[:, 0], x)",
        "-x.log_softmax(-1).gather(-1, n[:, 0].long().unsqueeze(-1)).squeeze(-1)",
        to="torch",
    ),
    Rewrite(
        "tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x)",
        'torch.nn.functional.binary_cross_entropy_with_logits(x, p, reduction="none")',
        to="torch",
    ),
    Rewrite("x.softmax(-1)", "np.exp(x - np.logaddexp.reduce(x, -1, keepdims=True))", to="numpy"),
    Rewrite("F.log_softmax(x, 0)", "x - np.logaddexp.reduce(x, 0, keepdims=True)", to="numpy"),
    Rewrite("tf.nn.softmax(x)", "np.exp(x - np.logaddexp.reduce(x, -1, keepdims=True))", to="numpy", of="tf"),
    Rewrite("F.mse_loss(x, y)", "np.mean(np.square(x - y))", to="numpy"),
    Rewrite('F.l1_loss(x, y, reduction="sum")', "np.sum(np.abs(x - y))", to="numpy"),
    Refused("F.softmax(x)", "torch.nn.functional.softmax: dim is not given", to="tf"),
    Refused("F.mse_loss(x, y, reduction=k)", "torch.nn.functional.mse_loss: reduction is not known here", to="tf"),
    Refused(
        "F.binary_cross_entropy_with_logits(x, p, pos_weight=v)",
        "torch.nn.functional.binary_cross_entropy_with_logits: pos_weight is not in its rule",
        to="tf",
    ),
    Refused(
        "tf.nn.sigmoid_cross_entropy_with_logits(labels=p)",
        "tf.nn.sigmoid_cross_entropy_with_logits: labels and logits are wanted",
        to="torch",
    ),
    Rewrite("torch.softmax(x, 0)", "tf.exp(tf.nn.log_softmax(x, 0))", to="tf", general=True),
]
