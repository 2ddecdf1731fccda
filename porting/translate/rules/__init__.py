"""One operation per file, or one family of operations that differ only in name. A new file needs no registration."""

from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from porting.translate.rule import Rule, Signature


class Found(NamedTuple):
    """A rule, by one of its spellings."""

    rule: Rule
    signature: Signature


class Index:
    """The rules by how one dialect spells them."""

    def __init__(self, dialect: str) -> None:
        self.functions: dict[str, Found] = {}
        self.methods: dict[str, Found] = {}
        self.attributes: dict[str, Found] = {}
        for rule in rules():
            for signature in rule.signatures(dialect):
                self._enter(dialect, Found(rule, signature))

    def _enter(self, dialect: str, found: Found) -> None:
        path = found.signature.path
        owner, _, name = path.rpartition(".")
        if found.signature.attribute and owner and owner[0].isupper():
            self.attributes.setdefault(path, found)
        elif owner == "Tensor":
            self.methods.setdefault(name, found)
        else:
            self.functions.setdefault(path, found)
            if dialect == "torch" and owner == "torch" and found.signature.parameters:
                self.methods.setdefault(name, found)


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Return all rules, of all files of this folder."""
    found: list[Rule] = []
    for module in sorted(info.name for info in iter_modules(__path__)):
        found += import_module(f"{__name__}.{module}").RULES
    return tuple(found)


@cache
def index_of(dialect: str) -> Index:
    """Return the rules by how a dialect spells them."""
    return Index(dialect)
