"""log(1 + e^x), the softplus, right at both ends.

    y  = log(1 + e^x) = max(x, 0) + log1p(e^-|x|)
    dx = dy sigma(x)

Derivation: e^x / (1 + e^x) = sigma(x). On the left y falls like e^x, down to the smallest numbers, because log1p keeps
what 1 + e^x would round away; on the right y is x, where e^x overflows.

Source: Dugas et al. (2001), "Incorporating Second-Order Functional Knowledge for Better Option Pricing" (softplus);
Maechler, "Accurately Computing log(1 - exp(-|a|))" (2012), which treats log1p(exp(x)) too.
"""

from typing import Any

from porting.oracle.elementary import sigmoid, softplus
from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def log1p_exp(x: Any) -> Any:
    """log(1 + e^x)."""
    refuse_integers("x", x)
    return softplus(x)


@log1p_exp.defvjp
def log1p_exp_vjp(dy: Any, y: Any, x: Any) -> Any:
    """sigma(x)."""
    return dy * sigmoid(x)
