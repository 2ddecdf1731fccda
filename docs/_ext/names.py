"""Leads from a name in the text to what it names, and warns where there is no such thing (``-W`` makes it an error).

``porting.Pair`` in code leads to the reference, the name of a cause to its page. A name below ``porting``,
``torch_impl`` or ``tf_impl`` that leads nowhere is a warning. In the tables of `guide/checks` each check gets an
anchor, and each cause leads to its page.
"""

import re
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

import porting
from porting.backends import ENTRY_POINT_GROUP as BACKENDS
from porting.diagnosis.cause import causes
from porting.named import file_of
from porting.parity.checks import checks
from porting.registry import ENTRY_POINT_GROUP as OPS

_LOG = logging.getLogger(__name__)
_DOTTED = re.compile(r"((?:porting|torch_impl|tf_impl)(?:\.\w+)+)(?!\.?\w*/)")
_GROUPS = {OPS, BACKENDS}  # of entry points, which are no modules
_SHORT = 24
CHECKS = "guide/checks"


@cache
def exists(name: str) -> bool:
    """Whether a dotted name leads to a module, or to a name that a module binds. No framework is imported."""
    if name in _GROUPS or file_of(name):
        return True
    home, _, last = name.rpartition(".")
    if name.startswith("porting."):
        try:
            return hasattr(import_module(home), last)
        except ImportError:
            return False
    file = file_of(home)
    return bool(file and re.search(rf"\b{last}\b", file.read_text(encoding="utf-8")))


class Names(SphinxPostTransform):
    """Links and checks the names in code spans."""

    default_priority: ClassVar[int] = 5  # before references are resolved

    def run(self, **_: Any) -> None:
        """Look at each code span of a page."""
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            found = _DOTTED.match(text)
            if len(text) < _SHORT:
                literal["classes"].append("short")  # a line does not break at its hyphens
            if _inside(literal, nodes.reference, addnodes.pending_xref, nodes.title):
                continue
            if found is None:
                cause = text.removeprefix("porting explain ")
                only = "_" in cause and cause not in checks()  # a single word may be the name of many a thing
                if cause in causes() and (only or cause != text) and self.env.docname != f"causes/{cause}":
                    literal.replace_self(self._to_cause(literal, cause))
            elif not exists(found[1]):
                _LOG.warning("there is no %s", found[1], location=literal)
            elif found[1].removeprefix("porting.") in porting.__all__:
                target = {"refdomain": "py", "reftype": "obj", "reftarget": found[1], "refexplicit": True}
                xref = addnodes.pending_xref("", literal.deepcopy(), **target, refdoc=self.env.docname, refwarn=True)
                literal.replace_self(xref)

    def _to_cause(self, literal: nodes.literal, name: str) -> nodes.reference:
        uri = self.app.builder.get_relative_uri(self.env.docname, f"causes/{name}")
        return nodes.reference("", "", literal.deepcopy(), refuri=uri, internal=True)


def tables(app: Sphinx, doctree: nodes.document) -> None:
    """Give the tables of checks and of causes their anchors and links."""
    if app.env.docname != CHECKS:
        return
    for table in doctree.findall(nodes.table):
        kind = next(table.findall(nodes.entry)).astext()
        known = {"check": checks(), "cause": causes()}.get(kind)
        for row in list(table.findall(nodes.row))[1:] if known else ():
            entry = row[0]
            name = entry.astext()
            if name not in (known or {}):
                _LOG.warning("no %s is called %s", kind, name, location=entry)
            elif kind == "check":
                row["ids"].append(check_anchor(name))
                app.env.domains.standard_domain.anonlabels[check_anchor(name)] = CHECKS, check_anchor(name)
            else:
                uri = app.builder.get_relative_uri(CHECKS, f"causes/{name}")
                entry.children = [nodes.paragraph("", "", nodes.reference("", name, refuri=uri, internal=True))]


def check_anchor(name: str) -> str:
    """Return the anchor of a check on its page."""
    return f"check-{name.replace('_', '-')}"


def _inside(node: nodes.Node, *kinds: type[nodes.Node]) -> bool:
    while (node := node.parent) is not None:
        if isinstance(node, kinds):
            return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts."""
    app.add_post_transform(Names)
    app.connect("doctree-read", tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
