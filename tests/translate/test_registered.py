"""A gradient that TensorFlow has registered for an operation, by its name, is translated with that operation."""

import pytest
from spoiled import spoil

from porting.port.discover import files_of, units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS

needs_both = pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
TOP = """import tensorflow.compat.v1 as tf


@tf.RegisterGradient("Clipped")
def _clipped_grad(op, grad):
    inside = tf.cast(tf.abs(op.inputs[0]) < 1.5, grad.dtype)
    return inside * grad


def binary(x):
    with tf.get_default_graph().gradient_override_map({"Sign": "Clipped"}):
        return tf.sign(x)
"""
BY_OUTPUT = """import tensorflow as tf


@tf.RegisterGradient("Flatter")
def flatter(op, dy):
    return [0.5 * dy * op.outputs[0] * (1 - op.outputs[0])]


with tf.Graph().as_default() as graph, graph.gradient_override_map({"Sigmoid": "Flatter"}):
    pass
"""
WITHIN = """import tensorflow as tf


class Reversal:
    calls = 0

    def __call__(self, x, scale=1.0):
        title = "Reversal%d" % self.calls

        @tf.RegisterGradient(title)
        def _reverse(op, grad):
            return [tf.negative(grad) * scale]

        g = tf.get_default_graph()
        with g.gradient_override_map({"Identity": title}):
            y = tf.identity(x)
        self.calls += 1
        return y
"""
ELSEWHERE = """import tensorflow as tf
from tensorflow.python.framework import ops


def register():
    if "Guided" not in ops._gradient_registry._registry:
        @ops.RegisterGradient("Guided")
        def _guided(op, grad):
            dtype = op.inputs[0].dtype
            return grad * tf.cast(grad > 0.0, dtype) * tf.cast(op.inputs[0] > 0.0, dtype)


def model_in(graph, overrides):
    with graph.as_default(), graph.gradient_override_map(overrides):
        return tf.keras.models.load_model("theirs")


def guided_model():
    register()
    return model_in(tf.Graph(), {"Relu": "Guided"})
"""
ALL = {"register._guided": ELSEWHERE, "_clipped_grad": TOP, "flatter": BY_OUTPUT, "Reversal.__call__._reverse": WITHIN}


def unit_of(text, name, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, name, "torch")
    return unit


@needs_both
@pytest.mark.parametrize("name", ALL)
def test_it_is_proven_against_what_tensorflow_does_in_a_graph(name, tmp_path):
    made = port(unit_of(ALL[name], name, tmp_path), how=Checking().begun())
    assert made.status == "proven", made
    assert any("registers this gradient for" in note for note in made.notes), made.notes


@needs_both
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("_clipped_grad", "1.5", "1.4"),
        ("_clipped_grad", "inside * grad", "grad"),
        ("flatter", "(1 - y)", "(1 + y)"),
        ("Reversal.__call__._reverse", "-grad", "grad"),
        ("register._guided", "grad > 0", "grad < 0"),
    ],
)
def test_another_gradient_is_different(name, right, wrong, tmp_path, monkeypatch):
    spoil(monkeypatch, right, wrong)
    assert port(unit_of(ALL[name], name, tmp_path), how=Checking().begun()).status == "different"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("op.inputs[0]", "op.get_attr('T')", "asks its operation for more than op.inputs[0] and op.outputs[0]"),
        ("op.inputs[0]", "op.inputs[1]", "asks its operation for more than op.inputs[0] and op.outputs[0]"),
        ("(op, grad)", "(op, grad, other)", "takes more than an operation and a cotangent"),
        ('"Sign"', '"MatMul"', "registered for an operation, by its name in a graph"),
        ('"Sign": "Clipped"', '"Sign": "Clipped", "Round": "Clipped"', "registered for an operation, by its name"),
        ('"Sign": "Clipped"', '"Sign": "Another"', "registered for an operation, by its name in a graph"),
    ],
)
def test_what_is_not_known_is_refused(old, new, why, tmp_path):
    assert old in TOP
    made = port(unit_of(TOP.replace(old, new), "_clipped_grad", tmp_path), how=None)
    assert made.status == "refused", made
    assert why in made.said, made.said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"Relu": "Guided"}', '{"Relu": "Another"}'),
        ('{"Relu": "Guided"}', '{"relu": "Guided"}'),
        ('{"Relu": "Guided"}', '{"Relu": "Guided"} if keep else {"Elu": "Guided"}'),
        ("graph.gradient_override_map(overrides)", "graph.device(overrides)"),
        ('RegisterGradient("Guided")', "RegisterGradient(title)"),
    ],
)
def test_an_operation_elsewhere_is_named_by_the_same_text_and_once(old, new, tmp_path):
    assert old in ELSEWHERE
    made = port(unit_of(ELSEWHERE.replace(old, new), "register._guided", tmp_path), how=None)
    assert made.status == "refused", made
    assert "registered for an operation, by its name in a graph" in made.said, made.said


def test_a_file_with_nothing_else_is_found_in_a_folder(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(TOP, encoding="utf-8")
    assert files_of(tmp_path) == [path]
    assert [unit.name for unit in units_of(path, "", "torch")] == ["_clipped_grad"]
