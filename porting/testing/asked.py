"""What a test asks for. Imports nothing heavy: the plugin needs it at load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Asked:
    """What to check and how, as `porting.parametrize_checks` was given it; what is empty was not said."""

    target: Any = ()
    runners: Sequence[str] = ()
    devices: Sequence[str] = ()
    modes: Sequence[str] = ()
    dtypes: Sequence[str] = ()
    only: Sequence[str] = ()
    expected_failures: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
