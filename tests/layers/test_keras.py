"""Layers: value and gradient are the oracle's, in models, in mixed precision, and from a file in another process."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

import keras  # noqa: E402
from sample import CAMEL, agree, refusals, samples  # noqa: E402

import tf_impl.layers  # noqa: E402
from tf_impl.layers.statics import Statics  # noqa: E402

CLASSES = {name: thing for name, thing in vars(tf_impl.layers).items() if isinstance(thing, type)}
every = pytest.mark.parametrize("name", CLASSES)

# Run in the test and, to the letter, in a fresh process.
ANSWER = """
import numpy as np
import tensorflow as tf

def answer(call, layer, inputs, cotangents, wrt):
    given = {name: tf.constant(x) for name, x in inputs.items()}
    with tf.GradientTape() as tape:
        tape.watch([given[name] for name in wrt if name in given])
        values = call(*given.values())
        values = tuple(values) if isinstance(values, (tuple, list)) else (values,)
        loss = tf.add_n([tf.reduce_sum(y * tf.cast(dy, y.dtype)) for y, dy in zip(values, cotangents)])
    places = [given[name] if name in given else getattr(layer, name).value for name in wrt]
    return [*values, *(tf.convert_to_tensor(g) for g in tape.gradient(loss, places))]
"""
exec(ANSWER)  # noqa: S102 - the text above

FRESH = (
    ANSWER
    + """
import json, sys
from pathlib import Path
import keras
import tf_impl.layers

assert "torch_impl" not in sys.modules and "porting" not in sys.modules
for saved in sorted(Path(sys.argv[1]).glob("*.keras")):
    wrt, named = json.loads(saved.with_suffix(".json").read_text())
    arrays = np.load(saved.with_suffix(".npz"))
    inputs = {name: arrays[name] for name in named}
    cotangents = [arrays[name] for name in sorted(set(arrays) - set(named))]
    model = keras.saving.load_model(saved)
    found = answer(lambda *x: model(list(x)), model.layers[-1], inputs, cotangents, wrt)
    np.savez(saved.with_suffix(".found.npz"), **{f"{n:02}": x.numpy() for n, x in enumerate(found)})
