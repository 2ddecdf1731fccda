"""Every rule: what it writes, that it is worth the same number, what it refuses."""

import importlib
import math
import os
import pkgutil
import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import einops
import numpy as np
import pytest
from words import VALUES, Refused, Rewrite, rules_met, translated

import porting.translate.rules as folder
from porting.backends import BACKENDS
from porting.runners.stream import Stream
from porting.translate.abstract_value import Sort
from porting.translate.refusal import Refusal
from porting.translate.rules import rules

_SAMPLES = Path(__file__).parent / "samples"
MODULES = sorted(path.stem for path in _SAMPLES.glob("*.py"))
ROWS = [row for name in MODULES for row in importlib.import_module(f"samples.{name}").SAMPLES]
REWRITES = [row for row in ROWS if isinstance(row, Rewrite)]
REFUSED = [row for row in ROWS if isinstance(row, Refused)]
RULE_MODULES = sorted(info.name for info in pkgutil.iter_modules(folder.__path__))
_NUMBER = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}


@cache
def _translated(row):
    return translated(row.before, row.dialect, row.to, general=getattr(row, "general", False))


def _id(row):
    return f"{row.dialect}-{row.to}: {row.before}{' (general)' if getattr(row, 'general', False) else ''}"


@pytest.mark.parametrize("row", REWRITES, ids=_id)
def test_what_is_written(row):
    text, _ = _translated(row)
    assert text == row.after
    _compare(row, "float64", rtol=1e-6, atol=1e-12, double=1e-9)
    if row.to != "numpy":
        _compare(row, "float32", rtol=1e-4, atol=1e-5)  # no rule brings in a floating type of its own
    if row.to == "tf":
        _same_in_a_graph(row)
    _imports_what_it_uses(row)
    _what_is_known_of_its_value_is_true(row)


def _same_in_a_graph(row):
    text, expressions = _translated(row)
    eager = _run(text, "tf", expressions.helpers)
    tensors = [item for item in eager if hasattr(item, "numpy")]
    made = _run(text, "tf", expressions.helpers, graph=True) if tensors else []
    for ours, theirs in zip(tensors, made, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-12)


def _imports_what_it_uses(row):
    """The values are compared where `math` is known; a user's file knows only what it imports."""
    text, expressions = _translated(row)
    for name in ("math", "os", "random", "einops"):
        use = re.compile(rf"(?<![.\w]){name}\.")
        used = any(map(use.search, (text, *expressions.helpers.values())))
        given = use.search(row.before) or name in expressions.imports
        assert given or not used, f'the rule writes {name}: its writer calls w.imports.add("{name}")'


def _what_is_known_of_its_value_is_true(row):
    """A wrong kind of number becomes a wrong cast in TensorFlow."""
    _, expressions = _translated(row)
    found = _value(row.before, row.dialect)
    kinds = expressions.kind.items if expressions.kind.sort is Sort.TUPLE else (expressions.kind,) * len(found)
    for kind, item in zip(kinds, found, strict=False):  # of a list that is split, two stand for all
        if kind.sort in {Sort.TENSOR, Sort.STATIC} and kind.number:
            assert kind.number == _NUMBER.get(item.dtype.kind)


@pytest.mark.parametrize("row", REFUSED, ids=_id)
def test_what_is_refused(row):
    with pytest.raises(Refusal) as refusal:
        _translated(row)
    assert row.why in str(refusal.value)


def test_every_file_of_rules_has_samples():
    assert MODULES == RULE_MODULES


def test_no_keyword_is_the_name_of_an_argument_before_it():
    """An argument that is given by keyword is looked up by both."""
    for rule in rules():
        for dialect in ("torch", "tf", "numpy"):
            for signature in rule.signatures(dialect):
                for one in signature.parameters:
                    first = next(p for p in signature.parameters if one.keyword in (p.keyword, p.name))
                    assert first.keyword == one.keyword, signature


