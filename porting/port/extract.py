"""Takes a gradient out of its file, because the rest of the file may need packages that are not installed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import libcst as cst

from porting.translate.dialects import AT_HAND
from porting.translate.file import File
from porting.translate.read.decorators import is_transparent
from porting.translate.read.package import file_of
from porting.translate.write.imports import in_order, lines_for


def extract(file: File, needed: Mapping[Path, Sequence[str]], *, on_cpu: bool = False) -> str:
    """Return some definitions of a file as a file of their own, with the imports that they use.

    With `on_cpu`, nothing is moved to a GPU.

    Parameters
    ----------
    file : File
        Where they are.
    needed : dict of pathlib.Path to sequence of str
        By file, this one and those of its package: classes, functions and constants; the functions that only call one
        of the classes come with them. What was taken out of its place stands in a function that gives it what it
        reads there.
    """
    body: list[Any] = []
    lines: set[str] = set()
    beside = {name for path, names in needed.items() if path != file.source.path for name in names}
    for path, names in [*needed.items()][::-1]:  # those that others need come first
        one = file if path == file.source.path else file.another(path)
        part = [node.visit(_Beside(one, needed)) for node in _of_one(one, names)]
        lines |= lines_for(part, {n: p for n, p in one.names.imported.items() if n not in beside})
        body += part
    body = [node.visit(_OnCpu()) for node in body] if on_cpu else body
    return in_order(lines) + "\n\n" + cst.Module(body).code


def _of_one(file: File, names: Sequence[str]) -> list[Any]:
    """Return what is needed of one file, without annotations."""
    wanted = {*names, *(wrapper.name.value for title, wrapper in file.wrappers.items() if title in names)}
    defined = {**file.names.defined, **{title: taken.checked for title, taken in file.taken_out.items()}}
    body: list[Any] = list(dict.fromkeys(node for name, node in defined.items() if name in wanted))
    return [node.visit(_Bare(file)) for node in body]


class _Bare(cst.CSTTransformer):
    """Takes away what may not be installed: annotations, and a library's own decorators that change no number."""

    def __init__(self, file: File) -> None:
        self._names = file.names

    def leave_Decorator(self, original_node: cst.Decorator, updated_node: cst.Decorator) -> Any:
        made = original_node.decorator
        path = self._names.path(made.func if isinstance(made, cst.Call) else made)
        own = bool(path) and path.partition(".")[0] not in AT_HAND
        return cst.RemoveFromParent() if own and is_transparent(original_node, self._names) else updated_node

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:  # noqa: ARG002 - libcst's name
        return updated_node.with_changes(annotation=None)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: ARG002
        return updated_node.with_changes(returns=None)


class _Beside(cst.CSTTransformer):
    """Writes ``WIDTH`` for ``constants.WIDTH``, where that comes along."""

    def __init__(self, file: File, needed: Mapping[Path, Sequence[str]]) -> None:
        self._file = file
        self._needed = needed

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        path = self._file.names.path(original_node)
        found = file_of(self._file.source.path, path) if path else None
        comes_along = found is not None and found[1] in self._needed.get(found[0], ())
        return cst.Name(found[1]) if found is not None and comes_along else updated_node


class _OnCpu(cst.CSTTransformer):
    """Leaves out ``.cuda()``, and names the CPU for a GPU."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: ARG002 - libcst's name
        match updated_node.func:
            case cst.Attribute(value=moved, attr=cst.Name(value="cuda")):
                return moved
        return updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: ARG002
        match updated_node:  # torch.cuda.FloatTensor
            case cst.Attribute(
                value=cst.Attribute(value=cst.Name() as home, attr=cst.Name(value="cuda")), attr=cst.Name(value=title)
            ) if title.endswith("Tensor"):
                return updated_node.with_changes(value=home)
        return updated_node

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: ARG002
        is_gpu = str(updated_node.raw_value).partition(":")[0] == "cuda"
        return cst.SimpleString('"cpu"') if is_gpu else updated_node