"""
)


def samples_of(name, dtype="float64"):
    return samples(name, CLASSES[name].__init__, CLASSES[name].call, dtype)


def made(name, sample, dtype="float64"):
    layer = CLASSES[name](**sample.arguments, dtype=dtype)
    layer(*sample.inputs.values())
    assert {w.name for w in layer.weights} == set(sample.held)
    for weight, x in sample.held.items():
        getattr(layer, weight).assign(x)
    return layer


def asked(layer, sample, call=None):
    return answer(call or layer, layer, sample.inputs, sample.cotangents, list(sample.gradients))  # noqa: F821


def model_of(layer, sample):
    """Return a functional model of one layer, for any length of the first axis."""
    inputs = [keras.Input(x.shape[1:], dtype=x.dtype.name) for x in sample.inputs.values()]
    return keras.Model(inputs, layer(*inputs))


def is_the_oracles(found, sample):
    for mine, wanted in zip(found, (*sample.values, *sample.gradients.values()), strict=True):
        agree(np.asarray(mine), wanted)


@every
def test_is_a_layer_of_an_op(name):
    assert issubclass(CLASSES[name], Statics)
    assert name in CAMEL
    assert keras.saving.get_registered_name(CLASSES[name]) == f"gradport>{name}"


@every
def test_value_and_gradient_are_the_oracles(name):
    for sample in samples_of(name):
        is_the_oracles(asked(made(name, sample), sample), sample)


@every
def test_its_config_makes_it_again(name):
    for sample in samples_of(name):
        layer = CLASSES[name](**sample.arguments, name="mine", dtype="mixed_float16", trainable=False)
        config = json.loads(json.dumps(keras.saving.serialize_keras_object(layer)))
        again = keras.saving.deserialize_keras_object(config)
        assert type(again) is CLASSES[name]
        assert again.get_config() == layer.get_config()
        assert again.get_config().items() >= {**sample.arguments, "name": "mine", "trainable": False}.items()


@every
def test_functional_model_knows_shapes_and_types(name):
    sample = next(samples_of(name))
    model = model_of(made(name, sample), sample)
    for spec, y in zip(model.outputs, sample.values, strict=True):
        assert spec.dtype == "float64"
        assert len(spec.shape) == y.ndim
        assert all(known in {None, length} for known, length in zip(spec.shape, y.shape, strict=True))
        assert spec.shape[1:] == y.shape[1:]


@every
def test_in_a_functional_model_behind_a_product_with_a_number(name):
    """Keras 3.15 takes such a product for sparse, until it sees the numbers."""
    sample = next(samples_of(name))
    layer = made(name, sample)
    inputs = [keras.Input(x.shape[1:], dtype=x.dtype.name) for x in sample.inputs.values()]
    model = keras.Model(inputs, layer(*(i * 1.0 if i.dtype == "float64" else i for i in inputs)))
    assert not any(spec.sparse for spec in model.outputs)
    is_the_oracles(asked(layer, sample, lambda *x: model(list(x))), sample)


@every
@pytest.mark.parametrize("narrow", ["float16", "bfloat16"])
def test_mixed_precision(name, narrow):
    sample = next(samples_of(name, "float32"))
    layer = made(name, sample, f"mixed_{narrow}")
    found = asked(layer, sample)
    outputs, gradients = found[: len(sample.values)], found[len(sample.values) :]
    assert {y.dtype.name for y in outputs} == {narrow}
    assert {g.dtype.name for g in gradients} <= {"float32"}, "the layer casts, and the gradient is cast back"
    assert {w.dtype for w in layer.weights} <= {"float32"}
    assert all(np.isfinite(x).all() for x in gradients)


@pytest.mark.slow
def test_keras_files_in_a_fresh_process(tmp_path):
    expected = {}
    for name in CLASSES:
        for n, sample in enumerate(samples_of(name)):
            if sample.arguments.get("axis") == 0:
                continue  # the length of the first axis is not known in a model
            path = tmp_path / f"{name}{n}.keras"
            model_of(made(name, sample), sample).save(path)
            cotangents = {f"{n:02}": dy for n, dy in enumerate(sample.cotangents)}
            np.savez(path.with_suffix(".npz"), **sample.inputs, **cotangents)
            path.with_suffix(".json").write_text(json.dumps([list(sample.gradients), list(sample.inputs)]))
            expected[path.with_suffix(".found.npz")] = sample
    subprocess.run([sys.executable, "-c", FRESH, str(tmp_path)], check=True)
    assert len(expected) >= len(CLASSES)
    for path, sample in expected.items():
        found = np.load(path)
        is_the_oracles([found[key] for key in sorted(found)], sample)


@pytest.mark.parametrize("jit_compile", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_trains_in_a_sequential_model(jit_compile):
    layers = tf_impl.layers
    model = keras.Sequential([
        keras.Input((4,)), keras.layers.Dense(6), layers.LayerNorm(6, eps=1e-5), layers.Swish(),
        layers.LsqQuantize(0.5, bits=4, signed=True), layers.ClipGradient(low=-1.0, high=1.0), keras.layers.Dense(1),
    ])  # fmt: skip
    model.compile("sgd", "mse", jit_compile=jit_compile)
    before = [w.numpy() for w in model.trainable_weights]
    rng = np.random.default_rng(0)
    model.fit(rng.normal(size=(8, 4)), rng.normal(size=(8, 1)), verbose=0)
    assert all((w.numpy() != old).any() for w, old in zip(model.trainable_weights, before, strict=True))


def test_a_static_that_is_set_later_holds_after_compile():
    reverse = tf_impl.layers.ReverseGradient(scale=2.0)
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, use_bias=False), reverse])
    model.layers[0].kernel.assign([[2.0]])
    for scale, kernel in ((2.0, 2.5), (-1.0, 2.25)):
        reverse.scale = scale
        model.compile(keras.optimizers.SGD(0.25), loss=lambda _, y: y, jit_compile=False)
        model.train_on_batch(np.ones((1, 1)), np.ones((1, 1)))
        assert model.layers[0].kernel.numpy().item() == kernel


@every
def test_refuses_in_the_words_of_the_op(name):
    for arguments, inputs, error, sentence in refusals(name, CLASSES[name].__init__, CLASSES[name].call):
        with pytest.raises(error, match=re.escape(sentence)):  # Keras adds what the layer was called with
            CLASSES[name](**arguments, dtype="float64")(*inputs.values())


@every
def test_refuses_when_made(name):
    op = CAMEL[name]
    if "axis" in op.statics or "indices" in op.inputs or CLASSES[name].build is not keras.Layer.build:
        return  # what is refused depends on the shapes, the op looks at the integers, or the weights are not there yet
    for arguments, _, error, sentence in refusals(name, CLASSES[name].__init__, CLASSES[name].call):
        with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
            CLASSES[name](**arguments)


def test_masks():
    layers = tf_impl.layers
    x = keras.layers.Masking()(np.array([[[1.0, 2.0], [0.0, 0.0]]]))
    assert keras.src.backend.get_keras_mask(layers.Swish()(x)) is not None
    assert keras.src.backend.get_keras_mask(layers.SafeNorm(axis=-1)(x)) is None
    found = layers.MaskedSoftmax()(x, mask=np.array([1, 0]))
    assert found.numpy().tolist() == [[[1.0, 0.0], [1.0, 0.0]]]
    assert keras.src.backend.get_keras_mask(found) is None


def test_padding_starts_as_zero():
    layer = tf_impl.layers.EmbeddingPadding(4, 3, padding=2)
    layer(np.array([0]))
    table = layer.table.numpy()
    assert (table[2] == 0).all()
    assert (table[[0, 1, 3]] != 0).all()
