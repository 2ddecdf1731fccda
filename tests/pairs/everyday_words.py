"""Functions that say in words what shapes they take, as people write it, or unpack them; they are read, not called."""


def documented(q, k, beta, mask, width, rest):
    """Attend.

    Args:
        q: (B, T, H, D)
        k (Tensor): keys of shape [B, T, H, D], as `q`
        beta: betas `(B, T, H)` if not None
        mask (optional): `(..., T)`
        width (int, optional): of shape (N x 3)
        rest (float): times 2 * (B - 1)
    """
    return q, k, beta, mask, width, rest


class Commented:
    """Takes an `x` and a `w`."""

    @staticmethod
    def forward(
        ctx,
        x,  # [B, C, N]
        w: object = None,  # of shape (K, C)
        y=1,  # times (2 * K)
    ):
        """Return x; y.view(B, C) says nothing."""
        return ctx, x, w, y


def annotated(x: "Float[Tensor, 'b n d']", y: "TensorType['b', 'n']"):  # noqa: F722, F821 - read as text
    """Return both."""
    return x, y


def plain(x, y):
    """Add them (as floats)."""
    return x + y


def misleading(x, w):
    """Multiply.

    x : (B, C, H, W)
    w : (C,)
    """
    return x @ w


def folded(q, w):
    """Fold."""
    _, t, h = q.size()
    return q, w, t, h


class Unpacking:
    """Unpacks the shapes of its arguments, one in a function that it calls."""

    @staticmethod
    def forward(ctx, x, y, z, v, u):
        """Return all."""
        b, n = x.shape
        folded(z, y)
        k, m = y.get_shape().as_list()
        c, d, e = tf.unstack(tf.shape(v))  # noqa: F821 - read as text
        first, second = u.view(b, n)
        return ctx, b, n, k, m, c, d, e, first, second
