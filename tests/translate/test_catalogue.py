"""Both twins of every op of the catalogue: translated and proven against the oracle, or refused with a reason."""

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from turns import EVERY, turn

from porting import check, registry
from porting.parity.known import CATALOGUE
from porting.translate.module import Translator
from porting.translate.read.source import read_source
from porting.translate.rule import TOPICS

# What is not proven, and why; the rest is. A line too many fails as one too few does.
REFUSED = {
    "tf": {
        **dict.fromkeys(("all_gather", "all_reduce", "reduce_scatter"), "ranks are processes, replicas one program"),
        "recompute": "a decorator, whose function is an argument",
    },
    "torch": {
        **dict.fromkeys(
            ("all_gather", "all_reduce", "reduce_scatter"), "replicas are one program, ranks are processes"
        ),
        "gamma_sample_gradient": "a kernel that PyTorch has in single precision",
        "recompute": "a function with any number of inputs",
        "scatter_mean": "a shape put together with tf.concat",
    },
}
_XLA = "tf.linalg.lu, which XLA does not compile"
_TRACED = "in a graph that does not know lengths: "
_MKL = "after other calls in the process, oneMKL refuses the pivots of PyTorch's own factors of a large matrix"
DIFFERENT = {
    "tf": {
        "fixed_point": "an input that may be None",
        "logdet": _XLA,
        "lsq_quantize": _TRACED + "the larger of one and 1",
        "reversible_block": _TRACED + "a comparison of two",
        "sinkhorn": _TRACED + "the logarithm of one",
        "soft_dtw": _TRACED + "a loop over one",
        "solve": _XLA,
    },
    "torch": {
        "clip_gradient_norm": "the largest of no elements, which PyTorch refuses",
        "logdet": _MKL,
        "reversible_block": "a name that stands for nothing until the forward has returned",
        "soft_dtw": "torch.full has single precision, tf.fill that of its number",
        "solve": _MKL,
    },
}
CASES = [(to, name) for to in ("tf", "torch") for name in registry.ops()]


@cache
def _translated(to, name):
    """Return the translation of an op's twin into the other framework, the one that is to hold for every input."""
    of = "torch" if to == "tf" else "tf"
    op = registry.ops()[name]
    module, _, function = op.twin_path(of).partition(":")
    if not module.endswith(f".{name}"):  # what it is checked through is not its twin
        module, function = f"{module}.{name}", name
    path = Path(find_spec(module).origin)
    return Translator(read_source(path), of, to, general=TOPICS).translate(function)


def _graphs_first(task):
    """Order the checks of what differs: most of it does in a graph, and one difference is enough."""
    return task.check not in {"traced", "xla"}


def _fails(reason):
    return pytest.mark.xfail(reason=reason, strict=reason is not _MKL)


@pytest.mark.parametrize(("to", "name"), CASES)
def test_it_is_translated_or_refused_with_a_reason(to, name):
    made = _translated(to, name)
    assert bool(made.refused) == (name in REFUSED[to])
    assert all(line > 0 and why for line, why in made.refused)


@pytest.mark.parametrize("to", ["tf", "torch"])
def test_most_are_proven(to):
    unproven = {*REFUSED[to], *DIFFERENT[to]}
    assert len(unproven) <= 0.15 * len(registry.ops())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("to", "name"),
    [
        pytest.param(to, name, marks=[_fails(DIFFERENT[to][name])] if name in DIFFERENT[to] else [])
        for to, name in CASES
        if name not in REFUSED[to]
    ],
)
def test_it_is_proven(to, name, tmp_path, monkeypatch):
    made = _translated(to, name)
    (tmp_path / f"translated_{name}_{to}.py").write_text(made.text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    bound = registry.ops()[name].bind(**{to: f"translated_{name}_{to}:{made.called}"})
    try:
        # In float64 all checks are made; the other types take turns, for a fifth of the ops. What is known of a twin
        # may differ: it stands for that twin.
        others, place = ("float16", "bfloat16", "float32"), turn(f"{to} {name}", 15)
        other = others if EVERY else others[place : place + 1]
        how = {"fail_fast": True, "order": _graphs_first} if name in DIFFERENT[to] else {}
        report = check(bound, runners=[to], dtypes=["float64", *other], known_differences=CATALOGUE, **how)
    finally:
        sys.modules.pop(f"translated_{name}_{to}", None)
    assert [f"{r.check}: {r.findings[0].seen}" for r in report.results if r.status == "differ"] == []
    assert {"value", "vjp"} <= {r.check for r in report.results if r.status == "agree" and r.compared}
