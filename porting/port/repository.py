"""Finds functions that may be sides of a pair: hand-written gradients, and functions with the same names."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from porting.port.discover import python_files

_FRAMEWORKS: Final = {"torch": "torch", "tensorflow": "tf", "keras": "tf"}
# Words of a name that say what a thing is, and not which.
_NOISE: Final = re.compile(
    r"torch|pytorch|tf|tensorflow|keras|function|fn|func|op|layer|module|autograd|impl|custom|grad"
)
_MODULES: Final = {"torch": ("nn.Module", "Module"), "tf": ("layers.Layer", "Layer", "tf.Module")}


@dataclass(frozen=True)
class Candidate:
    """Something that may be a side.

    Attributes
    ----------
    side : {"torch", "tf"}
        Its framework.
    file : pathlib.Path
        Where it is.
    name : str
        What it is called there.
    arguments : tuple of str
        What it is called with; those of a module are those of its forward.
    wanted : int
        How many of them have no default.
    gradient : bool
        Whether it has a hand-written gradient.
    """

    side: str
    file: Path
    name: str
    arguments: tuple[str, ...]
    wanted: int
    gradient: bool

    @property
    def key(self) -> str:
        """The name without the parts that name a framework or a kind: ``soft_sign`` for ``SoftSignFunction``."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower().split("_")
        return "_".join(w for w in words if w and not _NOISE.fullmatch(w)) or self.name.lower().strip("_")


def candidates(folder: Path) -> tuple[list[Candidate], list[str]]:
    """Return the candidates that the files of a folder define, and messages about files that cannot be read."""
    found: list[Candidate] = []
    unread = []
    for path in sorted(python_files(folder)):
        try:
            tree = ast.parse(path.read_bytes(), filename=str(path))
        except (OSError, SyntaxError, ValueError) as error:
            unread.append(f"{path}: cannot be read: {getattr(error, 'msg', None) or error}")
            continue
        found += _of_file(tree, path)
    return found, unread


def _of_file(tree: ast.Module, path: Path) -> list[Candidate]:
    sides = {_FRAMEWORKS[name] for name in _imported(tree) if name in _FRAMEWORKS}
    functions = {node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_function(node)}
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            gradient = _gradient_of(node, functions)
            side = gradient or (next(iter(sides)) if len(sides) == 1 else "")
            if side:
                found.append(_candidate(side, path, node.name, node, gradient=bool(gradient), skip=0))
        elif isinstance(node, ast.ClassDef):
            found += _of_class(node, path, functions)
    return _without_wrapped(found, functions)


def _of_class(node: ast.ClassDef, path: Path, functions: set[str]) -> Iterator[Candidate]:
    methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
    if node.name in functions and "forward" in methods:
        with_ctx = "setup_context" not in methods
        yield _candidate("torch", path, node.name, methods["forward"], gradient=True, skip=int(with_ctx))
        return
    bases = {ast.unparse(base) for base in node.bases}
    for side, method in (("torch", "forward"), ("tf", "call"), ("tf", "__call__")):
        if method in methods and any(
            base == end or base.endswith(f".{end}") for base in bases for end in _MODULES[side]
        ):
            gradient = any(_gradient_of(m, functions) for m in methods.values())
            yield _candidate(side, path, node.name, methods[method], gradient=gradient, skip=1)
            return


def _candidate(side: str, path: Path, name: str, node: ast.FunctionDef, *, gradient: bool, skip: int) -> Candidate:
    arguments = tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))[skip:]
    return Candidate(side, path, name, arguments, max(0, len(arguments) - len(node.args.defaults)), gradient)


def _is_function(node: ast.ClassDef) -> bool:
    """Whether a class is an ``autograd.Function``, and none that only others are derived from."""
    return any(re.fullmatch(r"(torch\.)?(autograd\.)?Function", ast.unparse(base)) for base in node.bases)


def _gradient_of(node: ast.FunctionDef, functions: set[str]) -> str:
    """Return the framework in which a function has a gradient of its own, in itself or in what it applies."""
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef) and any("custom_gradient" in ast.unparse(d) for d in part.decorator_list):
            return "tf"
        if isinstance(part, ast.Attribute) and part.attr == "apply" and ast.unparse(part.value) in functions:
            return "torch"
    return ""


def _without_wrapped(found: Sequence[Candidate], functions: set[str]) -> list[Candidate]:
    """Leave out a Function that a function of the same name applies: people call that one."""
    called = {c.key for c in found if c.gradient and c.side == "torch" and c.name not in functions}
    return [c for c in found if c.name not in functions or c.key not in called]


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
