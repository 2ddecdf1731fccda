"""Measures the peak memory of a network of one op, twenty times in a row: forward and backward."""

import gc
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

import numpy as np

from porting.bench.measure import MODULES
from porting.bench.resident import peak, reset_peak

LAYERS: Final = 20


def stack_peak(backend: str, mode: str, function: Callable[..., Any], statics: Mapping[str, Any], size: int) -> float:
    """Return the peak above the memory in use before, in tensors of `size` float32 numbers, without the input."""

    def network(x: Any) -> Any:
        for _ in range(LAYERS):
            x = function(x, **statics)
        return x

    x = np.random.default_rng(0).standard_normal(size, np.float32)
    call = import_module(MODULES[backend]).ready(mode, network, x)
    gc.collect()
    reset_peak()
    before = peak()
    call()
    return (peak() - before) / x.nbytes