def _spellings():
    """Yield what people call a rule in a dialect that has it, with both."""
    for module in RULE_MODULES:
        for rule in importlib.import_module(f"{folder.__name__}.{module}").RULES:
            paths = [signature.path for of in ("torch", "tf", "numpy") for signature in rule.signatures(of)]
            for dialect in ("torch", "tf"):
                if rule.signatures(dialect):
                    yield f"{module}: {paths[0]} ({dialect})", rule, dialect
            if rule.signatures("numpy") or "numpy" in rule.writers:
                yield f"{module}: {paths[0]} (numpy)", rule, "numpy"


@cache
def _met():
    """Return the rules that the samples meet, with the dialects that they come from and NumPy where they go there."""
    found = set()
    for row in ROWS:
        for rule in rules_met(row):
            found.add((id(rule), row.dialect))
            if row.to == "numpy" and isinstance(row, Rewrite):
                found.add((id(rule), "numpy"))
    return found


@pytest.mark.slow
def test_every_rule_has_a_sample():
    met = _met()
    assert [name for name, rule, dialect in _spellings() if (id(rule), dialect) not in met] == []


def _compare(row, precision, *, rtol, atol, double=None):
    """Compare both values; `double` is asked of double precision, unless TensorFlow rounds the source's constants."""
    text, expressions = _translated(row)
    before = _value(row.before, row.dialect, precision=precision)
    after = _value(text, row.to, expressions.helpers, precision=precision)
    assert len(before) == len(after)
    for ours, theirs in zip(before, after, strict=True):
        assert np.shape(ours) == np.shape(theirs)
        if ours.dtype.kind in "OU":  # a type of a framework, or its name
            assert _title(ours.item()) == _title(theirs.item())
            continue
        exact = double if theirs.dtype == np.float64 == ours.dtype and row.dialect != "tf" else None
        np.testing.assert_allclose(ours, theirs, rtol=exact or rtol, atol=atol)
        if row.to != "numpy":  # oracles are double precision, whatever they are made of
            _same_type(row, text, ours.dtype, theirs.dtype)


def _same_type(row, text, ours, theirs):
    """Compare types: integers may be narrower in TensorFlow, and a Python float is what a tensor makes of it."""
    assert _NUMBER.get(ours.kind) == _NUMBER.get(theirs.kind)
    if ours.kind == "f" and ours != theirs:
        helpers = _translated(row)[1].helpers
        values = [*_run(row.before, row.dialect), *_run(text, row.to, helpers)]
        assert any(isinstance(item, float) for item in values), f"{ours} became {theirs}"


def _title(dtype):
    return getattr(dtype, "name", str(dtype)).removeprefix("torch.")


def _value(text, dialect, helpers=None, precision="float64"):
    """Run an expression, and return its numbers: of one value, or of each of several."""
    return [_numbers(item) for item in _run(text, dialect, helpers, precision)]


def _numbers(item):
    if hasattr(item, "resolve_conj"):
        item = item.detach().resolve_conj()
        item = item.float() if "bfloat16" in str(item.dtype) else item  # NumPy has no such type
    made = np.asarray(item)
    return made.astype("float32") if "bfloat16" in str(made.dtype) else made


def _run(text, dialect, helpers=None, precision="float64", *, graph=False):
    """Run an expression, and return its value, or each of several."""
    space = {"np": np, "math": math, "os": os, "einops": einops}
    if dialect == "torch":
        import torch

        space |= {"torch": torch, "F": torch.nn.functional}
        tensor = torch.tensor
    elif dialect == "tf":
        import tensorflow as tf

        space["tf"] = tf
        tensor = tf.constant
    else:
        tensor = np.array
    for name, value in VALUES.items():
        array = isinstance(value, np.ndarray)
        space[name] = (
            tensor(value.astype(precision) if array and value.dtype.kind == "f" else value) if array else value
        )
    for code in (helpers or {}).values():
        exec(code, space)  # noqa: S102 - what the translator wrote
    found = []

    def run():
        value = eval(text, space)  # noqa: S307 - our own samples
        several = isinstance(value, tuple | list) and not all(isinstance(item, int | float) for item in value)
        found.extend(value if several else [value])
        return [item for item in found if hasattr(item, "dtype")]

    backend = BACKENDS.get(dialect)
    with backend.drawing(Stream(0)) if backend else nullcontext():
        if graph:
            return space["tf"].function(run, autograph=False)()
        run()
    return found
