"""A Keras layer or a `tf.Module` as a side: the runner assigns the drawn numbers to its variables.

`tf.custom_gradient` gives no gradient by a tensor that the function captures. So the variables stay variables, in a
copy of the layer in the type that is checked.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from porting.backends.axes import NEW, every_axis
from porting.backends.tf.plain_tensors import another, drawn, fill, numbers
from porting.runners.attributes import Attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from porting.backends.tf.copied import Copy
    from porting.backends.tf.first_call import FirstCall
    from porting.runners.base import Array

    Packing = Callable[[Sequence[Any]], Sequence[Any]]
    Places = Sequence[tuple[str, tuple[int, ...] | None]]


def parts(layer: Any) -> list[Any]:
    """Return a layer and the layers inside it."""
    flat = getattr(layer, "_flatten_layers", None)
    return list(flat()) if flat else [layer, *layer.submodules]


class TensorFlowModule:
    """The variables of a layer, and the twin whose runner assigns numbers to them.

    Parameters
    ----------
    copied : callable
        Returns a `Copy` in a type, see `porting.backends.tf.copies`.
    source : object
        The layer as it was given, for messages.
    first_call : FirstCall, optional
        Calls each copy as it is called later on.

    Attributes
    ----------
    parameters : mapping of str to tuple of int
        The shapes of the trained variables, by name.
    state : mapping of str to tuple of str
        The variables that are not compared, and tensors that were drawn.
    untracked : tuple of str
        The variables that Keras does not track.
    set_first : tuple of str
        The variables that the first call sets: all copies are as they are after that.
    """

    def __init__(self, copied: Callable[[str], Copy], source: Any, first_call: FirstCall | None = None) -> None:
        self._copied = copied
        self._first_call = first_call
        self._known: dict[str, Copy] = {}
        self._drawn: dict[str, Array] = {}
        self.source = source
        self.set_first: tuple[str, ...] = ()
        first = self._first()
        self.parameters = {name: tuple(v.shape) for name, v in first.trained.items()}
        self.state = {"non-trainable weights": tuple(first.others)}
        self.untracked = first.untracked
        self._others = {name: v.numpy() for name, v in first.others.items()}
        self._drawn = drawn(first, partial(copied, next(iter(self._known))))
        self.state["tensors in attributes"] = tuple(self._drawn)

    def _first(self) -> Copy:
        try:
            return self.copy("float32")
        except TypeError:  # its weights have one type, and it may be another one
            return self.copy("float64")

    def copy(self, dtype: str) -> Copy:
        """Return the layer in a type.

        Raises
        ------
        TypeError
            If the layer makes its weights in another one.
        """
        if dtype not in self._known:
            found = self._known[dtype] = self._copied(dtype)
            wrong = {str(v.dtype.name) for v in found.trained.values()} - {dtype}
            if wrong:
                name = type(self.source).__name__
                del self._known[dtype]
                raise TypeError(f"the weights of {name} are {' and '.join(sorted(wrong))} whatever its dtype is")
            if self._first_call is not None:
                self.set_first = self._first_call(found, parts(found.layer), dtype) or self.set_first
            fill(found, self._drawn)
        return self._known[dtype]

    def twin(
        self, count: int, places: Places, statics: Mapping[str, Any], packing: Packing = list
    ) -> Callable[..., Any]:
        """Return a twin, for parameters see `porting.backends.torch.module.TorchModule.twin`."""
        return Twin(self, count, places, statics, packing)

    def tried(self, examples: Sequence[Array], statics: Mapping[str, Any]) -> None:
        """Call the original layer with inputs; it raises if it does not take them."""
        import tensorflow as tf

        xs = tf.nest.map_structure(
            lambda x: tf.cast(x, "float32") if x.dtype.kind == "f" else tf.constant(x), list(examples)
        )
        self.copy("float32").layer(*xs, **statics)

    def held_state(self) -> dict[str, Array]:
        """Return the variables that are not compared, and the tensors that were drawn, by name."""
        return {**self._others, **self._drawn}

    def redrawn(self) -> dict[str, Array]:
        """Return the same of another copy; what is drawn has other numbers there."""
        other = another(partial(self._copied, next(iter(self._known))))
        return {**{n: v.numpy() for n, v in other.others.items()}, **numbers(other)}

    def give(self, name: str, x: Array) -> None:
        """Have other numbers for something that is not compared, in each call; the layer keeps its own."""
        held = self._drawn if name in self._drawn else self._others
        held[name] = x.astype(held[name].dtype)
        for copy in self._known.values():
            fill(copy, self._drawn)

    def restored(self, copy: Copy) -> None:
        """Put back the variables that are not trained: a moving mean changes with each call."""
        for name, variable in copy.others.items():
            if variable.dtype.is_floating or not variable.shape.rank:  # the others are the states of random generators
                variable.assign(self._others[name].astype(variable.dtype.as_numpy_dtype))


class Twin:
    """A function of the call's inputs, followed by the variables; the runner must ask for `held` first."""

    def __init__(
        self, module: TensorFlowModule, count: int, places: Places, statics: Mapping[str, Any], packing: Packing
    ) -> None:
        self.__wrapped__ = module.source  # where the source is
        self._module = module
        self._count, self._places, self._statics, self._packing = count, places, statics, packing

    def __call__(self, *xs: Any, **given: Any) -> Any:
        """Fill the variables, and call the layer."""
        dtype = next(x.dtype.name for x in (*xs[self._count :], *xs) if x.dtype.is_floating)
        held = self.held(dtype)
        return held(*held.filled(xs)[: self._count], **given)

    def held(self, dtype: str) -> Held:
        """Return the layer in a type."""
        copy = self._module.copy(dtype)
        return Held(self._module, copy, self._count, self._places, self._statics, self._packing)


