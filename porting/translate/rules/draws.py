"""Random numbers that are refused: a check gives both frameworks uniform and normal ones alone, and masks of them."""

from typing import Any, Final

from porting.translate.abstract_value import TENSOR
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

_WHY: Final = "draws random numbers, and the other framework draws others; take them as an argument instead"
# Whatever stands in a call: it is refused with the reason, not for an argument.
_GIVEN: Final = (
    "*sizes, mean=None, std=None, low=None, high=None, dtype=None, generator=None, device=None, layout=None, "
    "requires_grad=False, p=None, shape=None, seed=None, minval=None, maxval=None, stddev=None, rate=None, size=None"
)
_TORCH: Final = (
    "torch.randint", "torch.randperm", "torch.randint_like", "torch.multinomial", "torch.poisson",
    "torch.nn.functional.dropout", "torch.nn.functional.rrelu",
    "Tensor.exponential", "Tensor.geometric", "Tensor.cauchy", "Tensor.log_normal", "Tensor.random",
    *(f"torch.distributions.{name}" for name in ("Normal", "Bernoulli", "Uniform", "Gumbel")),
)  # fmt: skip
_TF: Final = (
    "tf.nn.dropout",
    *(f"tf.random.{name}" for name in ("truncated_normal", "gamma", "poisson")),
    "tf.random.shuffle",
    "tf.random.categorical",
    *(f"tf.random.stateless_{name}" for name in ("uniform", "normal", "truncated_normal", "gamma")),
)
_HOST: Final = (
    "random.random", "random.uniform", "np.random.rand", "np.random.randn", "np.random.uniform", "np.random.normal",
)  # fmt: skip


def _rule(path: str, *, torch: bool = False, tf: bool = False) -> Rule:
    first = (
        "" if not torch or tf else "x, " if path.startswith("Tensor.") else "x=None, "
    )  # of a method: x.normal_(0, 1)
    spelled = f"{path}({first}{_GIVEN})"
    rule = Rule(torch=spelled if torch else (), tf=spelled if tf else (), kind=TENSOR)

    @rule.writes("torch", "tf")
    def _(w: Writer, **_: Any) -> Expression:
        raise w.refuse(f"{path}: {_WHY}")

    return rule


RULES = [
    *(_rule(path, torch=True) for path in _TORCH),
    *(_rule(path, tf=True) for path in _TF),
    *(_rule(path, torch=True, tf=True) for path in _HOST),
]
