"""Resolves the names of a module: imports through their aliases, and the module's own definitions."""

import builtins
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import renamed
from porting.translate.data import is_data
from porting.translate.dialects import FRAMEWORKS, USUAL
from porting.translate.same_paths import same_path

_METHODS = {"forward", "backward", "setup_context", "vjp", "jvp", "vmap", "symbolic"}
_OWN = m.Name(
    m.MatchIfTrue(lambda text: text not in {"generate_vmap_rule", "once_differentiable"} and text[:2] != "__")
)
_CONSTANT = m.SimpleStatementLine(
    [
        m.Assign(targets=[m.AssignTarget(_OWN)])
        | m.AnnAssign(target=_OWN, value=~m.MatchIfTrue(lambda value: value is None))
    ]
)


class Names:
    """The imports and definitions of a module.

    Attributes
    ----------
    imported : dict of str to str
        Local name to dotted path.
    defined : dict of str to libcst.CSTNode
        Classes, functions and assignments at the top of the module, and members of its classes as if they stood there.
    origins : dict of str to libcst.CSTNode
        What such a member is in the source.
    around : dict of str to list of libcst.Param
        For a class that was taken out of a function: what it reads there, as further arguments.
    notes : dict of str to list of str
        What was left out of a definition.
    makers : dict of str to (libcst.BaseExpression or str)
        What makes custom gradients in the module, see `porting.translate.read.makers`.
    transparent : tuple of str
        Decorators that change no number, as the user says.
    inputs : list of str
        What the inputs are called that a gradient takes as ``*args``, if that is known.
    """

    def __init__(self, module: cst.Module) -> None:
        self.imported: dict[str, str] = {}
        self.defined: dict[str, cst.BaseStatement] = {}
        self.origins: dict[str, cst.BaseStatement] = {}
        self.around: dict[str, list[cst.Param]] = {}
        self.notes: dict[str, list[str]] = {}
        self.makers: dict[str, cst.BaseExpression | str] = {}
        self.transparent: tuple[str, ...] = ()
        self.inputs: list[str] = []
        self._members: dict[tuple[str, str], str] = {}
        statements = [s for part in module.body if not is_script(part) for s in _top([part])]
        script = [s for part in module.body if is_script(part) for s in _top([part])]
        self._taken = {name for statement in (*statements, *script) for name in _defines(statement)}
        known = {name for statement in statements for name in _defines(statement)}
        for statement in (*statements, *(s for s in script if known.isdisjoint(_defines(s)))):
            self.enter(statement)
        if m.findall(module, m.ImportFrom(names=m.ImportStar())):
            self.imported = {n: p for n, p in USUAL.items() if n not in self.defined} | self.imported

        for dialect in FRAMEWORKS.values():  # of a piece of a file, whose imports were left behind
            whole = [n for n in m.findall(module, m.Attribute()) if dotted(n) == dialect.gradient]  # type: ignore[arg-type]  # attributes
            if whole and dialect.alias not in {*self.imported, *self.defined}:
                self.imported[dialect.alias] = USUAL[dialect.alias]

    def copy(self) -> "Names":
        """Return the same names, to be added to."""
        made = copy(self)
        for title, value in vars(self).items():
            setattr(made, title, copy(value))
        return made

    def enter(self, statement: cst.BaseStatement) -> None:
        """Take in what a statement at the top of the module defines."""
        if isinstance(statement, cst.ClassDef):
            self._members_of(statement, statement.body.body)
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            self.defined[statement.name.value] = statement
        elif isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Import | cst.ImportFrom):
                    self.add(small)
                for target in targets(small):
                    self.defined[target] = statement

    def _members_of(self, node: cst.ClassDef, members: Iterable[Any]) -> None:
        """Enter the constants, the static methods and the classes of a class as if they stood above it.

        A class method of a gradient is a static one that knows its class.
        """
        if is_data(node):  # it stays: its values are not those of the module
            return
        methods = {s.name.value for s in node.body.body if isinstance(s, cst.FunctionDef)}
        is_gradient = bool(node.bases) and methods >= {"forward", "backward"}
        for given in members:
            statement = static(given, node.name.value) if is_gradient else given
            if isinstance(statement, cst.FunctionDef):
                others = [d for d in statement.decorators if not m.matches(d.decorator, m.Name("staticmethod"))]
                if len(others) < len(statement.decorators) and not (node.bases and statement.name.value in _METHODS):
                    own = statement.name.value.strip("_")
                    title = f"{node.name.value}_{own}" if own in _METHODS else f"_{own}"
                    title = self._member(node, statement, statement.name.value, title)
                    self.defined[title] = statement.with_changes(name=cst.Name(title), decorators=others)
            elif isinstance(statement, cst.ClassDef):
                title = self._member(node, statement, statement.name.value, f"{node.name.value}{statement.name.value}")
                self.defined[title] = statement.with_changes(name=cst.Name(title))
            elif m.matches(statement, _CONSTANT):
                small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
                (attribute,) = targets(small)
                title = self._member(node, statement, attribute, f"_{attribute.strip('_').upper()}")
                line = cst.Assign([cst.AssignTarget(cst.Name(title))], small.value)
                self.defined[title] = cst.ensure_type(statement, cst.SimpleStatementLine).with_changes(body=[line])

    def is_member(self, title: str) -> bool:
        """Whether something is defined here that stands in a class."""
        return title in self._members.values()

    def with_members(self, node: Any) -> Any:
        """Return a class, after its methods that are not entered yet, as those that it inherits are not."""
        if isinstance(node, cst.ClassDef):
            known = {attribute for title, attribute in self._members if title == node.name.value}
            self._members_of(
                node, [s for s in node.body.body if isinstance(s, cst.FunctionDef) and s.name.value not in known]
            )
        return node

    def _member(self, node: cst.ClassDef, statement: Any, attribute: str, title: str) -> str:
        """Return what is called ``Class.attribute``, as a name of the module that is free."""
        while title in self._taken:
            title = f"_{node.name.value.upper() if title.isupper() else node.name.value.lower()}{title}"
        self._taken.add(title)
        self._members[node.name.value, attribute] = title
        self.origins[title] = statement
        return title

    def member(self, node: cst.BaseExpression) -> str:
        """Return the name that stands for ``Class.attribute``, or nothing."""
        if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
            return ""
        return self._members.get((node.value.value, node.attr.value), "")

    def fresh(self, titles: Sequence[str]) -> str:
        """Return the first of some names that nothing in the module has; from now on it is taken."""
        taken = {*self._taken, *self.imported, *dir(builtins)}
        found = next((title for title in titles if title not in taken), titles[-1])
        while found in taken:
            found = f"{found}_"
        self._taken.add(found)
        return found

    def title(self, name: str) -> str:
        """Return the name of the module that stands for ``Class.attribute``, or the name as it is."""
        around, _, attribute = name.rpartition(".")
        return self._members.get((around, attribute), name)

    def origin(self, title: str) -> cst.BaseStatement:
        """Return what a name of the module is in the source."""
        return self.origins.get(title) or self.defined[title]

    def define_before(self, other: str, title: str, node: Any) -> None:
        """Define something above what is defined already."""
        self.origins[title] = self.origin(other)
        before = dict(self.defined)
        self.defined.clear()
        for name, known in before.items():
            self.defined |= {title: node, name: known} if name == other else {name: known}

    def spelled(self, title: str) -> str:
        """Return how the source says what `title` gives a name of the module."""
        return next((".".join(member) for member, other in self._members.items() if other == title), title)

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
            path = USUAL.get(name, path) if package and name in FRAMEWORKS else path
            title = cst.ensure_type(alias.asname.name, cst.Name).value if alias.asname else ""
            path = USUAL[title] if package and name == "compat" and title in USUAL else path  # of a package's own
            if title:
                self.imported[title] = path
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
        return same_path(".".join([self.imported[node.value], *parts]))


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


def is_script(statement: cst.CSTNode) -> bool:
    """Whether this is what a module does only when it is run: ``if __name__ == "__main__":``."""
    return m.matches(statement, m.If(test=m.Comparison(left=m.Name("__name__"))))


def _defines(statement: cst.BaseStatement) -> Iterator[str]:
    """Yield the names that a statement defines."""
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        yield statement.name.value
    elif isinstance(statement, cst.SimpleStatementLine):
        for small in statement.body:
            yield from targets(small)


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


def static(method: Any, title: str) -> Any:
    """Return a class method of the class `title` as a static one; anything else as it is."""
    of_class = m.Decorator(m.Name("classmethod"))
    if not isinstance(method, cst.FunctionDef):
        return method
    given = method.params.params
    if not any(m.matches(d, of_class) for d in method.decorators) or not given:
        return method
    others = [d for d in method.decorators if not m.matches(d, of_class)]
    return renamed(
        method.with_changes(
            params=method.params.with_changes(params=given[1:]),
            decorators=[cst.Decorator(cst.Name("staticmethod")), *others],
        ),
        {given[0].name.value: cst.Name(title)},
    )
