"""Real frameworks at tiny sizes: what is planted is seen. Never an absolute time."""

import gc

import pytest

from porting.bench.measure import kept, measuring
from porting.bench.needed import needed
from porting.bench.problem import problem
from porting.bench.ratio import ratio
from porting.bench.result import rows
from porting.bench.subjects import SUBJECTS, subjects
from porting.registry import ops
from porting.runners import RUNNERS

SINE = ops()["sin_squared"]
needs_torch = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
needs_tf = pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs TensorFlow")
BACKENDS = [
    pytest.param("torch", ["eager"], marks=needs_torch),
    pytest.param("tf", ["eager", "function"], marks=needs_tf),
]


def measure(*given, **more):
    """Return what is found when everything has been measured."""
    steps = measuring(*given, **more)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "modes"), BACKENDS)
def test_a_slow_twin_is_seen(backend, modes):
    functions = subjects(SINE, backend)
    slow = {"twin": lambda x: sum(functions["composition"](x + 1e-9 * k) for k in range(40)) / 40}  # 40 different ones
    found = measure(backend, problem(SINE, 2**16, "float32"), {**functions, **slow}, modes, 5)
    assert set(found["times"]) == set(modes)
    assert found["floor_bytes"] == 20 * 2**16
    assert found["elements"] == 2**16
    for mode in modes:
        times = found["times"][mode]
        assert not found["errors"][mode]
        assert {len(t) for t in (*times.values(), found["floor"])} == {5}
        assert ratio(times["twin"], times["composition"]).median > 3
    row = rows(SINE, backend, 2**16, found, 0.3)[0]
    assert (row.op, row.mode, row.size, row.rounds) == ("sin_squared", f"{backend}-{modes[0]}", 2**16, 5)
    assert row.ratios["composition"].median > 3
    assert row.over_floor["composition"].median < row.ratios["floor"].median


@pytest.mark.parametrize(("backend", "modes"), BACKENDS)
def test_what_cannot_be_compared_has_no_time(backend, modes):
    functions = subjects(SINE, backend)

    def fails(x):
        raise ValueError("not today")

    changed = {**functions, "composition": lambda x: functions["twin"](x) * 1.01, "built-in": fails}
    found = measure(backend, problem(SINE, 256, "float32"), changed, modes, 5)
    for mode in modes:
        assert set(found["times"][mode]) == {"twin"}
        assert found["errors"][mode]["composition"].startswith("computes something else than the twin in ")
        assert "not today" in found["errors"][mode]["built-in"]
        assert "\n" not in found["errors"][mode]["built-in"]


@needs_torch
def test_a_slow_composition_is_above_the_limit_and_its_one_kernel_is_not(monkeypatch):
    """Each step takes as long as the kernels that it calls: counted, not timed."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Counting(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            passes[0] += 0 if function.is_view or "detach" in str(function) else 1
            return function(*args, **(kwargs or {}))

    passes = [0]

    def counted(steps, rounds, **_):
        found = {}
        for name, step in steps.items():
            passes[0] = 0
            with Counting():
                step()
            found[name] = [float(passes[0] if name[-1] != "numpy" else 99)] * rounds
        return found

    monkeypatch.setattr("porting.bench.measure.interleaved", counted)
    op, one = ops()["log1p_exp"], torch.nn.functional.softplus
    slow = lambda x: x.clamp(min=0) + (-x.abs()).exp().log1p()  # noqa: E731 - beside the other way
    over = {}
    for name, twin in (("one", one), ("slow", slow)):
        (row,) = rows(
            op,
            "torch",
            64,
            measure("torch", problem(op, 64, "float32"), {"twin": twin}, ["eager"], 3, needed=needed(op)),
            0.3,
        )
        over[name] = row.ratios["limit"].median
    assert over["one"] == 1
    assert over["slow"] > 2


@needs_torch
def test_a_twin_that_saves_twice_as_much_is_seen():
    import torch

    asked = problem(SINE, 1024, "float32")
    functions = subjects(SINE, "torch")
    once = kept("torch", asked, functions["twin"], functions["twin"])
    assert once == asked.input_bytes
    assert kept("torch", asked, functions["twin"], functions["composition"]) == 2 * once

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, x.cos())
            return x.sin() ** 2

    class OnCtx(Twice):
        @staticmethod
        def forward(ctx, x):
            ctx.cosine = x.cos()
            ctx.save_for_backward(x)
            return x.sin() ** 2

    for fat in (Twice, OnCtx):
        assert kept("torch", asked, functions["twin"], fat.apply) == 2 * once
    views = lambda x: SINE.twin("torch")(x.view(32, 32)).view(-1)  # noqa: E731 - another view of the same storage
    assert kept("torch", asked, functions["twin"], views) == once


@needs_torch
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the compiler's own, and those of its imports
def test_compiled_or_an_error_never_silently_eager():
    import torch

    functions = subjects(SINE, "torch")

    def breaks(x):
        torch._dynamo.graph_break()
        return functions["composition"](x)

    found = measure(
        "torch", problem(SINE, 256, "float32"), {**functions, "composition": breaks}, ["eager", "compile"], 5
    )
    assert set(found["times"]["eager"]) == {"twin", "composition"}
    assert set(found["times"]["compile"]) == {"twin"}, found["errors"]
    assert "graph_break" in found["errors"]["compile"]["composition"] or found["errors"]["compile"]["composition"]

    disabled = torch._dynamo.disable(functions["composition"])
    found = measure("torch", problem(SINE, 256, "float32"), {**functions, "composition": disabled}, ["compile"], 5)
    assert "composition" in found["errors"]["compile"]


@pytest.fixture
def _few_objects():
    """Have the garbage collection before each timing look at what is new, not at all of both frameworks."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.slow
@pytest.mark.usefixtures("_few_objects")
@pytest.mark.parametrize(("backend", "modes"), BACKENDS)
@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_all_subjects_compute_the_same(op, backend, modes):
    functions = subjects(op, backend)
    assert set(functions) <= set(SUBJECTS)
    found = measure(backend, problem(op, 2**10, "float32"), functions, modes[:1], 5)
    assert found["errors"][modes[0]] == {}


@pytest.mark.parametrize(("backend", "modes"), BACKENDS)
def test_comparisons_are_of_ops_that_there_are(backend, modes):
    from importlib import import_module
    from pkgutil import iter_modules

    package = import_module(f"porting.bench.{backend}")
    for info in iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        for name in (*module.COMPOSITION, *module.BUILT_IN):
            assert ops()[name].family == info.name
