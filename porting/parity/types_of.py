"""The types of outputs and gradients, which are facts of their own."""

from collections.abc import Sequence

import numpy as np

from porting.dtypes import complex_of, is_float
from porting.parity.probe import Array, Probe, output_name
from porting.runners import Case


def types_of_outputs(probe: Probe, case: Case, value: Sequence[Array]) -> None:
    """Compare the outputs' types, which are known also where the backward raised."""
    for k, (y, truth) in enumerate(zip(value, probe.truth(case).value if value else (), strict=False)):
        wanted = probe.dtype if is_float(truth) else truth.dtype.name
        if np.iscomplexobj(truth) and np.iscomplexobj(y):
            wanted = complex_of(probe.dtype)
        if probe.op.truth == "like" and y.dtype == truth.dtype:  # the plain version has one in a type of its own, too
            wanted = y.dtype.name
        same_dtype(probe, "value", output_name(k, len(value)), y.dtype.name, wanted)


def same_dtype(probe: Probe, quantity: str, name: str, got: str, want: str) -> None:
    """State that an output or a gradient has the type that it should have."""
    probe.fact(got == want, "dtype_differs", quantity=quantity, name=name, got_dtype=got, want_dtype=want)
