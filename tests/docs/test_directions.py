"""The site shows each snippet of the map in either direction: both halves are whole."""

import ast
import builtins
import re
import symtable
from importlib import import_module

import pytest
from sitebuild import DOCS, MISSING

pytestmark = pytest.mark.skipif(bool(MISSING), reason="the extra docs is not installed")
MAP = (DOCS / "guide" / "porting.md").read_text()
SNIPPETS = re.findall(r"(?ms)^```python\n(.*?)^```", MAP)


@pytest.fixture
def directions(monkeypatch):
    monkeypatch.syspath_prepend(DOCS / "_ext")
    return import_module("directions")


@pytest.fixture
def halves_of(monkeypatch):
    monkeypatch.syspath_prepend(DOCS / "_ext")
    return import_module("halves").halves


def unknown(code):
    """Return the names that code takes from its module, and that its module does not bind."""
    module = symtable.symtable(code, "half", "exec")
    bound = {s.get_name() for s in module.get_symbols() if s.is_assigned() or s.is_imported()}
    used, scopes = {s.get_name() for s in module.get_symbols() if s.is_referenced()}, list(module.get_children())
    for scope in scopes:
        used |= {s.get_name() for s in scope.get_symbols() if s.is_global()}
        scopes += scope.get_children()
    return used - bound - set(dir(builtins))


@pytest.mark.parametrize("code", SNIPPETS, ids=range(len(SNIPPETS)))
def test_each_half_is_whole_and_of_one_framework(halves_of, code):
    halves = halves_of(code)
    for key, other in (("torch", "tf"), ("tf", "torch")):
        assert not unknown(halves[key])
        assert not re.search(rf"\b{other}\.", re.sub(r"(?m)#.*$|\"[^\"]*\"", "", halves[key]))
    together = "".join("".join(halves.values()).split())
    for node in ast.parse(code).body:
        text = ast.get_source_segment(code, node)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and all(halves.values()):
            assert "".join(text.split()) in together, text


def test_most_snippets_have_two_halves(halves_of):
    both = [code for code in SNIPPETS if all(halves_of(code).values())]
    assert len(both) > len(SNIPPETS) * 3 / 4


EXAMPLE = """\
from unittest import TestCase

import tensorflow as tf
import torch

state = {"slope": 2.0}


class Scale(torch.autograd.Function):  # both
    forward = staticmethod(lambda x: x * state["slope"])


def scale(x):
    return tf.constant(1.0) * x


x, x_tf = torch.tensor(1.0), tf.Variable([1.0])
state["slope"] = 5.0
y_tf = scale(x_tf)
assert Scale.apply(x) == y_tf
with TestCase().assertRaises(ValueError):
    y_tf.nothing()
"""
HALVES = {
    "torch": """\
import torch

state = {"slope": 2.0}


class Scale(torch.autograd.Function):  # both
    forward = staticmethod(lambda x: x * state["slope"])


x = torch.tensor(1.0)""",
    "tf": """\
from unittest import TestCase

import tensorflow as tf


def scale(x):
    return tf.constant(1.0) * x


x_tf = tf.Variable([1.0])
y_tf = scale(x_tf)
with TestCase().assertRaises(ValueError):
    y_tf.nothing()""",
}


def test_a_statement_goes_with_the_framework_of_what_it_uses(halves_of):
    assert halves_of(EXAMPLE) == HALVES


def test_the_map_has_its_columns_in_either_order(directions):
    text = [MAP]
    directions.read(None, "guide/porting", text)
    to_torch, to_tf = re.findall(r"(?ms)^\| concept \|.*?(?=^:::)", text[0])
    assert to_torch.startswith("| concept | TensorFlow, old | PyTorch, new | the trap |")
    assert to_tf.startswith("| concept | PyTorch, old | TensorFlow, new | the trap |")
    row = (
        "| [Keyword calls](traps/keyword-call.md) | {} | {} | an all-keyword call is silently differentiated as usual |"
    )
    assert row.format("skip the custom gradient", "fine") in to_torch
    assert row.format("fine", "skip the custom gradient") in to_tf
    assert to_torch.count("\n") == to_tf.count("\n") > 20


def test_blocks_of_both_frameworks_become_tabs_and_keep_their_text(directions):
    page = (DOCS / "guide" / "traps" / "keyword-call.md").read_text()
    text = [page]
    directions.read(None, "guide/traps/keyword-call", text)
    assert re.findall(r"(?m)^:::\{tab-item\} (.*)$", text[0]) == ["TensorFlow", "PyTorch"]
    left = re.sub(r"(?m)^:::.*\n|^:sync.*\n", "", text[0])
    assert re.sub(r"\s+", "", left) == re.sub(r"\s+|\*\*(?:PyTorch|TensorFlow)\*\*", "", page)
