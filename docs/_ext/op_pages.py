"""Adds to the page of each op what the site can show: formulas, the three sources side by side, the contract.

The page of an op is the repository's own, ``docs/ops/<family>/<op>.md``. The sources are read as text; no framework is
imported.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import op_cost
import op_survival
from docutils import nodes
from docutils.parsers.rst import Directive
from formula import FormulaError, rows
from names import CHECKS, check_anchor
from sphinx.application import Sphinx
from sphinx.util import logging

from porting.backends import CATALOGUED, TITLES
from porting.contract import Unstated
from porting.parity.checks import checks
from porting.parity.known import CATALOGUE, load
from porting.registry import ops
from porting.report.source import ROLES, file_of, sources
from porting.spec import Op

_LOG = logging.getLogger(__name__)
_INDEX: Final = "ops/index"
_FORMULA: Final = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WIDE: Final = "---\nhide-toc: true\n---\n"  # the sources take the room
_CHANGES: Final = "## What changes between the two files"
_LOST: Final = "## Where the gradient is lost"
_SOURCE: Final = "## Source"
_ROLE_TITLES: Final = {"value": "Forward", "gradient": "Backward", "call": "What you call", "helpers": "Helpers"}
_TREES: Final = {**TITLES, "oracle": "NumPy oracle"}


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the parts to the page of an op, and the list of pages to the index."""
    if docname == _INDEX:
        source[0] += _toctree()
    place, _, name = docname.rpartition("/")
    op = ops().get(name)
    if not place.startswith("ops/"):
        return
    if op is None or place != f"ops/{op.family}" or _CHANGES not in source[0] or _SOURCE not in source[0]:
        _LOG.warning("%s is the page of no op, or lacks %r or %r", docname, _CHANGES, _SOURCE, location=docname)
        return
    result = app.config.survival_result
    used = (inspect.getsourcefile(op.value), *(file_of(op, key) for key in CATALOGUED), CATALOGUE, op_cost.PAGE)
    for file in filter(None, (*used, result and Path(result).absolute())):
        app.env.note_dependency(str(file))
    text = _FORMULA.sub(rf"```{{formula}} {name}\n\1```", source[0], count=1)
    text = text.replace(_CHANGES, f"## Side by side\n\n```{{op-sources}} {name}\n```\n\n{_CHANGES}", 1)
    text = text.replace(f"{_LOST}\n\n", f"{_LOST}\n\n{op_survival.row(op, result)}", 1)
    source[0] = _WIDE + text.replace(_SOURCE, f"{contract(op)}\n{op_cost.section(op)}{known(op)}{_SOURCE}", 1)


def _toctree() -> str:
    pages = [f"{op.name} <{op.family}/{op.name}>" for op in ops().values() if op.in_catalogue]
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def contract(op: Op) -> str:
    """Return the section on what an op promises."""
    lines = [f"| `{field}` | {said} | {_check_links(used)} |" for field, said, used in _promises(op)]
    head = ["## The contract", "", "| claim | of this op | checked by |", "|---|---|---|"]
    return "\n".join([*head, *lines, ""])


