"""The formulas whose kernels a limit counts: each computes what the oracle does, and no kernel counts twice."""

import ast
from math import pi

import numpy as np
import pytest

from porting.bench.formula import DEAR, kernels
from porting.bench.kernels import POSITIVE, fastest, steps
from porting.bench.kernels import kernels as made_by
from porting.bench.limit import limit
from porting.bench.needed import FILE, FormulaError, Needed, arrays, load, needed
from porting.bench.problem import problem
from porting.oracle.elementary import sigmoid, softplus
from porting.registry import ops
from porting.runners import RUNNERS
from porting.selftest.toys import TOYS

needs_torch = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
GELU, MISH, SWISH = (ops()[name] for name in ("gelu_tanh", "mish", "swish"))
MAPS = (
    "abs amax arctanh clip copysign cos exp expm1 log log1p logaddexp maximum minimum round sign sin sqrt sum tanh "
    "where"
)
FUNCTIONS = {
    **{name: getattr(np, name) for name in MAPS.split()},
    "gelu": GELU,
    "gelu_backward": GELU.vjp,
    "hardshrink": lambda x, threshold: np.where(np.abs(x) > threshold, x, 0),
    "leaky_relu_backward": lambda dy, x, slope: np.where(x > 0, dy, slope * dy),
    "mish": MISH,
    "mish_backward": MISH.vjp,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": sigmoid,
    "sigmoid_backward": lambda dy, s: dy * s * (1 - s),
    "silu": SWISH,
    "silu_backward": SWISH.vjp,
    "softplus": softplus,
    "softplus_backward": lambda dy, x: dy * sigmoid(x),
}
LISTED = [name for name, found in load(ops()).items() if found.forward or found.backward]


def computed(text, names):
    """Return what a formula computes."""
    *assignments, last = ast.parse(text).body
    called = {node.func.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)}
    scope = {"pi": pi, "inf": np.inf, **names, **{name: FUNCTIONS[name] for name in called}}
    exec(ast.unparse(ast.Module(assignments, [])), scope)  # noqa: S102 - a file of ours
    found = eval(ast.unparse(last), scope)  # noqa: S307 - a file of ours
    return found if isinstance(found, tuple) else (found,)


def together(found):
    return tuple(found) if isinstance(found, tuple | list) else (found,)


@pytest.mark.parametrize("name", LISTED)
def test_each_formula_computes_what_the_oracle_does(name):
    import tomllib

    op, raw = ops()[name], tomllib.loads(FILE.read_text())[name]
    asked = problem(op, 2**10, "float64")
    inputs, statics = dict(asked.inputs), {**op.statics, **asked.statics}
    statics = {key: getattr(value, "default", value) for key, value in statics.items()}
    y = together(op(*inputs.values(), **asked.statics))
    dy = asked.cotangents([part.shape for part in y])
    one = len(y) == 1
    names = {**inputs, **statics, **({"y": y[0], "dy": dy[0]} if one else {})}
    names |= {f"y{k}": part for k, part in enumerate(y)} | {f"dy{k}": part for k, part in enumerate(dy)}
    gradients = together(op.vjp(dy[0] if one else tuple(dy), *inputs.values(), **asked.statics))
    with np.errstate(all="ignore"):
        for half, wanted in (("forward", y), ("backward", gradients)):
            for text in raw[half]:
                for found, want in zip(computed(text, names), wanted, strict=True):
                    np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12, err_msg=text)


def test_a_backward_of_one_input_keeps_the_input_or_the_output():
    import tomllib

    for name, raw in tomllib.loads(FILE.read_text()).items():
        for text in raw["backward"] if len(ops()[name].inputs) == 1 else ():
            read = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
            assert not {"x", "y"} <= read, f"{name}: {text}"


def test_an_expression_is_one_kernel_however_often_it_is_written():
    arrays = {"x", "dy"}
    assert kernels("sin(x) * sin(x)", arrays) == ("sin", "unary in place")
    assert kernels("s = sin(x); t = sin(x); dy * s + t", arrays) == ("sin", "binary", "binary in place")
    assert kernels("2 * limit * x", arrays) == ("unary",)  # numbers cost nothing
    assert kernels("where(x > 0, dy, 0), -x", arrays) == ("unary", "binary in place", "unary")
    assert kernels("x / sum(x * x)", arrays) == ("unary", "reduction", "unary")
    assert kernels("x", arrays) == ()


def test_a_pass_writes_over_what_the_formula_made_and_does_not_need_any_more():
    arrays = {"x", "dy"}
    assert kernels("-(2 * x)", arrays) == ("unary", "unary in place")
    assert kernels("a = 2 * x; -a, a", arrays) == ("unary", "unary")  # a comes out
    assert kernels("a = 2 * x; b = -a; a * b", arrays) == ("unary", "unary", "binary in place")
    assert kernels("x * dy", arrays) == ("binary",)  # inputs and cotangents are the caller's


