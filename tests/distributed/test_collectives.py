"""The collectives in two processes of PyTorch and in three replicas of TensorFlow are the oracle's."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numbers_of_ranks import LENGTH, cotangents, inputs

from porting import check
from porting.registry import ops

HERE = Path(__file__).parent
NAMES = list(inputs(2))
ENVIRONMENT = {
    **os.environ, "OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2", "PYTHONPATH": str(HERE.parents[1]),
    **({"GLOO_SOCKET_IFNAME": "lo"} if sys.platform == "linux" else {}),
}  # fmt: skip


def run(*commands):
    """Run programs beside each other."""
    all_of_them = [
        subprocess.Popen(
            [sys.executable, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT
        )
        for words in commands
    ]
    try:
        for process in all_of_them:
            said, _ = process.communicate(timeout=240)
            assert process.returncode == 0, said.decode()
    finally:
        for process in all_of_them:
            process.kill()


@pytest.fixture(scope="module", params=[("torch", 2), ("tf", 3)], ids=["torch", "tf"])
def found(request, tmp_path_factory):
    """Return how many ranks there were, and what each of them has of each collective."""
    key, ranks = request.param
    folder = tmp_path_factory.mktemp(key)
    if key == "torch":
        torch = pytest.importorskip("torch")
        if not (torch.distributed.is_available() and torch.distributed.is_gloo_available()):
            pytest.skip("needs gloo")
        run(*((HERE / "one_rank.py", rank, ranks, folder) for rank in range(ranks)))
    else:
        pytest.importorskip("tensorflow")
        run((HERE / "some_replicas.py", ranks, folder))
    return ranks, {name: [np.load(folder / f"{name}-{k}.npz") for k in range(ranks)] for name in NAMES}


def blocked(name, x):
    """Return numbers of ranks as the oracle has them: blocks have an axis of their own."""
    split = {"all_gather": "y", "reduce_scatter": "x"}.get(name)
    return (lambda a: a.reshape(len(a), len(a), LENGTH, 2)) if split == x else (lambda a: a)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_values_and_gradients_are_the_oracles(found, name):
    ranks, files = found
    op, given, got = ops()[name], blocked(name, "x"), blocked(name, "y")
    x, dy = given(inputs(ranks)[name]), got(cotangents(name, ranks))
    y = op(x)
    dx = op.vjp(2 * y * dy, x)  # of the squares
    second = op.vjp(2 * op(np.ones_like(x)) * dy, x)  # a linear map: d(sum dx)/dx is its transpose of 2 dy y(1)
    for key, want, form in (("y", y, got), ("dx", dx, given), ("second", second, given)):
        np.testing.assert_allclose(form(np.stack([file[key] for file in files[name]])), want, rtol=1e-13, err_msg=key)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_not_that_of_the_own_loss(found, name):
    ranks, files = found
    local = {
        "all_reduce": lambda k, g: g,
        "all_gather": lambda k, g: g[k * LENGTH :][:LENGTH],
        "reduce_scatter": lambda k, g: np.eye(ranks)[k, :, None, None] * g,
    }
    for k, file in enumerate(files[name]):
        own = local[name](k, 2 * file["y"] * cotangents(name, ranks)[k])
        assert np.abs(file["dx"].reshape(own.shape) - own).max() > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_threads_of_three_ranks_are_the_oracles(name):
    torch = pytest.importorskip("torch")
    from torch_impl import distributed, on_ranks

    op, given, got = ops()[name], blocked(name, "x"), blocked(name, "y")
    x, dy = torch.tensor(inputs(3)[name], requires_grad=True), cotangents(name, 3)
    y = on_ranks(getattr(distributed, name), 3)(x)
    (dx,) = torch.autograd.grad(y, x, torch.tensor(dy))
    np.testing.assert_allclose(got(y.detach().numpy()), op(given(inputs(3)[name])), rtol=1e-13)
    np.testing.assert_allclose(given(dx.numpy()), op.vjp(got(dy), given(inputs(3)[name])), rtol=1e-13)


def test_a_rank_that_raises_leaves_nothing_behind():
    torch = pytest.importorskip("torch")
    from torch_impl import distributed, on_ranks

    with pytest.raises(ValueError, match="the first axis must be a multiple of the 2 ranks"):
        on_ranks(distributed.reduce_scatter)(torch.ones(2, 3))
    with pytest.raises(ValueError, match="x has no axis"):
        on_ranks(distributed.all_gather)(torch.ones(2))
    with pytest.raises(ValueError, match="the first axis must be that of the 2 ranks"):
        on_ranks(distributed.all_reduce)(torch.ones(3, 2))
    assert on_ranks(distributed.all_reduce)(torch.ones(2, 3)).tolist() == [[2.0] * 3] * 2


def test_what_only_one_rank_hears_of_is_no_gradient():
    """A collective of one's own, whose backward returns the cotangent of its own rank, is told from the right one."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    from torch_impl import on_ranks

    def local(x, group):
        y = x.clone()
        torch.distributed.all_reduce(y, group=group)
        return y

    report = check(ops()["all_reduce"].bind(torch=on_ranks(local)), dtypes=["float64"], only=["value", "vjp"])
    assert {(r.runner, r.check): r.status for r in report.results if r.runner != "oracle"} == {
        ("torch", "value"): "agree", ("torch", "vjp"): "differ", ("tf", "value"): "agree", ("tf", "vjp"): "agree",
    }  # fmt: skip