def _promises(op: Op) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield a field of the contract, what it says, and the checks that test it."""
    claimed = op.contract
    g = claimed.gradient_of
    what = "the derivative of the op itself" if g is None else f"the derivative of `{getattr(g, '__name__', g)}`"
    said = f"not stated: {g.reason}" if isinstance(g, Unstated) else what
    yield "gradient_of", said, ("gradient_of", "adjoint", "vjp")
    yield "linear", "linear in the cotangent" if claimed.linear else "not linear in the cotangent", ("linear",)
    order = "twice differentiable" if claimed.order > 1 else "once; a second derivative is refused"
    yield "order", order, ("second_order",)
    yield "complex", "real and complex numbers" if claimed.complex else "real numbers", ("complex_numbers",)
    for field, used in _MAPPINGS.items():
        values = getattr(claimed, field)
        if values:
            yield field, "; ".join(f"`{name}`: {_said(value)}" for name, value in values.items()), used
    if claimed.nonfinite or claimed.raises:
        said = f"raises `{claimed.raises.__name__}`" if claimed.raises else "gives NaN or infinity"
        yield "outside the domain", said, ("outside_domain",)
    if claimed.refuses:
        bad = ("; ".join(f"`{name}={value!r}`" for name, value in call.items()) for call in claimed.refuses)
        yield "refuses", ", ".join(bad), ("refusals",)
    if claimed.nondiff:
        yield "nondiff", f"no gradient through output {', '.join(map(str, claimed.nondiff))}", ("value", "vjp")


_MAPPINGS: Final = {
    "shapes": ("shapes",),
    "domain": ("outside_domain", "special_values"),
    "kinks": ("kinks",),
    "statics": ("value", "vjp"),
    "prepare": (),
}


def _said(value: Any) -> str:
    """Return a value of a contract for a cell of a table."""
    if callable(value):
        return _cell((inspect.getdoc(value) or value.__name__).splitlines()[0].rstrip(".").removeprefix("Return "))
    if isinstance(value, tuple):
        members = ", ".join("…" if v is ... else getattr(v, "__name__", None) or str(v) for v in value)
        return f"`({members})`" if len(value) != 1 else f"`{members}`"
    return f"`{value}`"


def _check_links(names: Iterable[str]) -> str:
    return ", ".join(f"[`{name}`](../../{CHECKS}.md#{check_anchor(name)})" for name in names if name in checks())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def known(op: Op) -> str:
    """Return the section on accepted differences in checks; those in modes stand on the page already."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in load():
        if each.op == op.name and each.check in checks():
            found.setdefault((each.check, each.reason), []).append(TITLES[each.runner])
    lines = [f"| {_check_links([c])} | {', '.join(sides)} | {_cell(reason)} |" for (c, reason), sides in found.items()]
    if not lines:
        return ""
    head = ["## Known differences", "", "| check | side | why it is accepted |", "|---|---|---|"]
    return "\n".join([*head, *lines, "", ""])


class Formula(Directive):
    """``{formula} op``: the formulas of an op, one a line."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the formulas as HTML, for a screen and for a reader of the screen."""
        op = ops()[self.arguments[0]]
        names = {*op.inputs, *op.statics}
        lines = []
        try:
            for left, right, note in rows("\n".join(self.content), names):
                cells = f'<div class="left">{left}</div><div class="right">{right}</div>'
                lines.append(cells + (f'<div class="note">{note}</div>' if note else '<div class="no-note"></div>'))
        except FormulaError as error:
            raise self.error(str(error)) from error
        html = f'<div class="formula" tabindex="0" role="group" aria-label="Formulas">{"".join(lines)}</div>'
        return [nodes.raw("", html, format="html")]


class OpSources(Directive):
    """``{op-sources} op``: the oracle, PyTorch and TensorFlow side by side, aligned by role."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a grid: a row for each role, a cell for each tree."""
        found = sources(ops()[self.arguments[0]])
        grid = nodes.container(classes=["trees"])
        for role in ROLES:
            cells = [self._cell(tree, role, parts[role]) for tree, parts in found.items() if parts.get(role)]
            if cells:
                grid += nodes.container("", nodes.Text(_ROLE_TITLES[role]), classes=["role"])
                grid += cells
        return [grid]

    def _cell(self, tree: str, role: str, text: str) -> nodes.container:
        code = nodes.literal_block(text, text, language="python")
        title = nodes.container("", nodes.Text(_TREES[tree]), classes=["tree-title"])
        return nodes.container("", title, code, classes=["tree", f"tree-{tree}", f"role-{role}"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.connect("source-read", read)
    app.add_directive("formula", Formula)
    app.add_directive("op-sources", OpSources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
