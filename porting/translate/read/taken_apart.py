"""Finds what is taken of an argument (``x.shape``, ``x[0]``), here or in a helper that it is given to."""

from collections.abc import Iterable
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.translate.names import Names
from porting.translate.read.signatures import parameters_of

_OF_TENSORS: Final = {
    "clone", "cpu", "cuda", "detach", "device", "double", "dtype", "expand", "expand_as", "float", "half", "item",
    "long", "new_ones", "new_zeros", "numel", "requires_grad", "shape", "to", "type_as", "unsqueeze", "view", "view_as",
}  # fmt: skip


def taken_apart(title: str, methods: Iterable[cst.CSTNode], names: Names) -> bool:
    """Whether code takes an attribute or an element of a variable: such a one is hardly a number.

    Parameters
    ----------
    title : str
        The variable.
    methods : iterable of libcst.CSTNode
        The code. Helpers of the module that are given the variable are searched too, and no helpers of theirs.
    names : Names
        Of the module.
    """
    return any(_parts_of(title, node) or _in_helpers(title, node, names) for node in methods)


def is_used_as_tensor(title: str, code: Iterable[cst.CSTNode]) -> bool:
    """Whether code asks a variable, by any name of it, for what a tensor of PyTorch has, and no number or list."""
    every = list(code)
    named = m.OneOf(*map(m.Name, _also_called(title, every)))
    asked = m.Attribute(value=named, attr=m.Name(value=m.MatchIfTrue(_OF_TENSORS.__contains__)))
    return any(m.findall(node, asked) for node in every)


def _also_called(title: str, code: Iterable[cst.CSTNode]) -> set[str]:
    """Return what a variable is called: ``scale = given``, and then both."""
    plain = m.Assign(
        targets=[m.AssignTarget(m.SaveMatchedNode(m.Name(), "to"))], value=m.SaveMatchedNode(m.Name(), "of")
    )
    pairs = [(f["to"].value, f["of"].value) for node in code for f in m.extractall(node, plain)]  # type: ignore[union-attr]
    found = {title}
    for _ in pairs:
        found |= {to for to, of in pairs if of in found}
    return found


def _parts_of(title: str, node: cst.CSTNode) -> bool:
    return bool(m.findall(node, m.Attribute(value=m.Name(title)) | m.Subscript(value=m.Name(title))))


def _in_helpers(title: str, node: cst.CSTNode, names: Names) -> bool:
    for found in m.findall(node, m.Call(func=m.Name(), args=[m.ZeroOrMore(), m.Arg(m.Name(title)), m.ZeroOrMore()])):
        call = cst.ensure_type(found, cst.Call)
        helper = names.defined.get(cst.ensure_type(call.func, cst.Name).value)
        if not isinstance(helper, cst.FunctionDef):
            continue
        for n, argument in enumerate(call.args):
            if m.matches(argument.value, m.Name(title)) and _takes_apart(helper, n, argument.keyword):
                return True
    return False


def _takes_apart(helper: cst.FunctionDef, place: int, keyword: cst.Name | None) -> bool:
    titles = [p.name.value for p in parameters_of(helper)]
    title = keyword.value if keyword is not None else titles[place] if place < len(titles) else ""
    return _parts_of(title, helper.body)
