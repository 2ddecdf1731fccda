"""Ops that raise, eat memory, or break the protocol of autograd, and leave the process alive."""

import torch
from good import Sine


class HundredGigabytes(Sine):
    @staticmethod
    def forward(ctx, x):
        return torch.empty(100 << 27, dtype=torch.float64).sum() + x  # here: HundredGigabytes


class TwentyFiveGigabytes(Sine):
    @staticmethod
    def backward(ctx, dy):
        return dy * torch.ones(25 * 10**9 // 8, dtype=torch.float64)[0]  # written to, if it is given


class HundredGigabytesOfBytes(Sine):
    @staticmethod
    def backward(ctx, dy):
        return dy * len(bytearray(100 << 30))  # here: HundredGigabytesOfBytes


class Growing(Sine):
    @staticmethod
    def backward(ctx, dy):
        steps = []
        while len(steps) < 1000:  # more than is allowed, however much is there; nothing is written to it
            steps.append(torch.empty(1 << 28))  # here: Growing
        return dy


class Recursion(Sine):
    @staticmethod
    def forward(ctx, x):
        return Recursion.forward(ctx, x)  # here: Recursion


class RaisesInForward(Sine):
    @staticmethod
    def forward(ctx, x):
        raise LookupError("no such table")  # here: RaisesInForward


class RaisesInBackward(Sine):
    @staticmethod
    def backward(ctx, dy):
        raise LookupError("no such table")  # here: RaisesInBackward


class ReturnsString(Sine):
    @staticmethod
    def forward(ctx, x):
        return "sine"


class ReturnsNone(Sine):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)


def returns_int(x):
    return 3


def returns_nothing(x):
    return ()


class ReturnsAnother(Sine):
    """Two outputs where backward expects the cotangent of one."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x), torch.cos(x)


class GradientIsString(Sine):
    @staticmethod
    def backward(ctx, dy):
        return "cosine"


class GradientIsNone(Sine):
    @staticmethod
    def backward(ctx, dy):
        return None


class TwoGradients(Sine):
    @staticmethod
    def backward(ctx, dy):
        return dy, dy


class NothingForScale(torch.autograd.Function):
    """One gradient, where forward takes two arguments."""

    @staticmethod
    def forward(ctx, x, scale=2.0):
        return x * scale

    @staticmethod
    def backward(ctx, dy):
        return dy * 2.0


class NoBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)


class OldStyle(torch.autograd.Function):
    """Made for `OldStyle()(x)`; PyTorch still takes the class, not its instances."""

    def forward(self, x):
        self.save_for_backward(x)
        return torch.sin(x)

    def backward(self, dy):
        (x,) = self.saved_tensors
        return dy * torch.cos(x)


old_style = OldStyle()


class Weird(Exception):  # noqa: N818 - named for what it does
    def __str__(self):
        raise ValueError("and no message either")


class RaisesWhatCannotBeShown(Sine):
    @staticmethod
    def backward(ctx, dy):
        raise Weird


class NamedLikeOurs(Sine):
    """An exception of the checker's own kind is not the checker's word."""

    @staticmethod
    def backward(ctx, dy):
        from porting.errors import PortingError

        raise PortingError("nothing is wrong")


def now_and_then(x, calls=[]):  # noqa: B006 - counts its calls
    calls.append(x)
    if len(calls) % 3 == 0:
        raise LookupError("not today")
    return torch.sin(x)


def more_and_more(x, calls=[]):  # noqa: B006 - counts its calls
    calls.append(x)
    return tuple(torch.sin(x) for _ in range(1 + len(calls) // 2))  # slowly: a check must end on a busy machine


def longer_and_longer(x, calls=[]):  # noqa: B006 - counts its calls
    calls.append(x)
    return torch.cat([torch.sin(x)] * (1 + len(calls) % 9))  # no longer than that, for the same reason


def tired(x, calls=[]):  # noqa: B006 - counts its calls
    calls.append(x)
    if len(calls) > 7:  # in the midst of a check; two calls find out whether it draws
        raise LookupError("enough")
    return torch.sin(x)
