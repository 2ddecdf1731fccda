"""Mutants: each operator does what it says, each mutant is one of its kind and runs, the equivalent ones are listed."""

import ast
import inspect
import json
import sys
import traceback
from functools import cache

import numpy as np
import pytest

import porting
from porting import registry
from porting.runners import RUNNERS, Case
from porting.selftest import mutants as machine
from porting.selftest.mutants import EquivalentsError, Mutant, equivalents
from porting.selftest.mutation import NoGradientError, gradients, home
from porting.selftest.operators import OPERATORS
from porting.selftest.operators.edit import replaced
from porting.selftest.planted import right_toys
from porting.selftest.toys import TOYS

BACKENDS = [
    pytest.param("torch", marks=pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="no PyTorch")),
    pytest.param("tf", marks=pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="no TensorFlow")),
]
on_both = pytest.mark.parametrize("backend", BACKENDS)
mutants = cache(machine.mutants)  # 13,000, of which several tests ask

TORCH = """
class F(torch.autograd.Function):
    @staticmethod
    def forward(x, z, slope, low):
        return x + z

    @staticmethod
    def backward(ctx, dy):
        x, z = ctx.saved_tensors
        return {before}


def op(x, z, *, slope=1.0, low=0.0):
    return F.apply(x, z, slope, low)
"""
TF = """
def op(x, z, *, slope=1.0, low=0.0):
    @tf.custom_gradient
    def forward(x, z):
        def vjp(dy):
            return {before}

        return x + z, vjp

    return forward(x, z)
"""
SNIPPETS = [  # operator, backend, what is returned, what it makes of that
    ("operator_swapped", "torch", "x + z", "x - z"),
    ("operator_swapped", "tf", "x * z", "x / z"),
    ("operands_exchanged", "torch", "x @ z", "z @ x"),
    ("operands_exchanged", "tf", "x - z", "z - x"),
    ("exponent_raised", "torch", "x**2", "x ** 3"),
    ("exponent_raised", "tf", "x**low", "x ** (low + 1)"),
    ("operand_dropped", "torch", "x / z", "x", "z"),
    ("operand_dropped", "tf", "x * z", "x", "z"),
    ("constant_changed", "torch", "-2 * x", "-2.02 * x", "-1 * x", "0 * x"),
    ("constant_changed", "torch", "x.sum(0)", "x.sum(-1)"),
    ("constant_changed", "tf", "0.5 * x", "0.505 * x", "1.5 * x", "0 * x"),
    (
        "constant_changed",
        "tf",
        "f(x, axis=-1, keepdims=True)",
        "f(x, axis=0, keepdims=True)",
        "f(x, axis=-1, keepdims=False)",
    ),
    ("comparison_changed", "torch", "x < z", "x <= z", "x > z"),
    ("comparison_changed", "tf", "tf.where(x == z, x, z)", "tf.where(x != z, x, z)"),
    ("minus_dropped", "torch", "-x", "x"),
    ("minus_dropped", "tf", "tf.exp(-x)", "tf.exp(x)"),
    ("minus_added", "torch", "x * z", "-(x * z)"),
    ("minus_added", "tf", "tf.exp(x)", "-tf.exp(x)"),
    ("function_swapped", "torch", "x.sin()", "x.cos()"),
    ("function_swapped", "tf", "tf.exp(x)", "tf.math.log(x)"),
    ("where_exchanged", "torch", "torch.where(x > 0, dy, z)", "torch.where(x > 0, z, dy)"),
    ("where_exchanged", "tf", "tf.where(x > 0, dy, z)", "tf.where(x > 0, z, dy)"),
    ("where_one_sided", "torch", "torch.where(x > 0, dy, z)", "dy", "z"),
    ("where_one_sided", "tf", "tf.where(x > 0, dy, z)", "dy", "z"),
    ("call_dropped", "torch", "x.conj() * dy", "x * dy"),
    ("call_dropped", "tf", "tf.abs(x)", "x"),
    ("attribute_dropped", "torch", "dy @ x.T", "dy @ x"),
    ("attribute_dropped", "tf", "x.real", "x"),
    ("names_swapped", "torch", "x", "dy", "z"),
    ("names_swapped", "tf", "-z", "-dy", "-x"),
    ("statics_swapped", "torch", "ctx.slope - ctx.low", "ctx.low - ctx.low", "ctx.slope - ctx.slope"),
    ("statics_swapped", "tf", "slope * x", "low * x"),
    (
        "cotangent_spoiled",
        "torch",
        "x.to(dy.dtype) * dy",
        *(f"x.to(dy.dtype) * dy.{end}" for end in ("sum()", "new_ones(dy.shape)", "sign()", "abs()", "clamp(-1, 1)")),
    ),
    (
        "cotangent_spoiled",
        "tf",
        "tf.zeros_like(dy) + dy",
        *(
            f"tf.zeros_like(dy) + tf.{f}"
            for f in ("reduce_sum(dy)", "ones_like(dy)", "sign(dy)", "abs(dy)", "clip_by_value(dy, -1, 1)")
        ),
    ),
    ("gradients_swapped", "torch", "x, z, None, None", "(z, x, None, None)"),
    ("gradients_swapped", "tf", "x, z", "(z, x)"),
    ("gradient_left_out", "torch", "x, z, None, None", "(x, z, None)"),
    ("gradient_left_out", "tf", "x, z", "(x,)"),
    ("gradient_nothing", "torch", "x, None", "(None, None)", "(x.new_zeros(x.shape), None)"),
    ("gradient_nothing", "tf", "x", "None", "tf.zeros_like(x)"),
    ("gradient_cut_off", "torch", "x + z", "(x + z).detach()"),
    ("gradient_cut_off", "tf", "x + z", "tf.stop_gradient(x + z)"),
    ("gradient_rounded", "torch", "x", "x.float().to(dy.dtype)"),
    ("gradient_rounded", "tf", "x", "tf.cast(tf.cast(x, tf.float32), dy.dtype)"),
    ("nan_hidden", "torch", "x", "x.nan_to_num()"),
    ("nan_hidden", "tf", "x", "tf.where(tf.math.is_nan(x), tf.zeros_like(x), x)"),
]


