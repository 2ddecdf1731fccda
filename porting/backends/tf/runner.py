"""TensorFlow as a runner: it answers cases under gradient tapes, in each of its modes."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from porting.runners.base import Outcome, installed_version, raised_by, source_of
from porting.runners.imports import beside, modes_of
from porting.runners.state import changed_settings, process_state, restore_process

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porting.runners.base import Case, Raised
    from porting.runners.uses import Use
    from porting.spec import Op


REFUSAL = "Gradient explicitly disabled"  # what `PreventGradient` says: a second derivative is refused on purpose


class TensorFlowRunner:
    """Runs an op's TensorFlow twin under gradient tapes: eagerly, in a ``tf.function``, or compiled by XLA.

    An eager tape returns exactly what the op's own gradient function returned: TensorFlow repairs nothing, so the raw
    gradient is the gradient.
    """

    key = "tf"
    module = "tensorflow"
    title = "TensorFlow"
    whole: tuple[str, ...] = ("eager", "function", "xla")
    layouts: tuple[str, ...] = ()  # a TensorFlow tensor has no strides
    uses: tuple[Use, ...] = (
        "interleaved", "retained", "keyword", "indexed", "traced before", "any shape", "state changed", "audited",
        "settings", "as a function",
    )  # fmt: skip
    mutable = False
    oldest = 2, 2  # version that answers in another interpreter

    @property
    def modes(self) -> tuple[str, ...]:
        """All modes that it has here."""
        return modes_of(__name__, self.whole)

    def missing(self) -> str | None:
        """Say that TensorFlow is not installed, without importing it."""
        return None if find_spec("tensorflow") else 'TensorFlow is not installed: pip install "gradport[tensorflow]"'

    def version(self) -> str:
        """Return the installed version, or nothing."""
        return installed_version("tensorflow", "tensorflow-cpu")

    def lacking(self) -> set[Use]:
        """Return the uses that this version of TensorFlow does not have."""
        return set()

    def devices(self) -> dict[str, str | None]:
        """Return cpu, and gpu or the reason why it is not there."""
        import tensorflow as tf

        from porting.backends.tf.devices import gpus

        if gpus():
            return {"cpu": None, "gpu": None}
        built = tf.test.is_built_with_cuda()
        return {"cpu": None, "gpu": "TensorFlow sees no GPU" if built else "this build of TensorFlow has no CUDA"}

    def where(self, op: Op) -> str:
        """Return where the twin stands."""
        return source_of(op.twin(self.key))

    def state(self) -> dict[str, Any]:
        """Return TensorFlow's settings and the process's."""
        return {
            **process_state(),
            "TensorFlow's eager mode of functions": _eager_functions("functions_run_eagerly")(),
            "Keras' default type": _floatx(),
            "TensorFlow's random seed": _seed(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back what can be put back."""
        import tensorflow as tf

        restore_process(state)
        if _seed() != state["TensorFlow's random seed"]:  # setting it forgets all kernels: each op then starts slowly
            tf.random.set_seed(state["TensorFlow's random seed"][0])
        _eager_functions("run_functions_eagerly")(state["TensorFlow's eager mode of functions"])
        if _floatx() != state["Keras' default type"]:
            tf.keras.backend.set_floatx(state["Keras' default type"])

    def run(self, case: Case) -> Outcome:
        """Run forward, gradient and the gradient of the gradient, as far as the case asks for them."""
        import tensorflow as tf
        from tensorflow.python.eager import context  # the public API cannot switch it on in a graph

        from porting.backends.tf.devices import exact, gpus, two_cpus
        from porting.backends.tf.run import TensorFlowRun

        if not tf.executing_eagerly():  # a file that was imported has switched it off
            with context.eager_mode():
                return self.run(case)
        gpus()  # they grow, before the first tensor: TensorFlow takes the memory for a tensor of the CPU, too
        two_cpus()
        if case.use == "settings":
            return Outcome(audit={"changed": changed_settings(self, replace(case, use="plain"))})
        device = "/GPU:0" if case.device == "gpu" else "/CPU:0"
        if case.mode not in self.whole:
            with tf.device(device), exact(case.device):
                return cast("Outcome", beside(__name__, "in_mode").run_in_mode(case))
        run = TensorFlowRun(case)
        raised: Raised | None = None
        with tf.device(device), exact(case.device):
            try:
                run.answer()
            except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
                raised = raised_by(error, run.raised_in(), run.twin, REFUSAL)
        return Outcome(**run.found(), audit=run.audit, raised=raised)


def _seed() -> tuple[int | None, Any]:
    """Return the seed, and the generator that setting one makes anew, be it the same one."""
    from tensorflow.python.eager import context  # the public API has no way to ask

    return context.global_seed(), getattr(context.context(), "_rng", None)


def _floatx() -> str:
    """Return Keras' default type; where Keras 3 is not loaded yet, nobody can have changed it."""
    import tensorflow as tf

    if find_spec("keras") is not None and "keras" not in sys.modules:
        return "float32"  # asking would load it, which takes half as long as TensorFlow itself
    found: str = tf.keras.backend.floatx()
    return found


def _eager_functions(name: str) -> Any:
    """Return a function of ``tf.config``, which was experimental before TensorFlow 2.3."""
    import tensorflow as tf

    return getattr(tf.config, name, None) or getattr(tf.config, f"experimental_{name}")
