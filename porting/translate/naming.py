"""The names of functions and classes in the other framework: ``SteRoundFunction`` and ``ste_round``."""

import builtins
import re
from keyword import iskeyword


def called(title: str) -> str:
    """Return the name of a function for a class: ``SteRoundFunction`` becomes ``ste_round``."""
    short = re.sub(r"(_?(Function|Func|Fn|Op|Autograd))+$", "", title) or title
    short = re.sub(r"[PLC]?[RGSCE][ei]?LU|^A(Tan|Sin|Cos)", lambda found: found[0].capitalize(), short)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", short).lower().strip("_") or title.lower()


def free(title: str) -> str:
    """Return a name that hides none of Python's own: ``round_`` for ``round``."""
    return f"{title}_" if hasattr(builtins, title) or iskeyword(title) else title


def in_capitals(title: str) -> str:
    """Return the name of a class for a function: ``ste_round`` becomes ``SteRound``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split("_+", title.strip("_")))