def snippet(backend, before):
    return (TORCH if backend == "torch" else TF).format(before=before)


def everything(backend):
    """Return all ops that have a right twin of ours: the catalogue's, then the toys."""
    return [*registry.ops().values(), *right_toys(backend)]


def gradient_at(mutant):
    """Run one mutant's forward and backward on ones and twos."""
    inputs = {name: np.full((2, 2), 1.0 + k) for k, name in enumerate(mutant.op.inputs)}
    return RUNNERS[mutant.backend].run(Case(mutant.bound(), "float64", inputs, (np.full((2, 2), 3.0),)))


@pytest.mark.parametrize(("operator", "backend", "before", "after"), [(*row[:3], row[3:]) for row in SNIPPETS])
def test_operators_make_what_they_say(operator, backend, before, after):
    (found,) = gradients(ast.parse(snippet(backend, before)), "op", backend)
    (run,) = [o for o in OPERATORS if o.__name__ == operator]
    (statement,) = found.nodes(ast.Return)
    assert [ast.unparse(replaced(statement.value, old, new)) for old, new in run(found)] == list(after)


def test_every_operator_is_shown_on_both_frameworks():
    wanted = {(operator.__name__, backend) for operator in OPERATORS for backend in ("torch", "tf")}
    assert {row[:2] for row in SNIPPETS} == wanted


def test_helpers_are_gradient_code_where_no_forward_uses_them():
    helpers = (
        "def slope(x):\n    return 2 * x\n\n\ndef shared(x):\n    return 3 * x\n\n\ndef idle(x):\n    return 4 * x\n"
    )
    tree = ast.parse(helpers + snippet("tf", "slope(x) * shared(x)").replace("x + z, vjp", "shared(x), vjp"))
    assert [c.value for g in gradients(tree, "op", "tf") for c in g.nodes(ast.Constant)] == [2]


def test_locals_are_swapped_for_locals_that_are_there_already():
    tree = ast.parse(
        snippet("tf", "a * b").replace("return a * b", "a = x; b = z\n            c = a\n            return b")
    )
    (found,) = gradients(tree, "op", "tf")
    (run,) = [o for o in OPERATORS if o.__name__ == "names_swapped"]
    assert [(old.id, new.id) for old, new in run(found) if old.id in "abc"] == [("a", "b"), ("b", "a"), ("b", "c")]


def test_a_lambda_is_gradient_code():
    code = "@tf.custom_gradient\ndef op(x):\n    return tf.sin(x), lambda dy: tf.cos(x) * dy\n"
    (found,) = gradients(ast.parse(code), "op", "tf")
    assert (found.cotangents, found.tensors) == (("dy",), ("x",))
    assert [ast.unparse(g) for group in found.returned for g in group] == ["tf.cos(x) * dy"]


