"""A mode that is not whole is a mode of `porting check`: value and gradient are asked in it, and nothing else."""

import tomllib
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorflow")

import porting
from porting import check, record
from porting.dtypes import FLOATS
from porting.parity.plan import UsageError, plan
from porting.registry import ops
from porting.runners import RUNNERS
from porting.runners.bundle import MODULES

ALL = {"runners": (), "devices": ["cpu"], "dtypes": ["float64"], "only": (), "keyword": ""}


@pytest.mark.parametrize("key", ["torch", "tf"])
def test_all_means_every_mode_of_each_runner_and_only_whole_ones_have_every_check(key):
    runner = RUNNERS[key]
    tasks = [task for task in plan("reverse_gradient", modes=["all"], **ALL).tasks if task.runner == key]
    by_mode = {mode: {task.check for task in tasks if task.mode == mode} for mode in runner.modes}
    assert {task.mode for task in tasks} == set(runner.modes)
    for mode, names in by_mode.items():
        assert (names == {"value", "vjp"}) == (mode not in runner.whole), mode


def test_the_oracle_has_eager_mode_only_and_an_unknown_mode_is_refused():
    tasks = plan("reverse_gradient", modes=["all"], **ALL).tasks
    assert {task.mode for task in tasks if task.runner == "oracle"} == {"eager"}
    with pytest.raises(UsageError, match="did you mean unknown-rank"):
        plan("reverse_gradient", modes=["unknown-rnk"], **ALL)


@pytest.mark.slow
def test_a_gradient_that_is_lost_in_a_mode_differs_and_what_a_mode_cannot_run_is_not_applicable():
    import tensorflow as tf

    def lost(x, *, scale=1.0):
        """Have a body that forward mode differentiates."""
        return tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: -scale * tf.convert_to_tensor(dy)))(x)

    asked = {"runners": ["tf"], "modes": ["keyword", "forward", "mixed"], "dtypes": ["float64"]}
    status = {(r.mode, r.check): r.status for r in check(ops()["reverse_gradient"].bind(tf=lost), **asked).results}
    assert status == {
        ("keyword", "value"): "agree",
        ("keyword", "vjp"): "agree",
        ("forward", "value"): "agree",
        ("forward", "vjp"): "differ",
        ("mixed", "value"): "not applicable",
        ("mixed", "vjp"): "not applicable",
    }


def test_only_whole_modes_are_recorded(tmp_path):
    from porting import Pair, array

    pair = Pair(torch="torch_impl.gradient.reverse_gradient:reverse_gradient", inputs={"x": array(("n",))})
    with pytest.raises(UsageError, match="PyTorch is not recorded in mode vmap; it is recorded in: eager"):
        record(pair, tmp_path / "a.npz", modes=["vmap"])


def test_another_interpreter_is_sent_whole_modes_only():
    assert not any(".modes" in module or module.endswith("in_mode") for module in MODULES)


@pytest.mark.parametrize("key", ["torch", "tf"])
def test_every_mode_says_what_counts_as_kept(key):
    path = Path(porting.__file__).parent / "backends" / key / "modes.toml"
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(said) == set(RUNNERS[key].modes)
    for about in said.values():
        assert {"kept"} <= set(about) <= {"kept", "dtype", "issue", "instead"}
        assert about.get("dtype", "float16") in FLOATS
        assert all(about[name].endswith(".") for name in ("kept", "instead") if name in about)
