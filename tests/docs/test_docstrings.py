"""Examples in docstrings run."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import porting

MODULES = [info.name for info in pkgutil.walk_packages(porting.__path__, "porting.") if info.name != "porting.__main__"]


@pytest.mark.parametrize("name", MODULES)
def test_docstring(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's own code
@pytest.mark.parametrize("name", ["exportable", "forward_mode"])
def test_docstring_of_a_form_of_functions(name):
    pytest.importorskip("torch")
    found = doctest.testmod(import_module(f"torch_impl.{name}"))
    assert (found.failed, found.attempted > 0) == (0, True)
