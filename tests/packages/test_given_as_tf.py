"""A TensorFlow twin takes arrays, lists and variables as it takes tensors, eagerly and in a function."""

import numpy as np
import pytest

from porting.parity.cases import Cases
from porting.registry import ops
from porting.runners import RUNNERS

pytestmark = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs TensorFlow")


@pytest.mark.parametrize("name", [name for name, op in ops().items() if ".published." not in op.module])
def test_what_an_input_may_be(name):
    import tensorflow as tf

    op, cases = ops()[name], Cases(ops()[name], "float32")
    case = cases.case("given as", statics=next(iter(cases.variants())))
    arrays = list(case.inputs.values())

    def outputs(inputs):
        found = op.twin("tf")(*inputs, **case.statics)
        return list(found) if isinstance(found, tuple) else [found]

    kinds = {
        "an array": arrays,
        "a list": [
            x.tolist() if x.dtype in ("float32", "int32") else x for x in arrays
        ],  # the types of Python's numbers
        "a variable": [tf.Variable(x) for x in arrays],
    }
    wanted = outputs([tf.constant(x) for x in arrays])
    for kind, inputs in kinds.items():
        for found in (outputs(inputs), tf.function(outputs, autograph=False)(inputs)):
            for got, want in zip(found, wanted, strict=True):
                assert got.dtype == want.dtype, kind
                np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6, err_msg=kind)
