"""Port custom gradients between PyTorch and TensorFlow, and prove the port.

Importing this package loads no framework, and not even NumPy: each public name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porting.engine.check import check as check
    from porting.engine.record import record as record
    from porting.pairs.array import array as array
    from porting.pairs.pair import Pair as Pair
    from porting.parity.finding import Finding as Finding
    from porting.parity.report import Report as Report
    from porting.pytest_plugin import parametrize_checks as parametrize_checks
    from porting.spec import Contract as Contract
    from porting.spec import Op as Op
    from porting.spec import identity as identity
    from porting.spec import op as op
    from porting.spec import unstated as unstated

__version__ = "0.1.0"

_HOME = {
    "Contract": "porting.spec",
    "Finding": "porting.parity.finding",
    "Op": "porting.spec",
    "Pair": "porting.pairs.pair",
    "Report": "porting.parity.report",
    "array": "porting.pairs.array",
    "check": "porting.engine.check",
    "identity": "porting.spec",
    "op": "porting.spec",
    "parametrize_checks": "porting.pytest_plugin",
    "record": "porting.engine.record",
    "unstated": "porting.spec",
}

__all__ = [
    "Contract",
    "Finding",
    "Op",
    "Pair",
    "Report",
    "array",
    "check",
    "identity",
    "op",
    "parametrize_checks",
    "record",
    "unstated",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted([*globals(), *_HOME])
