"""Both twins of every op of the catalogue: translated and proven against the oracle, or refused with a reason."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from porting import check, registry
from porting.translate.module import Translator
from porting.translate.source import read_source

# What is not proven, and why; the rest is. A line too many fails as one too few does.
REFUSED = {
    "tf": {
        "gamma_sample_gradient": "its second derivative raises, in a class of its own",
        "recompute": "a decorator, whose function is an argument",
    },
    "torch": {
        "gamma_sample_gradient": "a kernel that PyTorch has in single precision",
        "recompute": "a function with any number of inputs",
        "scatter_mean": "a shape put together with tf.concat",
    },
}
_VECTOR = "the product of a vector and a matrix, which tf.matmul refuses"
_SCALAR = "a mask without axes, which tf.boolean_mask refuses"
_PRINTED = "differs from the oracle as its source does"
DIFFERENT = {
    "tf": {
        "entmax15_loss": _SCALAR,
        "fixed_point": "an input that may be None",
        "focal_loss": _SCALAR,
        "my_activation": _PRINTED,
        "ode_rk4_adjoint": _VECTOR,
        "reversible_block": _VECTOR,
        "scatter_mean": "numbers of a type that is not known meet counts",
        "smoothed_cross_entropy": _SCALAR,
        "sparsemax_loss": _SCALAR,
    },
    "torch": {
        "clip_gradient_norm": "the largest of no elements, which PyTorch refuses",
        "my_activation": _PRINTED,
        "soft_dtw": "torch.full has single precision, tf.fill that of its number",
    },
}
# Those that tell of the formula; `porting translate` asks them all.
CHECKS = ("value", "vjp", "second_order", "linear", "raw_gradient", "shapes", "layouts", "subsets", "single_outputs")
CASES = [(to, name) for to in ("tf", "torch") for name in registry.ops()]


def _translated(to, name):
    """Return the translation of an op's twin into the other framework."""
    of = "torch" if to == "tf" else "tf"
    module, _, function = registry.ops()[name].twin_path(of).partition(":")
    path = Path(find_spec(module).origin)
    return Translator(read_source(path), of, to).translate(function)


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
        pytest.param(to, name, marks=[pytest.mark.xfail(reason=DIFFERENT[to][name])] if name in DIFFERENT[to] else [])
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
        report = check(bound, runners=[to], only=CHECKS, dtypes=["float64"])
    finally:
        sys.modules.pop(f"translated_{name}_{to}", None)
    assert [f"{r.check}: {r.findings[0].seen}" for r in report.results if r.status == "differ"] == []
    assert {"value", "vjp"} <= {r.check for r in report.results if r.status == "agree" and r.compared}
