"""Derivatives that a function asks for itself; those in blocks that record have `test_tapes.py`."""

from words import Refused

SAMPLES = [
    Refused("torch.autograd.grad(x.sum(), x)", "outside of `with torch.enable_grad():`", to="tf"),
    Refused("torch.autograd.grad(x.sum(), x)", "torch.autograd.grad: no counterpart in NumPy", to="numpy"),
]
