"""What all modules have in common: the arguments of the constructor are attributes, and are shown."""

from inspect import signature

from torch.nn import Module


class Statics(Module):
    """A module that holds what its op is called with. A static that is set later holds from the next call on."""

    def __init__(self) -> None:
        super().__init__()

    def extra_repr(self) -> str:
        """Return the arguments of the constructor as they are now."""
        arguments = (name for name in signature(self.__init__).parameters if name in vars(self))
        return ", ".join(f"{name}={vars(self)[name]!r}" for name in arguments)
