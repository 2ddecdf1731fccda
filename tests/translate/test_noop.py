"""What looks like an operation with a rule and is none: it stays what it is, or is refused; never rewritten."""

import keyword
from pathlib import Path

import pytest
from words import IMPORTS, KINDS, watched

from porting.translate.abstract_value import STATIC
from porting.translate.code import source
from porting.translate.module import Translator
from porting.translate.read.source import parse_source, read_source
from porting.translate.refusal import Refusal
from porting.translate.rules import rules

PATHS = sorted(
    {
        (dialect, one.path)
        for rule in rules()
        for dialect in ("torch", "tf")
        for one in rule.signatures(dialect)
        if not one.attribute
    }
)
# Those that name axes, einops.rearrange(x, "n k -> k n", n=3), take any.
ANY = {
    one.path for rule in rules() for one in rule.signatures("torch") if any(p.kind == "named" for p in one.parameters)
}
FUNCTIONS = [(of, path) for of, path in PATHS if path.startswith(("torch.", "tf."))]
METHODS = [(of, path.rpartition(".")[2]) for of, path in PATHS if path.startswith("Tensor.")]
OTHER = {"torch": "tf", "tf": "torch"}
pytestmark = pytest.mark.parametrize("of", ["torch", "tf"])

_FILES = {
    "torch": """\
import torch

{own}class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x
{calls}        return y

    @staticmethod
    def backward(ctx, dy):
        return dy
""",
    "tf": """\
import tensorflow as tf

{own}@tf.custom_gradient
def Mine(x):
    def grad(dy):
        return dy

    y = x
{calls}    return y, grad
""",
}


def _of(framework, named):
    """Return the names of one framework, of which there is at least one."""
    found = [name for of, name in named if of == framework]
    assert found
    return found


def _translated(text, of, head, **scope):
    module = parse_source(f"{head}\n_ = {text}\n", Path("sample.py")).module
    expressions = watched(of, OTHER[of], module)
    expressions.scope.update(scope)
    return source(expressions(module.body[-1].body[0].value))


def test_another_library_under_the_name_of_the_framework(of):
    for path in _of(of, FUNCTIONS):
        with pytest.raises(Refusal, match=rf"^mine\.{path.partition('.')[2]}: no rule"):
            _translated(f"{path}(x)", of, f"import mine as {of}")


def test_a_function_of_another_library(of):
    for name in {path.rpartition(".")[2] for path in _of(of, FUNCTIONS)} - set(KINDS):  # variables of the samples
        with pytest.raises(Refusal, match=rf"^mine\.{name}: no rule"):
            _translated(f"{name}(x)", of, f"import {of}\nfrom mine import {name}")


def test_a_variable_of_the_name_of_the_framework(of):
    for path in _of(of, FUNCTIONS):
        if path.count(".") == 1:
            assert _translated(f"{path}(1)", of, IMPORTS[of], **{of: STATIC}) == f"{path}(1)"


def test_a_method_of_what_is_no_tensor(of):
    for name in _of(of, METHODS):
        assert _translated(f"meter.{name}(1)", of, "", meter=STATIC) == f"meter.{name}(1)"


def test_an_argument_that_the_framework_does_not_have(of):
    for path in _of(of, [(framework, path) for framework, path in PATHS if path not in ANY]):
        owner, _, rest = path.partition(".")
        with pytest.raises(Refusal, match="nonsense"):
            _translated(f"{'x' if owner == 'Tensor' else owner}.{rest}(nonsense=1)", of, IMPORTS[of])


@pytest.mark.slow
def test_functions_of_the_file_that_are_called_like_an_operation(of, tmp_path):
    names = sorted({path.rpartition(".")[2] for dialect, path in FUNCTIONS if dialect == of})
    names = [name for name in names if not keyword.iskeyword(name)]
    own = "".join(f"def {name}(x):\n    return x * {n}.5\n\n\n" for n, name in enumerate(names))
    calls = "".join(f"    y = y + {name}(x)\n" for name in names)
    text = _FILES[of].format(own=own, calls=calls if of == "tf" else calls.replace("    ", "        "))
    path = tmp_path / "own.py"
    path.write_text(text, encoding="utf-8")
    made = Translator(read_source(path), of, OTHER[of]).translate("Mine")
    assert not made.refused
    space = {}
    exec(made.text, space)  # noqa: S102 - what the translator wrote
    assert [name for name in names if name not in space] == []
    assert [n for n, name in enumerate(names) if space[name](2.0) != 2 * (n + 0.5)] == []
    assert [name for name in names if f"+ {name}(x)" not in made.text] == []
