"""What the samples of the rules are about: fixed variables, and a translation of one expression that reads them."""

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from libcst import BaseExpression, Module

from porting.translate.abstract_value import FLOAT, INT, MASK, SHAPE, Abstract, Sort
from porting.translate.code import source
from porting.translate.lower.expression import Expressions
from porting.translate.names import Names
from porting.translate.read.source import parse_source
from porting.translate.refusal import Refusal
from porting.translate.rule import TOPICS, Rule

_BOTH = "import numpy as np\nimport math\nimport os\nimport random\nimport einops"
IMPORTS = {
    "torch": f"import torch\nimport torch.nn.functional as F\n{_BOTH}",
    "tf": f"import tensorflow as tf\n{_BOTH}",
}
# Variables of every sample: their values, and what the translator knows of them.
VALUES = {
    "x": np.array([[0.3, -1.2, 2.5, -0.4], [1.7, 0.8, -2.1, 0.6], [-0.9, 1.1, 0.2, -1.5]]),
    "y": np.array([[1.3, 0.7, -0.5, 2.2], [-1.1, 0.4, 1.6, -0.3], [0.9, -2.4, 1.2, 0.5]]),
    "p": np.array([[0.3, 0.9, 0.5, 0.2], [0.7, 0.4, 0.6, 0.1], [0.8, 0.25, 0.35, 0.65]]),  # between 0 and 1
    "v": np.array([0.4, -1.3, 2.2, 0.9]),
    "z": np.linspace(-2.0, 2.1, 24).reshape(2, 3, 4),
    "s": np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.1]]),  # symmetric, positive definite
    "r": np.array([[1.0, -0.5], [0.2, 0.7], [-0.3, 1.4]]),  # right-hand sides for s
    "n": np.array([[0, 2, 1, 1], [2, 1, 0, 2], [1, 0, 2, 0]]),
    "at": np.array([2, 0]),
    "mask": np.array([[True, False, True, True], [False, True, False, False], [True, True, False, True]]),
    "e": np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5]),  # where functions differ
    "k": 2,
    "c": 0.3,
    "shape": (4, 3),
}
KINDS = {
    **{name: Abstract(Sort.TENSOR, "float", name) for name in ("x", "y", "p", "v", "z", "s", "r", "e")},
    **dict.fromkeys(("n", "at"), INT),
    "mask": MASK, "k": Abstract(Sort.STATIC, "int"), "c": Abstract(Sort.STATIC, "float"), "shape": SHAPE,
}  # fmt: skip
assert FLOAT.tensor


class Rewrite(NamedTuple):
    """An expression, and what it becomes: texts; the values of both are compared."""

    before: str
    after: str
    to: str  # torch, tf or numpy
    of: str = ""  # torch, or tf where `to` is torch
    general: bool = False  # whether it is to hold for every input

    @property
    def dialect(self) -> str:
        """Whose words `before` is in."""
        return self.of or ("tf" if self.to == "torch" else "torch")


class Refused(NamedTuple):
    """An expression that has no translation, and a part of the message."""

    before: str
    why: str
    to: str
    of: str = ""

    @property
    def dialect(self) -> str:
        """Whose words `before` is in."""
        return self.of or ("tf" if self.to == "torch" else "torch")


class Watched(Expressions):
    """Notes the rules that a translation meets, and what is known of its value."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.met: list[Rule] = []
        self.kind = Abstract()

    def apply(self, found, node, receiver):
        self.met.append(found.rule)
        return super().apply(found, node, receiver)

    def write(self, rule, given, kinds, what):
        self.met.append(rule)
        return super().write(rule, given, kinds, what)


@cache
def _imports(of: str) -> Module:
    return _module(IMPORTS[of])


def _module(text: str) -> Module:
    return parse_source(f"{text}\n", Path("sample.py")).module


def _expression(text: str) -> BaseExpression:
    """Parse an expression alone: with the imports in front it takes three times as long, thousands of times."""
    return _module(f"_ = {text}").body[-1].body[0].value


def watched(of: str, to: str, module: Module) -> Watched:
    """Return what translates, with the variables of the samples."""
    return Watched(of, to, Names(module), dict(KINDS), lambda *_: None, [])


def translated(text: str, of: str, to: str, *, general: bool = False) -> tuple[str, Watched]:
    """Return an expression in another dialect; raise `Refusal` where there is none."""
    expressions = watched(of, to, _imports(of))
    expressions.general = TOPICS if general else ()
    made, expressions.kind = expressions.typed(_expression(text))
    return source(made), expressions


def rules_met(row: Rewrite | Refused) -> list[Rule]:
    """Return the rules that a sample is about."""
    expressions = watched(row.dialect, row.to, _imports(row.dialect))
    with suppress(Refusal):
        expressions(_expression(row.before))
    return expressions.met
