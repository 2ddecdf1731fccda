"""The checker is checked: a fault planted in a copy of a right twin is found, by the check that is there for it."""

import importlib.util
import itertools

import pytest

from porting import check
from porting.parity.checks import TWINS, checks
from porting.registry import ops
from porting.report.source import file_of
from porting.runners import RUNNERS

NUMBER = itertools.count()

# id: backend, op, (text in the twin, text planted instead)..., the check that must find it, words of the finding
TORCH = {
    "wrong sign": ("legendre_polynomial3", [("return dy * 1.5", "return -dy * 1.5")], "vjp", "differs from the oracle"),
    "forgotten factor": ("legendre_polynomial3", [("return dy * 1.5 *", "return dy *")], "vjp", "differs from the oracle"),
    "tiny factor": ("sin_squared", [("return 2 *", "return (2 + 2e-12) *")], "vjp", "differs from the oracle"),
    "wrong value": ("legendre_polynomial3", [("0.5 * (5", "0.5000001 * (5")], "value", "y differs"),
    "two outputs": ("sin_squared", [("return SinSquaredFunction.apply(x)", "return x, SinSquaredFunction.apply(x)")],
                    "value", "2 outputs, should be 1"),
    "static ignored": ("smooth_round", [("return dy * alpha", "return dy * 10.0")], "vjp", "differs from the oracle"),
    "dropped cotangent": ("sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return torch.sin(2 * x)")], "linear",
                          "not 0 for a cotangent of 0"),
    "clipped cotangent": ("sin_squared", [(" * dy", " * dy.clamp(-20, 20)")], "linear", "not linear"),
    "float32 cast in the forward": ("sin_squared", [("return torch.sin(x) ** 2", "return torch.sin(x.float()) ** 2")],
                                    "raw_gradient", "y has dtype float32, should be"),
    "float32 cast in the backward": (
        "sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return (dy.float() * torch.sin(2 * x.float())).to(dy.dtype)")],
        "vjp", "differs from the oracle"),
    "wrong type of the raw gradient": ("sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return dy.double() * torch.sin(2 * x)")],
                                       "raw_gradient", "PyTorch sums and casts it for you"),
    "wrong shape of the raw gradient": (
        "sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return (dy * torch.sin(2 * x))[None]")],
        "raw_gradient", "PyTorch sums and casts it for you"),
    "saved intermediate": (
        "my_elementwise",
        [("ctx.save_for_backward(x1, x2)\n        return", "e = torch.exp(-x2)\n        ctx.save_for_backward(x1, x2, e)\n        return"),
         ("x1, x2 = ctx.saved_tensors", "x1, x2, e = ctx.saved_tensors"), ("dx1 = dy * torch.exp(-x2)", "dx1 = dy * e"),
         ("dx2 = -dy * x1 * torch.exp(-x2)", "dx2 = -dy * x1 * e")],
        "second_order", "detached"),
    "one saved intermediate of two terms": (
        "legendre_polynomial3",
        [("ctx.save_for_backward(x)", "ctx.save_for_backward(x, x * x)"), ("(x,) = ctx", "x, t = ctx"),
         ("(5 * x**2 - 1)", "(2.5 * t + 2.5 * x**2 - 1)")], "second_order", "differs from differences"),
    "once_differentiable": ("sin_squared", [("@staticmethod\n    def backward", "@staticmethod\n    @torch.autograd.function.once_differentiable\n    def backward")],
                             "second_order", "detached"),
    "other side of the kink": ("relu_negative_slope_gradient", [("x <= 0", "x < 0")], "kinks", "gradient of x differs"),
    "overflow": ("sigmoid_rsqrt", [("torch.exp(0.5 * logsigmoid(-x)) * (", "(1 + x.exp()).rsqrt() * (1 + x.exp()) / (1 + x.exp()) * (")],
                 "special_values", "gradient of x differs"),
    "0-d crashes": ("sin_squared", [("return torch.sin(x) ** 2", "return torch.sin(x) ** 2 + 0 * x[:1].sum()")], "shapes",
                    "forward raised"),
    "0-d gradient": ("sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return torch.atleast_1d(dy * torch.sin(2 * x))[..., :] * 1")],
                     "shapes", "returns x's gradient as [1] for an input of []  (portability)"),
    "empty crashes": ("sin_squared", [("return 2 *", "return 0 * x.max() + 2 *")], "shapes", "backward raised"),
    "strides ignored": ("sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return dy.view(-1).view(x.shape) * torch.sin(2 * x)")],
                        "layouts", "with transposed cotangent"),
    "cotangent overwritten": ("sin_squared", [("return 2 * torch.sin(x) * torch.cos(x) * dy", "return dy.data.mul_(torch.sin(2 * x)).clone()")],
                              "inputs_unchanged", "dy is overwritten in place"),
    "input overwritten": ("sin_squared", [("return torch.sin(x) ** 2", "y = torch.sin(x) ** 2\n        x.data.mul_(1.0000001)\n        return y")],
                          "inputs_unchanged", "x is overwritten in place"),
    "raises": ("sin_squared", [("return 2 *", "raise RuntimeError('no gradient today')\n        return 2 *")], "vjp",
               "RuntimeError: no gradient today"),
}  # fmt: skip
TF = {
    "wrong sign": ("legendre_polynomial3", [("return dy * 1.5", "return -dy * 1.5")], "vjp", "differs from the oracle"),
    "forgotten factor": ("legendre_polynomial3", [("return dy * 1.5 *", "return dy *")], "vjp", "differs from the oracle"),
    "tiny factor": ("sin_squared", [("return 2 *", "return (2 + 2e-12) *")], "vjp", "differs from the oracle"),
    "wrong value": ("legendre_polynomial3", [("0.5 * (5", "0.5000001 * (5")], "value", "y differs"),
    "static ignored": ("smooth_round", [("return dy * alpha", "return dy * 10.0")], "vjp", "differs from the oracle"),
    "dropped cotangent": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return tf.sin(2 * x)")], "linear",
                          "not 0 for a cotangent of 0"),
    "clipped cotangent": ("sin_squared", [(" * dy", " * tf.clip_by_value(dy, -20, 20)")], "linear", "not linear"),
    "float32 cast in the forward": (
        "sin_squared", [("return tf.sin(x) ** 2", "return tf.sin(tf.cast(x, tf.float32)) ** 2"),
                        ("dy = tf.convert_to_tensor(dy)", "dy = tf.cast(dy, x.dtype)")],
        "raw_gradient", "y has dtype float32, should be"),
    "float32 cast in the backward": (
        "sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return tf.cast(tf.cast(dy, tf.float32) * tf.sin(2 * tf.cast(x, tf.float32)), x.dtype)")],
        "vjp", "differs from the oracle"),
    "wrong type of the gradient": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return tf.cast(dy * tf.sin(2 * x), tf.float32)")],
                                   "raw_gradient", "has dtype float32, its input"),
    "wrong shape of the gradient": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return (dy * tf.sin(2 * x))[None]")],
                                    "raw_gradient", "has shape [1, 3, 4], its input [3, 4]"),
    "detached second order": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return dy * tf.stop_gradient(tf.sin(2 * x))")],
                              "second_order", "detached"),
    "second order refused": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return tf.raw_ops.PreventGradient(input=dy * tf.sin(2 * x), message='once')")],
                             "second_order", "second order raised"),
    "other side of the kink": ("relu_negative_slope_gradient", [("x <= 0", "x < 0")], "kinks", "gradient of x differs"),
    "overflow": ("sigmoid_rsqrt", [("tf.exp(0.5 * tf.math.log_sigmoid(-x)) * (", "tf.math.rsqrt(1 + tf.exp(x)) * (1 + tf.exp(x)) / (1 + tf.exp(x)) * (")],
                 "special_values", "gradient of x differs"),
    "0-d crashes": ("sin_squared", [("return tf.sin(x) ** 2", "return tf.sin(x) ** 2 + 0 * tf.reduce_sum(x[:1])")], "shapes",
                    "forward raised"),
    "empty crashes": ("sin_squared", [("return 2 * tf.sin(x) * tf.cos(x) * dy", "return dy * tf.sin(2 * x) + 0 * tf.reshape(x, [-1])[0]")],
                      "shapes", "backward raised"),
}  # fmt: skip


