"""The functions of einops."""

from words import Rewrite

_CALLS = (
    'einops.rearrange(z, "(a b) c d -> b (c a) d", a=k)',
    'einops.repeat(v, "n -> r n", r=3)',
    'einops.reduce(z, "n c d -> c", "mean")',
)
SAMPLES = [
    *(Rewrite(call, call, to="tf") for call in _CALLS),
    *(Rewrite(call, call, to="torch") for call in _CALLS),
    *(Rewrite(call, call, to="numpy", of=of) for call in _CALLS for of in ("torch", "tf")),
]
