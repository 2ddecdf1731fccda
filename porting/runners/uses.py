"""The ways to use an op, and what an audit of it may contain: closed sets, for the type checker only."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

Use = Literal[
    "plain", "interleaved", "retained", "shared", "vmapped", "vmapped last", "keyword", "indexed", "traced before",
    "any shape", "state changed", "audited", "settings",
    "as a function",
]  # fmt: skip
# Of a twin that was called: what it promises and saves, its variables with gradients and differences, constants of a
# graph, settings that it changed, and the outcomes of earlier cases.
Audit = TypedDict(
    "Audit",
    {
        "promises": Sequence[str], "saved": int, "on ctx": Sequence[str], "bytes on ctx": int, "alive": int,
        "intermediates": int, "their numbers": Sequence[bytes], "variables": Sequence[tuple[str, Any, Any]],
        "baked": Sequence[str], "changed": Sequence[str], "before": Sequence[Any],
    },
    total=False,
)  # fmt: skip
