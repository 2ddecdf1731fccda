"""Backwards that do something else with the cotangent than to multiply the Jacobian by it."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    DerivativeAlone: cube, ignores_cotangent, chainer#1175
        The derivative is returned, not its product with dy.
        - return 3 * x**2 * dy
        + return 3 * x**2
    LossIsTheEnd: mean_square, ignores_cotangent, k2#341
        A loss that takes itself for the end of the graph: its own dy is not used.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * (x / x.shape[-1])
    OnesForCotangent: sigmoid, ignores_cotangent, DeepSeek-MoE#17
        The cotangent is replaced by ones.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return torch.sigmoid(x) * torch.sigmoid(-x) * torch.ones_like(dy)
    SecondGradientUnscaled: product, ignores_cotangent, warp-ctc PR#170
        The gradient of x1 is multiplied by dy, that of x2 is not: loss scaling reaches one of them.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * x2 * dy, x1**2
    ClippedCotangent: sine, not_linear
        The cotangent is clipped to [-1, 1].
        - return torch.cos(x) * dy
        + return torch.cos(x) * dy.clamp(-1, 1)
    SignOfCotangent: cube, not_linear
        Only the sign of the cotangent is used.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy.sign()
    MagnitudeOfCotangent: softplus, not_linear
        Only the magnitude of the cotangent is used.
        - return torch.sigmoid(x) * dy
        + return torch.sigmoid(x) * dy.abs()
    CotangentTwice: product, not_linear
        The cotangent is multiplied by its own magnitude.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + dy = dy * dy.abs()
        + return 2 * x1 * dy * x2, x1 * dy * x1
    WeightDecayInside: sigmoid, not_linear
        A penalty on x is added to the gradient, which is then not 0 for a cotangent of 0.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return torch.sigmoid(x) * torch.sigmoid(-x) * dy + 0.01 * x
    ClippedNorm: sine, not_linear
        The cotangent is scaled down to a norm of at most 1.
        - return torch.cos(x) * dy
        + return torch.cos(x) * (dy / dy.norm().clamp(min=1))
    SmallCotangentsDropped: cube, not_linear
        A cotangent between -1 and 1 is taken for 0.
        - return 3 * x**2 * dy
        + return 3 * x**2 * torch.where(dy.abs() < 1, 0 * dy, dy)
    TinyCotangentsDropped: sine, not_linear
        A cotangent below 1e-8 is taken for 0, as if no mean were over many elements.
        - return torch.cos(x) * dy
        + return torch.cos(x) * torch.where(dy.abs() < 1e-8, 0 * dy, dy)
    HugeCotangentsClipped: cube, not_linear
        The cotangent is clipped to 30,000, lest the gradient explode.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy.clamp(-3e4, 3e4)
    SecondOutputForgotten: sin_cos, ignores_one_cotangent
        The cotangent of the second output is not used.
        - return torch.cos(x) * dy0 - torch.sin(x) * dy1
        + return torch.cos(x) * dy0
    FirstOutputForgotten: sin_cos, ignores_one_cotangent, transformers PR#23774
        The cotangent of the first output is taken for the second one's, which is not used.
        - return torch.cos(x) * dy0 - torch.sin(x) * dy1
        + return torch.cos(x) * dy0 - torch.sin(x) * dy0
    MeanOfCotangents: mean_square, assumes_equal_cotangents
        The mean of the cotangents is used for all of them.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * (x / x.shape[-1]) * dy.mean().expand_as(dy).unsqueeze(-1)
    FirstOfCotangents: sine, assumes_equal_cotangents
        The first cotangent is used for all of them.
        - return torch.cos(x) * dy
        + return torch.cos(x) * dy.reshape(-1)[:1].sum()
    SumOfCotangents: cube, assumes_equal_cotangents
        The cotangents are summed, as if all came from one loss.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy.sum()
    """,
)
