"""TensorFlow as a runner."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np

from porting.runners.base import Case, Outcome, Raised, as_outputs, raised_by, source_of
from porting.spec import Op


class TensorFlowRunner:
    """Runs an op's TensorFlow twin under gradient tapes: eagerly, in a ``tf.function``, or compiled by XLA.

    What an eager tape hands out is what the op's own gradient function returned: TensorFlow repairs nothing, so the raw
    gradient is the gradient.
    """

    key = "tf"
    module = "tensorflow"
    title = "TensorFlow"
    modes: tuple[str, ...] = ("eager", "function", "xla")
    layouts: tuple[str, ...] = ()  # a TensorFlow tensor has no strides
    mutable = False

    def missing(self) -> str | None:
        """Say that TensorFlow is not installed, without importing it."""
        return None if find_spec("tensorflow") else 'TensorFlow is not installed: pip install "gradport[tensorflow]"'

    def version(self) -> str:
        """Return the installed version, or nothing."""
        for name in ("tensorflow", "tensorflow-cpu"):
            try:
                return version(name)
            except PackageNotFoundError:
                continue
        return ""

    def devices(self) -> dict[str, str | None]:
        """Return cpu, and gpu or the reason why it is not there."""
        import tensorflow as tf

        if tf.config.list_physical_devices("GPU"):
            return {"cpu": None, "gpu": None}
        built = tf.test.is_built_with_cuda()
        return {"cpu": None, "gpu": "TensorFlow sees no GPU" if built else "this build of TensorFlow has no CUDA"}

    def where(self, op: Op) -> str:
        """Return where the twin stands."""
        return source_of(op.twin(self.key))

    def run(self, case: Case) -> Outcome:
        """Run forward, gradient and that gradient's gradient, as far as asked for."""
        import tensorflow as tf

        twin = case.op.twin(self.key)
        run = _Run(twin, case)
        with tf.device("/GPU:0" if case.device == "gpu" else "/CPU:0"):
            tensors = [tf.constant(x) for x in case.inputs.values()]
            dy = [tf.constant(v) for v in case.dy or ()]
            ddx = [tf.constant(v) for v in case.ddx or ()]
            call = run.compute if case.mode == "eager" else tf.function(run.compute, jit_compile=case.mode == "xla")
            raised: Raised | None = None
            answer: Any = None
            try:
                answer = call(tensors, dy, ddx)
            except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
                raised = raised_by(error, run.stage, twin)
                if case.mode == "eager":
                    answer = run.so_far
        found: dict[str, Any] = {
            key: tuple(None if t is None else np.array(t.numpy()) for t in part) for key, part in (answer or {}).items()
        }
        if "vjp" in found and case.mode == "eager":
            found["raw"] = found["vjp"]
        return Outcome(**found, raised=raised)


class _Run:
    """One computation that can be traced; it remembers how far it came, for when it raises."""

    def __init__(self, twin: Any, case: Case) -> None:
        self.twin, self.case = twin, case
        self.stage = "forward"
        self.so_far: dict[str, tuple[Any, ...]] = {}

    def compute(self, inputs: list[Any], dy: list[Any], ddx: list[Any]) -> dict[str, tuple[Any, ...]]:
        """Return value, vjp and second, as far as the case asks."""
        import tensorflow as tf

        leaves = [x for x, name in zip(inputs, self.case.inputs, strict=True) if name in self.case.op.wrt]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([*dy, *leaves])
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(leaves)
                outputs = as_outputs(self.twin(*inputs, **self.case.statics), tf.is_tensor, "a tensor")
            self.so_far["value"] = outputs
            if not dy:
                return self.so_far
            self.stage = "backward"
            gradients = inner.gradient(outputs, leaves, output_gradients=dy)
            dx = tuple(None if g is None else tf.convert_to_tensor(g) for g in gradients)
            self.so_far["vjp"] = dx
        if ddx:
            self.stage = "second order"
            live = [(g, v) for g, v in zip(dx, ddx, strict=True) if g is not None]
            if not live:
                self.so_far["second"] = (None,) * (len(dy) + len(leaves))
                return self.so_far
            second = outer.gradient([g for g, _ in live], [*dy, *leaves], output_gradients=[v for _, v in live])
            self.so_far["second"] = tuple(None if g is None else tf.convert_to_tensor(g) for g in second)
        return self.so_far
