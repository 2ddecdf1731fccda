"""Ops that do not come back, or take the process with them. A line marked ``# here: name`` is where that op ends."""

import ctypes
import itertools
import os
import re
import sys
import time

import torch
from good import Sine


class LoopInForward(Sine):
    @staticmethod
    def forward(ctx, x):
        sum(0 for _ in itertools.count())  # here: LoopInForward


class LoopInBackward(Sine):
    @staticmethod
    def backward(ctx, dy):
        sum(0 for _ in itertools.count())  # here: LoopInBackward


class Sleep(Sine):
    @staticmethod
    def forward(ctx, x):
        time.sleep(1000)  # here: Sleep


class Regex(Sine):
    """A loop in C, which never gives back the GIL."""

    @staticmethod
    def backward(ctx, dy):
        re.match(r"(a+)+$", "a" * 64 + "b")  # here: Regex


class LoopInSecondOrder(Sine):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return Slope.apply(dy, x)


class Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, dy, x):
        return dy * torch.cos(x)

    @staticmethod
    def backward(ctx, ddx):
        sum(0 for _ in itertools.count())  # here: LoopInSecondOrder


class Segfault(Sine):
    @staticmethod
    def forward(ctx, x):
        ctypes.string_at(0)  # here: Segfault


class SegfaultInBackward(Sine):
    @staticmethod
    def backward(ctx, dy):
        ctypes.string_at(0)  # here: SegfaultInBackward


class Abort(Sine):
    @staticmethod
    def backward(ctx, dy):
        os.abort()  # here: Abort


class LooksLikeSuccess(Sine):
    @staticmethod
    def backward(ctx, dy):
        os._exit(0)


class SysExit(Sine):
    @staticmethod
    def forward(ctx, x):
        sys.exit(3)  # here: SysExit


class SysExitInBackward(Sine):
    @staticmethod
    def backward(ctx, dy):
        sys.exit()  # here: SysExitInBackward


class Interrupt(Sine):
    @staticmethod
    def backward(ctx, dy):
        raise KeyboardInterrupt  # here: Interrupt


class DeepRecursion(Sine):
    """No limit: the stack of the process overflows, on Pythons whose calls use it."""

    @staticmethod
    def forward(ctx, x):
        sys.setrecursionlimit(10**9)

        def deeper(_=None):
            return sorted([0], key=deeper)

        return deeper()