@on_both
@pytest.mark.slow
def test_each_mutant_is_one_of_its_kind(backend):
    for op in everything(backend):
        made = mutants(op, backend)
        source = inspect.getsource(home(op, backend)[0]).splitlines()
        assert len(made) >= 10 or op.name == "recompute" or op.through, op.name  # which have no formula of their own
        assert len({m.source for m in made}) == len({(m.label, m.line) for m in made}) == len(made), op.name
        assert [m.number for m in made] == list(range(len(made)))
        for m in made:
            changed = [n for n, (a, b) in enumerate(zip(source, m.source.splitlines(), strict=True), 1) if a != b]
            assert changed, m
            assert changed[0] == m.line, m


@on_both
@pytest.mark.parametrize("name", [*registry.ops(), *TOYS])
def test_no_mutant_says_the_same_in_other_words(backend, name):
    op = registry.ops().get(name) or next(op for op in right_toys(backend) if op.name == name)
    source = inspect.getsource(home(op, backend)[0])
    codes = [ast.unparse(ast.parse(text)) for text in (source, *(m.source for m in mutants(op, backend)))]
    assert len(set(codes)) == len(codes)


@on_both
def test_the_list_is_the_same_every_time(backend):
    for name in ("my_elementwise", "conditional_op"):
        op = registry.ops()[name]
        assert mutants(op, backend) == machine.mutants(op, backend)


@on_both
def test_only_gradient_code_is_mutated(backend):
    for op in everything(backend):
        tree = ast.parse(inspect.getsource(home(op, backend)[0]))
        name = "backward" if backend == "torch" else "vjp"
        helpers = [
            f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name != op.name
        ]  # of the gradient alone
        gradients = [f for f in ast.walk(tree) if getattr(f, "name", "") == name]
        inside = {n for f in (*gradients, *helpers) for n in range(f.lineno, f.end_lineno + 1)}
        assert {m.line for m in mutants(op, backend)} <= inside


@on_both
def test_of_a_toy_only_its_own_gradient_is_mutated(backend):
    cube, sine = (op for op in right_toys(backend) if op.name in {"cube", "sine"})
    assert {m.line for m in mutants(cube, backend)}.isdisjoint(m.line for m in mutants(sine, backend))


@on_both
def test_the_constant_2_becomes_3(backend):
    op, name = registry.ops()["sin_squared"], {"torch": "torch.sin(x).mul_", "tf": "tf.sin(at)"}[backend]
    m = next(m for m in mutants(op, backend) if name in m.label and "3" in m.label)
    right = gradient_at(Mutant(op, backend, 9999, "", 0, inspect.getsource(home(op, backend)[0])))
    wrong = gradient_at(m)
    np.testing.assert_allclose(right.vjp[0], 6 * np.sin(1) * np.cos(1), rtol=1e-12)
    np.testing.assert_allclose(wrong.vjp[0], 9 * np.sin(1) * np.cos(1), rtol=1e-12)
    np.testing.assert_array_equal(wrong.value[0], right.value[0])


@on_both
@pytest.mark.parametrize("name", ["my_elementwise", "sin_squared", "custom_relu"])
def test_mutants_run_forward(backend, name):
    op = registry.ops()[name]
    for m in mutants(op, backend):
        outcome = gradient_at(m)
        want = op(*(np.full((2, 2), 1.0 + k) for k in range(len(op.inputs))))
        np.testing.assert_allclose(outcome.value[0], want, rtol=1e-12, err_msg=m.label)  # the forward is right
        assert outcome.raised is None or outcome.raised.stage == "backward", m


@on_both
def test_a_bound_mutant_has_a_source_and_a_place(backend):
    op = registry.ops()["squared_error_floor_gradient"]
    twin = op.twin(backend)
    label, line = {
        "torch": ("outside.mul_(2) -> outside.mul_(3)", "outside.mul_((3))"),
        "tf": ("2 * d -> 3 * d", "(3) * d"),
    }[backend]
    (m,) = [m for m in mutants(op, backend) if m.label == label]
    bound = m.bound()
    wrong = bound.twin(backend)
    module = sys.modules[wrong.__module__]
    assert module is not sys.modules[twin.__module__]
    assert wrong is not twin
    assert inspect.getsource(module) == m.source
    assert inspect.getsource(wrong) in m.source
    assert line in m.source.splitlines()[m.line - 1]
    assert (
        RUNNERS[backend].where(bound).startswith(f"<mutant {m.number} of squared_error_floor_gradient> {backend}_impl/")
    )
    assert op.twin(backend) is twin


