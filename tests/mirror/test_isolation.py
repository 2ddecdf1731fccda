"""What is imported when: shown in fresh processes."""

import subprocess
import sys

import pytest

HEAVY = ("torch", "tensorflow", "numpy", "matplotlib", "libcst")


def loaded(code):
    """Return which heavy packages a fresh interpreter has loaded after some code."""
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*(m for m in {HEAVY} if m in sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import porting", set()),
        ("import porting.cli.main", set()),
        ("from porting.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass", set()),
        ("import porting; porting.op, porting.check, porting.Report", {"numpy"}),
        ("from porting.registry import ops; ops()", {"numpy"}),
        ("import porting; porting.check('my_elementwise', runners=['oracle'])", {"numpy"}),
        ("from porting.cli.main import main; main(['show', 'sin_squared'])", {"numpy"}),
    ],
)
def test_no_framework_is_loaded(code, allowed):
    assert loaded(code) <= allowed


def test_torch_twins_do_not_load_tensorflow():
    pytest.importorskip("torch")
    lazy = "import sys, torch_impl; assert not {'torch_impl.loss', 'torch_impl.activation'} & sys.modules.keys()"
    one = "from torch_impl import sin_squared; assert 'torch_impl.loss' not in sys.modules"
    rest = "import torch_impl.published, torch_impl.activation, torch_impl.loss, torch_impl.nn"
    assert "tensorflow" not in loaded(f"{lazy}\n{one}\n{rest}")


@pytest.mark.slow
def test_tf_twins_do_not_load_torch():
    pytest.importorskip("tensorflow")
    assert "torch" not in loaded("import tf_impl.published, tf_impl.activation, tf_impl.loss, tf_impl.layers")
