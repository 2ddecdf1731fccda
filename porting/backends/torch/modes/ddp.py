"""``DistributedDataParallel`` over gloo: two processes, each with half of a batch of two samples."""

from torch import distributed

from porting.backends.torch.by_name import by_name
from porting.backends.torch.in_mode import Answer, Asked
from porting.backends.torch.ranks import answered
from porting.backends.torch.worse import worse
from porting.runners.modes import NotPossibleError


def answer(asked: Asked) -> Answer:
    """Return outputs and averaged gradients of the rank whose are further from the op's own."""
    if not (distributed.is_available() and distributed.is_gloo_available()):
        raise NotPossibleError("this build of PyTorch has no torch.distributed with gloo")
    if asked.case.device != "cpu":
        raise NotPossibleError("the two processes compute on the CPU, which is what gloo is for")
    outputs = asked(*asked.x)
    dx = asked.pulled(outputs)
    places = tuple(k for k, g in enumerate(dx) if g is not None)
    if not places:
        raise NotPossibleError("no input has a gradient, and DistributedDataParallel wants a parameter that has one")
    first, second = answered(asked, by_name(asked), places)
    values = tuple(worse(*each) for each in zip(outputs, first[0], second[0], strict=True))
    return values, tuple(worse(*each) for each in zip(dx, first[1], second[1], strict=True))
