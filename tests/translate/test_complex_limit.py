"""Complex numbers are divided in other ways by the two frameworks: the first lines say so."""

import pytest

from porting.port.discover import units_of
from porting.port.one import port

_SOURCE = """import tensorflow as tf


@tf.custom_gradient
def scaled(z, c):
    def grad(dy):
        return {dz}, {dc}

    return {value}, grad
"""
QUOTIENT = {"value": "z / c", "dz": "dy / tf.math.conj(c)", "dc": "-dy * tf.math.conj(z / c**2)"}
PRODUCT = {"value": "z * c", "dz": "dy * tf.math.conj(c)", "dc": "dy * tf.math.conj(z)"}
REAL = {"value": "z / c", "dz": "dy / c", "dc": "-dy * z / c**2"}


@pytest.mark.parametrize(("parts", "told"), [(QUOTIENT, True), (PRODUCT, False), (REAL, False)])
def test_a_quotient_of_complex_numbers_has_a_limit(parts, told, tmp_path):
    path = tmp_path / "scaled.py"
    path.write_text(_SOURCE.format(**parts))
    (unit,) = units_of(path, "", "torch")
    made = port(unit, check=False)
    assert any(limit.startswith("complex numbers: ") for limit in made.limits) == told
    assert ("A limit of this: complex numbers" in made.text) == told
