"""Runs one case in TensorFlow in a mode that is not a whole one: value and gradient as that mode gives them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from porting.backends.tf.arrays import arrays, tensors
from porting.backends.tf.call import by_keyword, called, has_gradient, sent_to
from porting.dtypes import wide
from porting.runners.base import NOT_POSSIBLE, Outcome, enter, raised_by
from porting.runners.imports import uncollected
from porting.runners.modes import NotPossibleError, answer_of, ensure_linear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porting.runners.base import Case, Raised

Tensors = tuple[Any, ...]
# What the function ``answer`` of a mode returns: the outputs, and one gradient, or `None`, for each of `Asked.x`.
Answer = tuple[Tensors, Tensors]


class Asked:
    """An op on the numbers of a case, as a function of the inputs that it is differentiated by.

    Attributes
    ----------
    case : Case
        The case.
    twin : callable
        The op.
    held : object, optional
        The layer, if the op is one; its variables are inputs.
    inputs : tuple of tf.Tensor
        All inputs; in the place of a layer's variable the variable.
    wrt : tuple of int
        The places of the inputs in ``op.wrt``.
    x : tuple of tf.Tensor
        The inputs in ``op.wrt``.
    value : tuple of tf.Tensor
        The outputs in eager mode.
    live : tuple of int
        The outputs that a gradient can come through: those of a floating or complex type.
    dy : tuple of tf.Tensor
        The cotangents, one for each of the outputs in `live`; ones where only the value is asked for.
    stage : str
        The current stage.

    Raises
    ------
    NotPossibleError
        If nothing has a gradient.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.twin = case.op.twin("tf")
        self.stage = enter("forward")
        held = getattr(self.twin, "held", None)
        self.held: Any = held(case.dtype) if held else None
        inputs, dy, _ = tensors(case)
        self.inputs: Tensors = tuple(self.held.filled(inputs) if self.held else inputs)
        self.wrt = tuple(place for place, name in enumerate(case.inputs) if name in case.op.wrt)
        self.x = tuple(self.inputs[place] for place in self.wrt)
        self.value = self(*self.x)
        self.live = tuple(k for k, y in enumerate(self.value) if has_gradient(y))
        if not self.live or not any(map(has_gradient, self.x)):
            raise NotPossibleError(f"no {'input' if self.live else 'output'} is of a type that has a gradient")
        self.dy = tuple(tf.ones_like(self.value[k]) if case.dy is None else dy[k] for k in self.live)

    def __call__(self, *x: Any) -> Tensors:
        """Return the outputs."""
        return self.of(*self.all(x))

    def all(self, x: Sequence[Any], inputs: Sequence[Any] | None = None) -> list[Any]:
        """Return all inputs, those of the case or the given ones, with `x` in their places."""
        found = list(self.inputs if inputs is None else inputs)
        for place, each in zip(self.wrt, x, strict=True):
            found[place] = each
        return found

    def of(self, *inputs: Any) -> Tensors:
        """Return the outputs for all inputs; a layer looks its variables up itself."""
        return called(self.held or self.twin, self._own(inputs), self.case.statics)

    def with_keywords(self, *_: Any) -> Tensors:
        """Return the outputs of a call that has no argument by place."""
        named = by_keyword(self.twin, self.case, self._own(self.inputs))
        return called(self.held or self.twin, [], {**named, **self.case.statics})

    def _own(self, inputs: Sequence[Any]) -> Sequence[Any]:
        return inputs[: self.held.count] if self.held else inputs

    def taped(self, function: Callable[..., Any], x: Sequence[Any] | None = None) -> Answer:
        """Return the outputs of a function of `x`, and the gradients under a tape around its call."""
        x = self.x if x is None else x
        with tf.GradientTape() as tape:
            tape.watch(x)
            outputs = tuple(function(*x))
        return outputs, self.pulled(tape, outputs, x)

    def pulled(self, tape: Any, outputs: Sequence[Any], x: Sequence[Any] | None = None) -> Tensors:
        """Return the gradients of outputs by `x`, those of the case if not given; `None` without dependence."""
        self.stage = enter("backward")
        ys = [outputs[k] for k in self.live]
        dy = [sent_to(y, v) for y, v in zip(ys, self.dy, strict=True)]
        found = tape.gradient(ys, list(self.x if x is None else x), output_gradients=dy)
        return tuple(None if g is None else tf.convert_to_tensor(g) for g in found)  # of tf.IndexedSlices

    def sent(self, outputs: Sequence[Any]) -> Any:
        """Return the number whose gradient `pulled` is, of the outputs or of their tangents."""
        terms = [outputs[k] * tf.math.conj(v) for k, v in zip(self.live, self.dy, strict=True)]
        return tf.add_n([tf.reduce_sum(tf.math.real(term)) for term in terms])

    def ensure_function(self) -> None:
        """Refuse a layer, where only tensors can be handed on.

        Raises
        ------
        NotPossibleError
            If the op is a layer that holds variables.
        """
        if self.held:
            raise NotPossibleError("a layer's weights are variables, and only tensors are handed on here")

    def ensure_jacobian(self) -> None:
        """Refuse what has no Jacobian to make the gradient of: complex numbers, or a gradient that is not linear.

        Raises
        ------
        NotPossibleError
            If an input or an output is complex, or the gradient is not linear in the cotangent.
        """
        if any(t.dtype.is_complex for t in (*self.x, *self.value)):
            raise NotPossibleError("a function of complex numbers has no Jacobian of complex numbers")

        def gradient(factor: float) -> list[Any]:
            with tf.GradientTape() as tape:
                tape.watch(self.x)
                outputs = self(*self.x)
            ys = [outputs[k] for k in self.live]
            sent = [sent_to(y, v * factor) for y, v in zip(ys, self.dy, strict=True)]
            dx = tape.gradient(ys, list(self.x), output_gradients=sent)
            return [None if g is None else wide(tf.convert_to_tensor(g).numpy()) for g in dx]

        ensure_linear(gradient)


def run_in_mode(case: Case) -> Outcome:
    """Return value and gradient; what cannot be had in the mode has an exception of the stage `NOT_POSSIBLE`."""
    found: dict[str, Any] = {}
    raised: Raised | None = None
    twin = case.op.twin("tf")
    asked: Asked | None = None
    try:
        asked = Asked(case)
        with asked.held.kept() if asked.held else nullcontext(), uncollected():
            outputs, dx = answer_of("porting.backends.tf.modes", case.mode)(asked)
        found = arrays({"value": outputs, "vjp": _placed(asked, dx)})
    except NotPossibleError as error:
        raised = raised_by(error, NOT_POSSIBLE, twin)
    except Exception as error:  # noqa: BLE001 - whatever the op or TensorFlow raises is part of the answer
        raised = raised_by(error, asked.stage if asked else "forward", twin)
    return Outcome(**found, raised=raised)


def _placed(asked: Asked, dx: Tensors) -> Tensors:
    """Return gradients with the axes of the inputs: a layer's variables may have others."""
    if not asked.held:
        return dx
    return tuple(asked.held.as_input(place, g) for place, g in zip(asked.wrt, dx, strict=True))
