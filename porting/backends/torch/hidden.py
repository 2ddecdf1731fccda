"""Parameters that a module holds in plain lists and dictionaries, where PyTorch does not look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_REGISTERED = {"_parameters", "_buffers", "_modules"}


class Hidden:
    """What stands in the plain lists, tuples and dictionaries of a module, and of those inside it.

    Parameters
    ----------
    module : torch.nn.Module
        The module.

    Attributes
    ----------
    modules : dict of str to torch.nn.Module
        The modules that PyTorch does not find, by the path that leads to them: ``layers.0``.
    parameters : dict of str to torch.nn.Parameter
        The same of parameters; those of these modules are not among them.
    """

    def __init__(self, module: Any) -> None:
        from torch.nn import Module, Parameter

        self.modules: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self._lists: list[tuple[Any, str]] = []  # owner and attribute of each list that holds parameters
        known = {id(m) for m in module.modules()}
        names = {id(p) for p in module.parameters()}
        waiting = [("", module)]
        while waiting:
            front, root = waiting.pop(0)
            for path, owner in root.named_modules(prefix=front):
                known.add(id(owner))
                for attribute, value in _lists(owner):
                    for where, part in _parts(value, f"{path}.{attribute}" if path else attribute, set()):
                        if isinstance(part, Parameter):
                            self._lists.append((owner, attribute))
                            if id(part) not in names:
                                names.add(id(part))
                                self.parameters[where] = part
                        elif isinstance(part, Module) and id(part) not in known:
                            known.update(id(m) for m in part.modules())
                            names |= {id(p) for p in part.parameters()}
                            self.modules[where] = part
                            waiting.append((where, part))

    def named_parameters(self) -> dict[str, Any]:
        """Return all parameters by the paths that lead to them."""
        inside = {f"{path}.{n}": p for path, m in self.modules.items() for n, p in m.named_parameters()}
        return {**self.parameters, **inside}

    def named_buffers(self) -> dict[str, Any]:
        """Return all buffers by the paths that lead to them."""
        return {f"{path}.{n}": b for path, m in self.modules.items() for n, b in m.named_buffers()}

    def all_modules(self) -> list[Any]:
        """Return the modules and those inside them."""
        return [part for m in self.modules.values() for part in m.modules()]

    def filled(self, tensors: Mapping[int, Any], later: Callable[..., Any]) -> None:
        """Put tensors in the place of parameters, by their identity, in all lists; `later` calls what undoes it."""
        for owner, attribute in dict.fromkeys(self._lists):
            before = vars(owner)[attribute]
            vars(owner)[attribute] = _replaced(before, tensors)
            later(vars(owner).__setitem__, attribute, before)


def _lists(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of a module that are lists; PyTorch's own modules look after theirs."""
    if type(owner).__module__.partition(".")[0] == "torch":
        return
    for name, value in vars(owner).items():
        if name not in _REGISTERED and isinstance(value, (list, tuple, dict)) and value:
            yield name, value


def _parts(value: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield what stands in nested lists, with the path that leads there."""
    if id(value) in seen:
        return
    if isinstance(value, (list, tuple, dict)):
        seen.add(id(value))
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _parts(part, f"{path}.{key}", seen)
    else:
        yield path, value


def _replaced(value: Any, tensors: Mapping[int, Any]) -> Any:
    """Return nested lists of the same kinds with other tensors."""
    if id(value) in tensors:
        return tensors[id(value)]
    if type(value) is dict:
        return {key: _replaced(part, tensors) for key, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_replaced(part, tensors) for part in value)
    return value
