"""Classes of one's own that hold values and name no framework, ``NamedTuple``, dataclasses, ``Enum``: they stay."""

from collections.abc import Mapping
from typing import Final

import libcst as cst

from porting.translate.code import names_in, source
from porting.translate.dialects import IMPORTED

_BASES: Final = {"NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TypedDict", "SimpleNamespace"}


def is_data(node: cst.CSTNode) -> bool:
    """Whether a class is one of those by its bases and its decorators."""
    if not isinstance(node, cst.ClassDef):
        return False
    bases = {source(base.value).rpartition(".")[2] for base in node.bases}
    made = [d.decorator.func if isinstance(d.decorator, cst.Call) else d.decorator for d in node.decorators]
    decorators = {source(maker).rpartition(".")[2] for maker in made}
    return bases <= _BASES and not decorators - {"unique"} if bases else decorators == {"dataclass"}


def stays(node: cst.CSTNode, imported: Mapping[str, str]) -> bool:
    """Whether such a class names no framework, so that it can stand in a translation as it is."""
    paths = [imported.get(name, "") for name in names_in(node)]
    return is_data(node) and not any(path.startswith(IMPORTED) for path in paths)
