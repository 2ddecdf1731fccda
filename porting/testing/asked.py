"""The arguments of `porting.parametrize_checks`. Imports nothing heavy: the plugin needs it when it is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Asked:
    """What to check and how, as given to `porting.parametrize_checks`; an empty field was not given."""

    target: Any = ()
    runners: Sequence[str] = ()
    devices: Sequence[str] = ()
    modes: Sequence[str] = ()
    dtypes: Sequence[str] = ()
    only: Sequence[str] = ()
    expected_failures: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
