"""The value as it is; the gradient of an auxiliary loss is put in on the way back.

    y    = x
    dx   = dy
    daux = scale

As if scale * aux, summed over its elements, had been added to the loss, wherever that is computed and whatever it is:
daux does not depend on dy, so it is affine in dy, not linear, and no function of x and aux has this gradient. x and aux
may have any shapes.

Source: the balance loss of mixtures of experts: Shazeer et al., "Outrageously Large Neural Networks", ICLR 2017;
AddAuxiliaryLoss of DeepSeek-MoE and MoEAuxLossAutoScaler of Megatron-LM hand it through in this way.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(
    gradient_of=unstated("adds a loss that the value does not show: daux does not depend on dy"),
    linear=False,
    shapes={"x": (..., "n"), "aux": (...,)},
    statics={"scale": (0.01, -2.0)},
)
def add_auxiliary_loss(x: Any, aux: Any, *, scale: float = 1.0) -> Any:
    """Return x."""
    return x


@add_auxiliary_loss.defvjp
def add_auxiliary_loss_vjp(dy: Any, y: Any, x: Any, aux: Any, *, scale: float = 1.0) -> Any:
    """Dy for x, scale for each element of aux."""
    return dy, np.full_like(aux, scale)
