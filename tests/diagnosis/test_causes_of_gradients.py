"""What a cause of wrong gradients is told of: no value of the forward, which may be wrong beside it."""

import pytest

import porting
from porting import Pair
from porting.diagnosis.cause import causes

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

X = {"x": porting.array(("n", "k"))}
ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "raw_gradient", "special_values"]}


@tf.custom_gradient
def misshapen(x):
    return tf.reduce_sum(x), lambda dy: dy * tf.ones((3, 3), x.dtype)


def test_a_wrong_gradient_is_no_cause_of_another_value():
    report = porting.check(Pair(torch=lambda x: x.square().sum() + x.sum(), tf=misshapen, inputs=X), **ASKED)
    told = {(d.runner, d.cause): d.explains for d in report.diagnoses}
    assert "value" not in told[("tf", "wrong_shape")], told
    of_values = [message for message in report.messages if " · y differs" in message]
    assert of_values, str(report)
    assert not any("(wrong_shape" in message for message in of_values), str(report)


def test_a_misshapen_gradient_is_still_named():
    report = porting.check(Pair(torch=lambda x: x.sum(), tf=misshapen, inputs=X, reference="torch"), **ASKED)
    assert [d.cause for d in report.diagnoses if d.runner == "tf"][:1] == ["wrong_shape"], str(report)


def test_causes_of_gradients_explain_no_values():
    assert not [c.name for c in causes().values() if c.of_gradients and (c.of_values or c.of_digits)]
