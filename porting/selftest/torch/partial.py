"""Right in most calls: wrong at some numbers, in some rows, or for some lengths."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    PaddingAtZero: sine, wrong_branch
        Where x is 0 it is taken for padding, and gets no gradient.
        - return torch.cos(x) * dy
        + return torch.where(x == 0, 0 * dy, torch.cos(x) * dy)
    TwiceFarOut: sigmoid, wrong_branch
        From 6 on an approximation takes over, and is twice the true gradient.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return torch.where(x > 6, 2 * torch.exp(-x.clamp(min=6)) * dy, torch.sigmoid(x) * torch.sigmoid(-x) * dy)
    ConstantBesideZero: softplus, wrong_branch
        Where |x| is below 0.01 the gradient is 1/2: the series has one term too few.
        - return torch.sigmoid(x) * dy
        + return torch.where(x.abs() < 0.01, 0.5 * dy, torch.sigmoid(x) * dy)
    NegativeRowsMissing: mean_square, wrong_branch
        A row without a positive number has no gradient: its maximum is looked for from 0 up.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + dx = 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return torch.where((x <= 0).all(-1, keepdim=True), 0 * dx, dx)
    TailOfRowMissing: cube, few_elements
        Each row is computed in blocks of 4; what is left over stays 0: 3 of 7 elements, none of 4.
        - return 3 * x**2 * dy
        + dx = 3 * x**2 * dy
        + if not dx.dim():
        +     return dx
        + n = dx.shape[-1]
        + whole = max(n // 4, 1) * 4
        + return dx * (torch.arange(n, device=dx.device) < whole)
    PaddingRow: take_rows, few_elements
        The last row gets no gradient, as if it were that of the padding.
        - return dy.new_zeros(x.shape).index_add(0, i, dy), None
        + dx = dy.new_zeros(x.shape).index_add(0, i, dy)
        + return torch.cat([dx[:-1], 0 * dx[-1:]]), None
    EpsilonBesideTheRoot: sqrt_or_zero, forward_gradient_disagree
        0.001 is added to the root in the gradient, and not in the forward.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + return torch.where(x > 0, dy / (2 * (torch.where(x > 0, x, 1).sqrt() + 1e-3)), 0 * dy)
    ScaledUpInside: sine, overflow
        The cotangent is multiplied by 2^16 and divided at the end: too much for float16.
        - return torch.cos(x) * dy
        + return torch.cos(x) * (dy * 256 * 256) / 256 / 256
    """,
)