def planted(backend, name, replacements, folder):
    """Return an op whose twin is a copy with the fault in it."""
    op = ops()[name]
    text = file_of(op, backend).read_text()
    for old, new in replacements:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the twin"
        text = text.replace(old, new)
    path = folder / f"planted_{next(NUMBER)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return op.bind(**{backend: getattr(module, name)})


CASES = [
    pytest.param(backend, *fault, id=f"{backend}: {label}")
    for backend, table in (("torch", TORCH), ("tf", TF))
    for label, fault in table.items()
]


@pytest.mark.parametrize(("backend", "name", "replacements", "name_of_check", "words"), CASES)
def test_planted_fault_is_found(backend, name, replacements, name_of_check, words, tmp_path):
    if RUNNERS[backend].missing():
        pytest.skip(RUNNERS[backend].missing())
    op = planted(backend, name, replacements, tmp_path)
    report = check(op, runners=[backend], only=[name_of_check])
    found = [str(result) for result in report.results if result.status == "differ"]
    assert report.exit_code == 1
    assert any(words in text for text in found), f"{words!r} is not said in:\n" + "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 10))
@pytest.mark.parametrize(("backend", "name", "replacements", "name_of_check", "words"), CASES)
def test_planted_fault_is_found_with_every_seed(backend, name, replacements, name_of_check, words, seed, tmp_path):
    if RUNNERS[backend].missing():
        pytest.skip(RUNNERS[backend].missing())
    op = planted(backend, name, replacements, tmp_path)
    report = check(op, runners=[backend], only=[name_of_check], seed=seed)
    assert any(words in str(result) for result in report.results if result.status == "differ")


@pytest.mark.parametrize("backend", TWINS)
def test_every_check_of_a_twin_has_a_planted_fault(backend):
    table = TORCH if backend == "torch" else TF
    tested = {fault[2] for fault in table.values()}
    elsewhere = {"outside_domain"}  # test_contract.py: no op of the catalogue has a domain yet
    if backend == "tf":
        elsewhere |= {"layouts", "inputs_unchanged"}  # no strides; and nothing in TensorFlow overwrites a tensor
    assert tested == {c.name for c in checks().values() if backend in c.runners} - elsewhere