@on_both
def test_a_traceback_shows_the_mutated_line(backend):
    op, name = registry.ops()["sin_squared"], {"torch": "torch.sin(x).mul_", "tf": "tf.sin(at)"}[backend]
    m = next(m for m in mutants(op, backend) if name in m.label and "3" in m.label)
    lines = m.source.splitlines(keepends=True)
    lines[m.line - 1] = lines[m.line - 1].replace(".sin(", ".no_such_function(")
    with pytest.raises(AttributeError) as caught:
        run_backward(Mutant(op, backend, 10000, "", m.line, "".join(lines)).bound(), backend)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert any("no_such_function" in (frame.line or "") and frame.lineno == m.line for frame in frames)


def run_backward(op, backend):
    if backend == "torch":
        import torch

        x = torch.ones(2, requires_grad=True)
        op.twin("torch")(x).sum().backward()
        return
    import tensorflow as tf

    x = tf.ones(2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = op.twin("tf")(x)
    tape.gradient(y, x)


def test_autograph_reads_the_mutated_source():
    tf = pytest.importorskip("tensorflow")
    op = registry.ops()["sin_squared"]
    (m,) = [m for m in mutants(op, "tf") if m.label == "2 * tf.sin(at) -> 3 * tf.sin(at)"]
    text = "    if tf.reduce_sum(x) > 0:\n        x = x + 0\n    return forward("  # a graph needs AutoGraph for this
    traced = Mutant(op, "tf", 10001, "", m.line, m.source.replace("    return forward(", text)).bound()
    np.testing.assert_allclose(tf.function(traced.twin("tf"))(tf.ones(2)), np.sin([1, 1]) ** 2, rtol=1e-6)


@on_both
def test_the_checks_find_a_mutant(backend):
    op = registry.ops()["my_elementwise"]
    (m,) = [m for m in mutants(op, backend) if m.label == "return (dx1, dx2) -> return (dx2, dx1)"]
    report = porting.check(m.bound(), runners=[backend], dtypes=["float64"], only=["vjp"])
    assert report.exit_code == 1


@on_both
def test_a_twin_inside_a_function_is_refused(backend):
    def hidden(x):
        return x

    with pytest.raises(NoGradientError, match="not at the top"):
        mutants(TOYS["cube"].bind(**{backend: hidden}), backend)


def test_an_apply_is_a_twin_too():
    pytest.importorskip("torch")
    (cube,) = [op for op in right_toys("torch") if op.name == "cube"]
    module = sys.modules[cube.twin("torch").__module__]
    applied = cube.bind(torch=module.CubeFunction.apply)
    assert [m.label for m in mutants(applied, "torch")] == [m.label for m in mutants(cube, "torch")]
    assert mutants(applied, "torch")[0].bound().twin("torch") != module.CubeFunction.apply


@on_both
def test_every_equivalent_mutant_is_there(backend):
    named = {op.name: op for op in everything(backend)}
    listed = {key for key in equivalents() if key[1] == backend}
    assert listed
    assert {op for op, _, _ in listed} <= set(named)
    made = {m.key for name in {op for op, _, _ in listed} for m in mutants(named[name], backend)}
    assert listed <= made


ENTRY = {"ops": ["cube"], "backend": "torch", "labels": ["a -> b", "a -> c"], "reason": "because"}


def toml(*entries):
    tables = ("\n".join(f"{key} = {json.dumps(value)}" for key, value in entry.items()) for entry in entries)
    return "\n".join(f"[[equivalent]]\n{table}" for table in tables)


def test_a_right_entry_is_read(tmp_path):
    path = tmp_path / "list.toml"
    path.write_text(toml(ENTRY))
    assert equivalents(path) == {("cube", "torch", label): "because" for label in ("a -> b", "a -> c")}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (toml({**ENTRY, "line": "3"}), "exactly the keys"),
        (toml({k: v for k, v in ENTRY.items() if k != "reason"}), "exactly the keys"),
        (toml({**ENTRY, "reason": " "}), "empty"),
        (toml(ENTRY).replace('"because"', "3"), "no text"),
        (toml({**ENTRY, "ops": "cube"}), "are lists"),
        (toml({**ENTRY, "labels": []}), "empty"),
        (toml({**ENTRY, "backend": "jax"}), "no backend"),
        (toml(ENTRY, ENTRY), "twice"),
        (toml({**ENTRY, "labels": ["a -> b", "a -> b"]}), "twice"),
        (toml(ENTRY).replace("[[equivalent]]", "[[equivalents]]"), "only"),
        ("[[equivalent]", "list.toml"),
    ],
)
def test_the_list_of_equivalents_is_strict(tmp_path, text, fault):
    path = tmp_path / "list.toml"
    path.write_text(text)
    with pytest.raises(EquivalentsError, match=fault):
        equivalents(path)


def test_a_list_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(EquivalentsError):
        equivalents(tmp_path / "none.toml")
    assert machine.EQUIVALENT.is_file()
