"""``make_fx``: the graph of the forward's operations is called, the backward outside."""

from torch.fx.experimental.proxy_tensor import make_fx

from porting.backends.torch.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return value and gradient of the traced graph."""
    graph = make_fx(asked.__call__)(*asked.x)
    outputs = graph(*asked.x)
    return outputs, asked.pulled(outputs)
