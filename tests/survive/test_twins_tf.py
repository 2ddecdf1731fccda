"""In these modes of TensorFlow the gradient of every twin of the catalogue survives.

The family `published` repeats printed code, which is as it is.
"""

import pytest
from turns import EVERY, turn

from porting.registry import ops
from porting.runners import RUNNERS
from porting.survive.cell import cell

pytestmark = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs TensorFlow")

MODES = ("cond", "while", "forward", "unknown-rank")
TWINS = {name: op for name, op in ops().items() if not op.module.startswith("porting.oracle.published.")}
ALSO = {"vectorized-map-inside": "soft_dtw", "jacobian": "soft_dtw"}  # pfor forgets the constant_values of tf.pad

SEEDS = {"embedding_padding": 1, "squared_error_floor_gradient": 1}  # with others no number has a gradient of its own
_EACH = [(mode, name) for k, mode in enumerate(MODES) for name in TWINS if EVERY or turn(name, 2) == k % 2]
_ASKED = _EACH + list(ALSO.items())


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "name"), _ASKED)
def test_its_gradient_survives(mode, name):
    found = cell(TWINS[name], "tf", mode, seed=SEEDS.get(name, 0))
    if mode == "forward" and found.fate == "not applicable":
        assert "linear" in found.message  # there is no Jacobian to compare with
        return
    assert found.fate == "kept", f"{found.name}: {found.got} for {found.want}; {found.message}"