class Held:
    """A layer in one type, as a runner uses it.

    Attributes
    ----------
    count : int
        How many inputs come before the variables.
    variables : list of tf.Variable
        The variables that it fills.
    """

    def __init__(
        self,
        module: TensorFlowModule,
        copy: Copy,
        count: int,
        places: Places,
        statics: Mapping[str, Any],
        packing: Packing,
    ) -> None:
        self.__wrapped__, self._packing = copy.layer, packing
        self._module, self._copy, self.count, self._statics = module, copy, count, statics
        self.variables = [copy.trained[name] for name, _ in places]
        self._axes = [axes for _, axes in places]
        self._shapes: list[Any] | None = None  # of the inputs, whose axes these are

    def __call__(self, *xs: Any, **given: Any) -> Any:
        """Call the layer, with what its variables hold."""
        if not xs and self._packing is not list:
            raise TypeError("a list has no keyword argument for each of its parts")
        return self._copy.layer(*self._packing(xs), **{**self._statics, **given})

    @contextmanager
    def kept(self) -> Iterator[None]:
        """When this closes, put back the attributes that were set while it was open: a first call may set some."""
        attributes = Attributes(parts(self._copy.layer))
        try:
            yield
        finally:
            attributes.put_back()

    def filled(self, inputs: Sequence[Any]) -> list[Any]:
        """Assign the numbers to the variables; return the inputs with the variables in their places."""
        self._module.restored(self._copy)
        self._shapes = [x.shape for x in inputs[self.count :]] if self._shapes is None else self._shapes
        for variable, axes, x in zip(self.variables, self._axes, inputs[self.count :], strict=True):
            if x is not variable:
                variable.assign(x if axes is None else _laid_out(x, axes, variable.shape))
        return [*inputs[: self.count], *self.variables]

    def as_input(self, place: int, gradient: Any) -> Any:
        """Return a gradient by a variable with the axes of the input; one of another shape comes back as it is."""
        import tensorflow as tf

        axes = self._axes[place - self.count] if place >= self.count else None
        if axes is None or gradient is None:
            return gradient
        if not gradient.shape.is_compatible_with(self.variables[place - self.count].shape):
            return gradient
        shape = axes if self._shapes is None else self._shapes[place - self.count]
        order = every_axis(axes, len(shape))
        if NEW in axes or len(axes) < len(order):
            gradient = tf.reshape(gradient, [shape[k] for k in order])
        return tf.transpose(gradient, [order.index(k) for k in range(len(order))])

    def holds(self, variable: Any) -> bool:
        """Whether a variable is one of the inputs."""
        return any(variable is known for known in self.variables)


def _laid_out(x: Any, axes: Sequence[int], shape: Any) -> Any:
    """Return a parameter as a layer has it."""
    import tensorflow as tf

    return tf.reshape(tf.transpose(x, every_axis(axes, len(x.shape))), shape)
