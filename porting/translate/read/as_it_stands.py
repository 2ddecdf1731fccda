"""Writes a function around a gradient as it stands, to check a translation by: what it reads there are arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.names import Names
from porting.translate.read.parts import Parts


def as_it_stands(
    parts: Parts, names: Names, arguments: Mapping[str, str], given: Sequence[cst.Param], inputs: Sequence[cst.Param],
    called: Sequence[Any] = (),
) -> cst.FunctionDef:  # fmt: skip
    """Return a function that gives a gradient what it reads from around it, and calls it.

    Parameters
    ----------
    parts : Parts
        The gradient and what it calls, none of it changed.
    names : Names
        Of the module.
    arguments : mapping of str to str
        The arguments by what they are in the source: ``self.k``.
    given, inputs : sequence of libcst.Param
        The parameters of the function, and those of the gradient.
    called : sequence of libcst.CSTNode
        The gradient and its call, where these are not a definition and a call of it.
    """
    gradient, *helpers = parts.every
    lines: list[Any] = _classes(parts, names)
    title = next((part.object for part in parts.every if part.object), "")
    if title:
        lines += map(cst.parse_statement, _object(title, parts.holder.name.value, arguments))
    lines += [part.node for part in helpers if not part.is_method]
    lines += called or _called(gradient.node, inputs)
    return cst.FunctionDef(cst.Name(gradient.title), cst.Parameters(list(given)), cst.IndentedBlock(lines))


def _called(node: Any, inputs: Sequence[cst.Param]) -> list[Any]:
    """Return a definition, and a call of it."""
    own = node.name.value + (".apply" if isinstance(node, cst.ClassDef) else "")
    call = cst.parse_statement(f"return {own}({', '.join(p.name.value for p in inputs)})")
    return [node.with_changes(leading_lines=[]), call]


def _classes(parts: Parts, names: Names) -> list[cst.ClassDef]:
    """Return the classes that are asked for something, with what they are asked for."""
    _, *helpers = parts.every
    found: dict[str, list[Any]] = {}
    if parts.holder is not None:
        found[parts.holder.name.value] = [part.original for part in helpers if part.is_method]
    for part in parts.every:
        for asked in m.findall(part.node, m.Attribute(m.Name())):
            title = names.member(asked)  # type: ignore[arg-type]  # an attribute is an expression
            if title:
                found.setdefault(asked.value.value, []).append(names.origins[title])  # type: ignore[attr-defined]
    nothing = cst.parse_statement("pass")
    blocks = {title: list({id(one): one for one in members}.values()) for title, members in found.items()}
    return [cst.ClassDef(cst.Name(title), cst.IndentedBlock(block or [nothing])) for title, block in blocks.items()]


def _object(title: str, holder: str, arguments: Mapping[str, str]) -> list[str]:
    """Return the lines that make an object with some attributes, also of attributes."""
    lines = [f"{title} = {holder}()"]
    for key, argument in arguments.items():
        if key.startswith("self."):
            path = key.split(".")[1:]
            objects = [f"{title}.{'.'.join(path[:n])} = {holder}()" for n in range(1, len(path))]
            lines += [line for line in objects if line not in lines]
            lines.append(f"{title}.{'.'.join(path)} = {argument}")
            if path[0].startswith("__"):  # in a class Python reads it by another name
                lines.append(f"{title}._{holder.lstrip('_')}{'.'.join(path)} = {title}.{'.'.join(path)}")
    return lines
