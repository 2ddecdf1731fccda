"""Truth values joined, and bits."""

from words import Rewrite

_OPERATORS = (("&", "and"), ("|", "or"), ("^", "xor"))
SAMPLES = [
    *(Rewrite(f"torch.logical_{name}(mask, x > 0)", f"mask {o} (x > 0)", to="tf") for o, name in _OPERATORS),
    *(Rewrite(f"tf.math.logical_{name}(mask, x > 0)", f"mask {o} (x > 0)", to="torch") for o, name in _OPERATORS),
    *(Rewrite(f"torch.bitwise_{name}(n, n + 1)", f"n {o} n + 1", to="tf") for o, name in _OPERATORS),
    *(Rewrite(f"tf.bitwise.bitwise_{name}(n, n + 1)", f"n {o} n + 1", to="torch") for o, name in _OPERATORS),
    *(Rewrite(f"mask.logical_{name}(x > 0)", f"mask {o} (x > 0)", to="numpy") for o, name in _OPERATORS),
    *(Rewrite(f"n.bitwise_{name}(n + 1)", f"n {o} n + 1", to="numpy") for o, name in _OPERATORS),
    Rewrite("tf.logical_and(x > 0, x < 1)", "(x > 0) & (x < 1)", to="torch"),
    Rewrite("tf.logical_or(mask, True)", "mask | True", to="torch"),
    # PyTorch takes any numbers
    Rewrite("torch.logical_and(n, x)", "(n != 0) & (x != 0)", to="tf"),
    Rewrite("torch.logical_or(mask, n)", "mask | (n != 0)", to="tf"),
    Rewrite("torch.logical_xor(n, mask)", "(n != 0) ^ mask", to="numpy"),
    Rewrite("torch.logical_and(mask, x > 0) * y", "tf.cast(mask & (x > 0), y.dtype) * y", to="tf"),
    Rewrite("torch.logical_not(mask)", "~mask", to="tf"),
    Rewrite("n.logical_not()", "n == 0", to="tf"),
    Rewrite("torch.logical_not(mask)", "~mask", to="numpy"),
    Rewrite("tf.logical_not(x > 0)", "~(x > 0)", to="torch"),
    Rewrite("torch.bitwise_not(n)", "~n", to="tf"),
    Rewrite("torch.bitwise_not(mask)", "~mask", to="numpy"),
    Rewrite("tf.bitwise.invert(n)", "~n", to="torch"),
    Rewrite("torch.logical_and(mask, mask, out=mask)", "mask & mask", to="tf"),
    Rewrite("torch.bitwise_left_shift(n, 2)", "tf.bitwise.left_shift(n, 2)", to="tf"),
    Rewrite("torch.bitwise_right_shift(n, 1)", "tf.bitwise.right_shift(n, 1)", to="tf"),
    Rewrite("tf.bitwise.left_shift(n, 2)", "torch.bitwise_left_shift(n, 2)", to="torch"),
    Rewrite("tf.bitwise.right_shift(n, 1)", "torch.bitwise_right_shift(n, 1)", to="torch"),
    Rewrite("torch.bitwise_left_shift(n, 2)", "np.left_shift(n, 2)", to="numpy"),
    Rewrite("torch.bitwise_right_shift(n, 1)", "np.right_shift(n, 1)", to="numpy"),
]