@pytest.mark.parametrize("text", ["sinn(x)", "x[0]", "for k in x: k", "x +", "sin(x=x)", "lambda: x", "a, b = x, x"])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(ValueError, match=r"neither an assignment|no kernel that is known|is no Python"):
        kernels(text, {"x"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "Invalid"),
        ('[swisch]\nforward = []\nbackward = []\nreason = "r"', "there is no op 'swisch'"),
        ('[swish]\nforward = []\nreason = "r"', "swish must have exactly the keys backward, forward, reason"),
        ('[swish]\nforward = []\nbackward = []\nreason = " "', "swish: a reason is wanted"),
        ('[swish]\nforward = "x"\nbackward = []\nreason = "r"', "forward must be a list of formulas, got 'x'"),
        ('[swish]\nforward = ["f(x)"]\nbackward = []\nreason = "r"', "forward: .* is no kernel that is known"),
    ],
)
def test_the_file_is_strict(tmp_path, text, said):
    path = tmp_path / "formulas.toml"
    path.write_text(text)
    with pytest.raises(FormulaError, match=said):
        load(ops(), path)


def test_only_ops_of_the_catalogue_have_formulas():
    assert needed(ops()["swish"]).forward
    assert needed(ops()["ste_round"]) == Needed()
    assert all(needed(op) == Needed() for op in TOYS.values())
    assert arrays(ops()["swiglu"])["forward"] == {"x1", "x2"}


ROUNDS = 3
FLOORS = ([2.0] * ROUNDS, [3.0] * ROUNDS)
TIMES = {"sin": [5.0] * ROUNDS, "cos": [4.0] * ROUNDS, "unary": [2.0] * ROUNDS, "binary": [3.0] * ROUNDS}
SINE = Needed((("sin", "unary"),), (("sin", "cos", "binary", "binary", "unary"),))


@pytest.mark.parametrize(
    ("mode", "found"),
    [("eager", 7 + 17), ("function", 7 + 17), ("compile", 7 + 11), ("xla", 7 + 11)],
)
def test_the_kernels_of_both_halves_are_added_and_a_compiler_makes_one_pass_of_arithmetic(mode, found):
    assert limit(mode, SINE, FLOORS, TIMES) == [found] * ROUNDS


def test_the_limit_is_never_below_the_floor():
    assert limit("eager", Needed(), FLOORS, {}) == [5.0] * ROUNDS
    small = {name: [0.1] * ROUNDS for name in TIMES}
    assert limit("eager", SINE, FLOORS, small) == [5.0] * ROUNDS
    assert limit("compile", Needed((("unary", "binary"),), ()), FLOORS, TIMES) == [5.0] * ROUNDS  # fused into one pass


def test_the_fastest_way_counts_and_one_that_ran_nowhere_does_not():
    ways = Needed((("sin", "unary"), ("tanh",)), ())
    assert limit("eager", ways, FLOORS, TIMES) == [7 + 3] * ROUNDS
    assert limit("eager", ways, FLOORS, {**TIMES, "tanh": [6.0] * ROUNDS}) == [6 + 3] * ROUNDS
    assert limit("eager", Needed((("tanh",),), ()), FLOORS, TIMES) == [2 + 3] * ROUNDS


def test_a_reduction_ends_before_its_result_is_used():
    norm = Needed((), (("unary", "reduction", "unary"),))
    assert limit("xla", norm, FLOORS, {**TIMES, "reduction": [1.0] * ROUNDS}) == [2 + (1 + 3)] * ROUNDS


def test_the_library_that_is_fastest_in_most_rounds_counts():
    times = {("sin", "numpy"): [1.0, 9.0, 9.0], ("sin", "torch"): [2.0, 2.0, 2.0], ("cos", "numpy"): [3.0, 3.0, 3.0]}
    assert fastest(times) == {"sin": [2.0, 2.0, 2.0], "cos": [3.0, 3.0, 3.0]}


@needs_torch
def test_every_kernel_runs_somewhere_and_computes_what_its_name_says():
    rng = np.random.default_rng(0)
    x, dy = rng.uniform(-0.9, 0.9, 1000), rng.standard_normal(1000)
    size = np.abs(x) + 2**-7
    libraries = {library: made_by(library, x, dy) for library in ("numpy", "torch")}
    assert set().union(*libraries.values()) >= DEAR
    for library, made in libraries.items():
        for name in DEAR & set(made):
            second = name == "logaddexp"
            given = (x, dy) if second else (dy, x) if name.endswith("_backward") else (size if name in POSITIVE else x,)
            found = made[name]()
            np.testing.assert_allclose(
                np.asarray(found), FUNCTIONS[name](*given), rtol=1e-6, atol=1e-9, err_msg=f"{library} {name}"
            )


@needs_torch
def test_a_step_for_each_library_that_has_the_kernel():
    x = np.ones(8, np.float32)
    assert list(steps("torch", ["sin", "silu"], x, x)) == [("sin", "numpy"), ("sin", "torch"), ("silu", "torch")]
