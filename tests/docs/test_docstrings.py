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
