"""Takes a gradient out of its file, because the rest of the file may need packages that are not installed."""

from collections.abc import Sequence
from typing import Any

import libcst as cst

from porting.translate.file import File
from porting.translate.write.imports import in_order, lines_for


def extract(file: File, names: Sequence[str]) -> str:
    """Return some definitions of a file as a file of their own, with the imports that they use.

    Parameters
    ----------
    file : File
        Where they are.
    names : sequence of str
        Classes, functions and constants; the functions that only call one of the classes come with them. What was
        taken out of its place stands in a function that gives it what it reads there.
    """
    wanted = {*names, *(wrapper.name.value for title, wrapper in file.wrappers.items() if title in names)}
    defined = {**file.names.defined, **{title: taken.checked for title, taken in file.taken_out.items()}}
    body: list[Any] = list(dict.fromkeys(node for name, node in defined.items() if name in wanted))
    body = [node.visit(_Bare()) for node in body]
    return in_order(lines_for(body, file.names.imported)) + "\n\n" + cst.Module(body).code


class _Bare(cst.CSTTransformer):
    """Takes annotations away: they may name what is not installed."""

    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:  # noqa: ARG002 - libcst's name
        return updated_node.with_changes(annotation=None)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: ARG002
        return updated_node.with_changes(returns=None)
