"""Runs one case in TensorFlow: forward, gradient and the rest of the case, in the use that the case names."""

from __future__ import annotations

import inspect
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from porting.backends.tf.arrays import arrays, specs, tensors
from porting.backends.tf.call import by_keyword, called, has_gradient, sent_to
from porting.backends.tf.programs import Programs, has_state
from porting.runners.base import SECOND, Outcome, enter
from porting.runners.changeable import changeable
from porting.runners.imports import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porting.runners.base import Array, Case
    from porting.runners.uses import Audit

_COMPILED = "jit_compile" if "jit_compile" in inspect.signature(tf.function).parameters else "experimental_compile"

_PROGRAMS = Programs()


class TensorFlowRun:
    """One computation that can be traced; it records its stage, in case it raises.

    Attributes
    ----------
    stage : str
        The current stage.
    audit : dict
        What the use ``audited`` saw: for each captured variable, its gradient and the finite differences of the value.
        For a function that was traced before, the outcomes of `Case.earlier`.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.twin = case.op.twin("tf")
        self.held: Any = None  # a layer, whose variables are inputs
        self.stage = "forward"
        self.audit: Audit = {}
        self._so_far: dict[str, tuple[Any, ...]] = {}
        self._result: dict[str, tuple[Any, ...]] = {}

    def answer(self) -> None:
        """Compute all that the case asks for."""
        case = self.case
        held = getattr(self.twin, "held", None)
        self.held = held(case.dtype) if held else None
        if case.use == "audited":
            with self._kept():
                self.audit = {"variables": self._variables()}
        elif case.mode == "eager":
            self._compute(*tensors(case))
        else:
            with uncollected():  # AutoGraph makes trees of nodes, a tenth of its time is a search for garbage in them
                self._result = self._traced()

    def raised_in(self) -> str:
        """Return the stage of what was raised: a gradient may be traced with its forward, and only on a tape.

        Then the forward gives its value without one.
        """
        if self.stage != "forward" or not self.case.dy:
            return self.stage
        plain = TensorFlowRun(replace(self.case, dy=None, ddx=None))
        try:
            plain.answer()
        except Exception:  # noqa: BLE001 - so the forward raises by itself
            return self.stage
        self._so_far, self._result = plain._so_far, plain._result
        return "backward"

    def found(self) -> dict[str, Any]:
        """Return the fields of an `Outcome` that are known."""
        found = arrays(self._so_far if self.case.mode == "eager" else self._result)
        if "vjp" in found and self.case.mode == "eager" and self.case.raw:
            found["raw"] = found["vjp"]
        return found

    def _traced(self) -> dict[str, tuple[Any, ...]]:
        case = self.case
        kept = _PROGRAMS.find(case, self.twin)
        if kept is not None:
            call, first = kept
            try:
                return self._called(call)
            finally:
                self.stage = first.stage
        if case.use == "state changed" and not any(changeable(self.twin)):  # nothing that could be changed
            self.audit = {"baked": ()}
            return {}
        signature = specs(case) if case.use == "any shape" else None
        how = {_COMPILED: case.mode == "xla", "autograph": False}  # AutoGraph is for the op only, see _call
        call = tf.function(self._compute, input_signature=signature, **how)
        found = self._called(call)
        if case.use == "state changed":
            self.audit = {"baked": tuple(self._baked(call))}
        elif not has_state(call, tensors(case), self.held.variables if self.held else ()):
            _PROGRAMS.keep(case, self.twin, call, self)
        return found

    def _called(self, call: Any) -> dict[str, tuple[Any, ...]]:
        """Call a traced function, with the earlier cases first where the case wants that."""
        if self.case.use == "traced before":
            self.audit = {"before": tuple(Outcome(**arrays(call(*tensors(other)))) for other in self.case.earlier)}
        found: dict[str, tuple[Any, ...]] = call(*tensors(self.case))
        return found

    def _baked(self, call: Any) -> Iterator[str]:
        """Change each number that the op reads and others may change; yield those that the traced function ignores.

        One with which the op raises, such as a rank or an index, may be no other one.
        """
        for name, container, key in changeable(self.twin):
            before = container[key]
            eager = [t.numpy() for t in self._compute(*tensors(self.case))["vjp"] if t is not None]
            container[key] = before + 1
            numbers: tuple[list[Any], ...] = ()
            try:
                with suppress(Exception):  # whatever it raises for a number that nobody gave
                    numbers = tuple(
                        [t.numpy() for t in run(*tensors(self.case))["vjp"] if t is not None]
                        for run in (self._compute, call)
                    )
            finally:
                container[key] = before
            changed, traced = numbers or (eager, eager)
            if not _alike(eager, changed, np.array_equal) and not _alike(changed, traced, np.allclose, equal_nan=True):
                yield name

    def _compute(self, inputs: list[Any], dy: list[Any], ddx: list[Any]) -> dict[str, tuple[Any, ...]]:
        """Return value, vjp and second, as far as the case asks; a layer's attributes are then what they were."""
        with self._kept():
            return self._computed(inputs, dy, ddx)

    def _computed(self, inputs: list[Any], dy: list[Any], ddx: list[Any]) -> dict[str, tuple[Any, ...]]:
        case = self.case
        self.stage, self._so_far = enter("forward"), {}  # a kept function may be traced once more
        inputs = self._filled(inputs)
        inner: Any  # there is no tape where no gradient is asked for
        leaves = [x for x, name in zip(inputs, case.inputs) if name in case.watched]
        with tf.GradientTape() if ddx else nullcontext() as outer:
            if outer is not None:
                outer.watch([*dy, *leaves])
            with tf.GradientTape(persistent=case.use == "retained") if dy else nullcontext() as inner:
                if inner is not None:
                    inner.watch(leaves)
                outputs = self._call(inputs)
                sources, dy_in = outputs, dy
                if case.use == "indexed":  # the gradient of a gather is tf.IndexedSlices
                    sources = tuple(tf.gather(y, tf.range(tf.shape(y)[0])[::-1]) for y in outputs)
                    dy_in = [v[::-1] for v in dy]
                if case.use == "interleaved" and case.other:
                    other = tensors(case.other)[0]  # the variables of a layer stay what they are
                    (self.held or self.twin)(*self._own(other), **case.other.statics)
            self._so_far["value"] = outputs
            if not dy:
                return self._so_far
            self.stage = enter("backward")
            asked = range(len(sources)) if case.used is None else case.used
            used = [k for k in asked if has_gradient(sources[k])]  # a mask, a count of steps has none
            sources, dy_in = tuple(sources[k] for k in used), [sent_to(sources[k], dy_in[k]) for k in used]
            if case.use == "retained":
                inner.gradient(sources, leaves, output_gradients=dy_in)
            gradients = inner.gradient(sources, leaves, output_gradients=dy_in)
            dx = self._dense(gradients, case.watched, leaves)
            by_name = dict(zip(case.watched, dx))
            self._so_far["vjp"] = tuple(by_name.get(name) for name in case.op.wrt)
        if outer is not None:
            self.stage = enter(SECOND)
            live = [(g, v) for g, v in zip(dx, ddx) if g is not None]
            if not live:
                self._so_far["second"] = (None,) * (len(dy) + len(leaves))
                return self._so_far
            sent = [sent_to(g, v) for g, v in live]
            by = [*dy, *leaves]
            second = outer.gradient([g for g, _ in live], by, output_gradients=sent)
            self._so_far["second"] = self._dense(second, [*("" for _ in dy), *case.watched], by)
        return self._so_far

    def _call(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        statics = self.case.statics
        inputs = self._own(inputs)
        if self.case.use == "keyword":
            inputs, statics = [], {**by_keyword(self.twin, self.case, inputs), **statics}
        if self.case.use == "as a function":  # a tape around it has the gradient that its graph makes
            inside = tf.function(lambda inputs: called(self.held or self.twin, inputs, statics), autograph=False)
            return tuple(inside(list(inputs)))
        return called(self.held or self.twin, inputs, statics)

    def _kept(self) -> Any:
        return self.held.kept() if self.held else nullcontext()

    def _filled(self, inputs: list[Any]) -> list[Any]:
        """Return the inputs with the variables of a layer in their places, which hold them from now on."""
        return self.held.filled(inputs) if self.held else inputs

    def _own(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Return the inputs without those that a layer holds."""
        return inputs[: self.held.count] if self.held else inputs

    def _dense(self, gradients: Sequence[Any], names: Sequence[str], by: Sequence[Any]) -> tuple[Any, ...]:
        """Return gradients `by` tensors as tensors, those of a layer's variables with the axes of the inputs.

        A number of Python, which the tape hands on as it is, takes the type of what it meets.
        """
        kinds = (x.dtype if isinstance(g, (int, float)) else None for g, x in zip(gradients, by))
        found = [None if g is None else tf.convert_to_tensor(g, kind) for g, kind in zip(gradients, kinds)]
        if self.held:
            places = list(self.case.inputs)
            found = [self.held.as_input(places.index(n), g) if n else g for n, g in zip(names, found)]
        return tuple(found)

    def _variables(self) -> list[tuple[str, Array, Array]]:
        """Return name, gradient and differences of the value for each trainable variable that the op captures."""
        inputs, dy, _ = tensors(self.case)
        inputs = self._filled(inputs)
        with tf.GradientTape(persistent=True) as tape:
            outputs = self._call(inputs)
        live = [(y, v) for y, v in zip(outputs, dy) if has_gradient(y)]
        found = []
        with tf.GradientTape() as again:
            self._call(inputs)
        captured = {id(variable) for variable in again.watched_variables()}  # not those that each call makes anew
        for variable in tape.watched_variables():
            if id(variable) not in captured or (self.held and self.held.holds(variable)):  # compared as an input
                continue
            self.stage = enter("backward")
            gradient = tape.gradient([y for y, _ in live], variable, output_gradients=[v for _, v in live])
            got = np.zeros(variable.shape) if gradient is None else tf.convert_to_tensor(gradient).numpy()
            found.append((variable.name, np.array(got), self._differences(variable, inputs, dy)))
        return found

    def _differences(self, variable: Any, inputs: list[Any], dy: list[Any]) -> Array:
        """Differentiate the value by a variable numerically, and put the variable back."""
        before = np.array(variable.numpy())
        slope = np.zeros(before.shape)
        digits = np.finfo(before.dtype).eps ** (1 / 3)  # so that the type still tells the two numbers apart
        try:
            for i in np.ndindex(before.shape):
                sums, places = [], []
                for sign in (1, -1):
                    moved = before.copy()
                    moved[i] += sign * digits * max(1.0, abs(before[i]))
                    variable.assign(moved)
                    places.append(float(moved[i]))
                    parts = zip(self._call(inputs), dy)
                    sums.append(sum(float(tf.reduce_sum(y * v)) for y, v in parts if has_gradient(y)))
                slope[i] = (sums[0] - sums[1]) / (places[0] - places[1])
        finally:
            variable.assign(before)
        return slope


def _alike(these: Sequence[Array], those: Sequence[Array], same: Any, **how: bool) -> bool:
    """Tell whether there are as many gradients, each the same: a changed number may take one away."""
    return len(these) == len(those) and all(same(a, b, **how) for a, b in zip(these, those))
