"""Wrong formulas: signs, factors, forgotten inner derivatives, transposed, exchanged or summed the wrong way."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    NegativeCosine: sine, wrong_sign, HIPS/autograd PR#412
        -cos(x) is returned for sin(x).
        - return torch.cos(x) * dy
        + return -torch.cos(x) * dy
    SecondGradientNegative: product, wrong_sign
        The gradient of x2 has the wrong sign, as if the op were x1^2 / x2.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * x2 * dy, -(x1**2) * dy
    CosineGrows: sin_cos, wrong_sign
        The derivative of cos(x) is taken for sin(x).
        - return torch.cos(x) * dy0 - torch.sin(x) * dy1
        + return torch.cos(x) * dy0 + torch.sin(x) * dy1
    NoThree: cube, constant_factor
        The exponent is not brought down: x^2 instead of 3 x^2.
        - return 3 * x**2 * dy
        + return x**2 * dy
    SumNotMean: mean_square, constant_factor, pytorch PR#132601
        The gradient of the sum of squares: n times too large for the mean.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * x * dy.unsqueeze(-1)
    AveragedTwice: softmax, constant_factor
        The gradient is divided by the number of classes, which the loss does already.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (dy - (dy * y).sum(-1, keepdim=True)) / dy.shape[-1]
    SlightlyTooSteep: square, constant_factor
        The gradient is 0.1 % too large: a constant typed from memory.
        - return 2 * x.conj() * dy
        + return 2.002 * x.conj() * dy
    factor_not_the_exponent: power, constant_factor
        The factor in front is 3 whatever the exponent.
        - return ctx.exponent * x ** (ctx.exponent - 1) * dy, None
        + return 3 * x ** (ctx.exponent - 1) * dy, None
    LogarithmOnly: softplus, missing_inner_derivative
        1 / (1 + exp(x)), the derivative of the logarithm: the derivative of exp(x) inside is forgotten.
        - return torch.sigmoid(x) * dy
        + return torch.sigmoid(-x) * dy
    SquareNotDifferentiated: product, missing_inner_derivative
        The gradient of x1 stops at the square: x2 dy, without 2 x1.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return x2 * dy, x1**2 * dy
    ExponentialOnly: sigmoid, missing_inner_derivative
        y, as if the op were exp(x): the derivative 1 - y of what stands in the exponent is forgotten.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return torch.sigmoid(x) * dy
    TransposedResult: self_product, transposed
        The whole gradient is transposed.
        - return dy @ x.mT + x.mT @ dy
        + return (dy @ x.mT + x.mT @ dy).mT
    FactorsNotTransposed: self_product, transposed
        The factors are not transposed: dy x + x dy.
        - return dy @ x.mT + x.mT @ dy
        + return dy @ x + x @ dy
    TransposedWeights: matmul, transposed
        The gradient of w is dy^T x, its own transpose.
        - return dy @ w.mT, x.mT @ dy
        + return dy @ w.mT, dy.mT @ x
    ExchangedFactors: product, swapped_gradients
        The two gradients are returned in the wrong order.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + dx1, dx2 = 2 * x1 * dy * x2, x1 * dy * x1
        + return dx2, dx1
    ToTheSmallerOne: maximum, swapped_gradients
        The smaller input gets the gradient of the larger one.
        - return dy * first, dy * (1 - first)
        + return dy * (1 - first), dy * first
    SumOverRows: softmax, wrong_axis
        The inner product is summed over the first axis, not over the last.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (dy - (dy * y).sum(0, keepdim=True))
    SumOverEverything: softmax, mixes_batch
        The inner product is summed over all axes, not over the last.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (dy - (dy * y).sum())
    """,
)
