"""What the names of a module stand for: imports through their aliases, and what the module defines itself."""

from collections.abc import Iterator

import libcst as cst

# The same function under several paths is looked up under one.
_SAME = (
    ("tensorflow.compat.v2.", "tf."),
    ("tensorflow.compat.v1.", "tf.compat.v1."),
    ("tensorflow.", "tf."),
    ("numpy.", "np."),
)


class Names:
    """The imports and definitions of a module.

    Attributes
    ----------
    imported : dict of str to str
        Local name to dotted path.
    defined : dict of str to libcst.CSTNode
        Classes, functions and assignments at the top of the module.
    """

    def __init__(self, module: cst.Module) -> None:
        self.imported: dict[str, str] = {}
        self.defined: dict[str, cst.BaseStatement] = {}
        for statement in _top(module.body):
            self._enter(statement)

    def _enter(self, statement: cst.BaseStatement) -> None:
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            self.defined[statement.name.value] = statement
        elif isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Import | cst.ImportFrom):
                    self.add(small)
                for target in targets(small):
                    self.defined[target] = statement

    def add(self, small: cst.Import | cst.ImportFrom) -> None:
        """Take an import in."""
        if isinstance(small.names, cst.ImportStar):
            return
        package = ""
        if isinstance(small, cst.ImportFrom):
            package = "." * len(small.relative) + (dotted(small.module) if small.module else "")
        for alias in small.names:
            name = dotted(alias.name)
            path = f"{package}.{name}" if package and not package.endswith(".") else package + name
            if alias.asname:
                self.imported[cst.ensure_type(alias.asname.name, cst.Name).value] = path
            elif package:
                self.imported[name] = path
            else:
                self.imported[name.partition(".")[0]] = name.partition(".")[0]

    def path(self, node: cst.BaseExpression) -> str:
        """Return the dotted path that an expression names, or nothing; ``F.relu`` is ``torch.nn.functional.relu``."""
        parts: list[str] = []
        while isinstance(node, cst.Attribute):
            parts.insert(0, node.attr.value)
            node = node.value
        if not isinstance(node, cst.Name) or node.value not in self.imported:
            return ""
        path = ".".join([self.imported[node.value], *parts])
        return next((new + path[len(old) :] for old, new in _SAME if path.startswith(old)), path)


def dotted(node: cst.BaseExpression) -> str:
    """Return the text of a dotted name."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def targets(small: cst.BaseSmallStatement) -> Iterator[str]:
    """Yield the names that a statement assigns to."""
    if isinstance(small, cst.Assign):
        for target in small.targets:
            yield from targets_of(target.target)
    elif isinstance(small, cst.AnnAssign | cst.AugAssign):
        yield from targets_of(small.target)


def targets_of(target: cst.BaseExpression) -> Iterator[str]:
    """Yield the names in a target."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from targets_of(element.value)


def _top(body: object) -> Iterator[cst.BaseStatement]:
    """Yield the statements of a module, those under ``if`` and ``try`` too: an import may stand there."""
    for statement in body if isinstance(body, list | tuple) else ():
        yield statement
        if isinstance(statement, cst.If):
            yield from _top(statement.body.body)
            if statement.orelse:
                yield from _top(
                    statement.orelse.body.body if isinstance(statement.orelse, cst.Else) else [statement.orelse]
                )
        elif isinstance(statement, cst.Try | cst.With):
            yield from _top(statement.body.body)
            for handler in getattr(statement, "handlers", ()):
                yield from _top(handler.body.body)
