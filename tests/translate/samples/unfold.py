"""Patches of images of PyTorch."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite("F.unfold(z[None], 2)", "_unfold(z[None], (2, 2), (1, 1), (0, 0))", to="tf"),
    Rewrite("F.unfold(z[None], (2, 3), padding=1, stride=(2, 1))", "_unfold(z[None], (2, 3), (2, 1), (1, 1))", to="tf"),
    Refused("F.unfold(z[None], 2, dilation=2)", "dilation has no rule", to="tf"),
]
