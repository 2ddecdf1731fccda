"""What is said of parameters that the first call of a module sets from its data: how it does that is not compared."""

from collections.abc import Collection, Mapping
from typing import Any, Final

_AFTER: Final = "compared as it is after that, and what that call sets is not"


def first_calls(modules: Mapping[str, Any], sides: Collection[str]) -> list[str]:
    """Return a line for each module whose first call sets parameters, with the sides whose first call sets none.

    Parameters
    ----------
    modules : mapping of str to TorchModule or TensorFlowModule
        By side.
    sides : collection of str
        All sides.
    """
    found = {key: module.set_first for key, module in modules.items() if module.set_first}
    others = "".join(f"; that of {key} sets none" for key in sides if key not in found)
    return [f"{key}: the first call sets {', '.join(names)}: {_AFTER}{others}" for key, names in found.items()]
