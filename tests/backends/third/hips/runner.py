"""HIPS autograd as a runner."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from porting.runners.base import Outcome, enter, installed_version, raised_by, source_of
from porting.runners.state import changed_settings, process_state, restore_process


class HipsRunner:
    """Runs a twin that is written with ``autograd.numpy`` and ``autograd.extend.primitive``."""

    key = "hips"
    module = "autograd"
    title = "HIPS autograd"
    modes = whole = ("eager",)
    layouts = ("transposed",)
    uses = ("retained", "settings")
    mutable = True

    def missing(self):
        return None if find_spec("autograd") else "HIPS autograd is not installed: pip install autograd"

    def version(self):
        return installed_version("autograd")

    def devices(self):
        return {"cpu": None}

    def where(self, op):
        return source_of(op.twin(self.key))

    def state(self):
        return process_state()

    def restore(self, state):
        restore_process(state)

    def run(self, case):
        if case.use == "settings":
            return Outcome(audit={"changed": changed_settings(self, replace(case, use="plain"))})
        run = _Run(case)
        raised = None
        try:
            with np.errstate(all="ignore"):
                run.answer()
        except Exception as error:  # noqa: BLE001 - whatever an op raises is part of the answer
            raised = raised_by(error, run.stage, run.twin)
        return Outcome(**run.found, changed=run.changed(), raised=raised)


class _Run:
    def __init__(self, case):
        self.case = case
        self.twin = case.op.twin("hips")
        self.stage = "forward"
        self.found = {}
        self.inputs = {name: _laid_out(x, case.layout) for name, x in case.inputs.items()}
        self.dy = tuple(_laid_out(v, case.dy_layout) for v in case.dy or ())

    def answer(self):
        from autograd import make_vjp

        case = self.case
        self.stage = enter("forward")
        places = tuple(list(case.inputs).index(name) for name in case.watched)
        xs = tuple(self.inputs.values())
        vjp, y = make_vjp(self._outputs, places)(*xs) if places else (None, self._outputs(*xs))
        self.found["value"] = tuple(np.array(one) for one in y)
        if case.dy is None:
            return
        self.stage = enter("backward")
        used = range(len(y)) if case.used is None else case.used
        dy = tuple(v if k in used else np.zeros_like(v) for k, v in enumerate(self.dy))
        dx = self._gradients(vjp, dy)
        if case.use == "retained":
            dx = self._gradients(vjp, dy)
        by_name = dict(zip(case.watched, dx, strict=True))
        self.found["vjp"] = tuple(None if name not in by_name else np.array(by_name[name]) for name in case.op.wrt)
        if case.ddx is not None:
            self.stage = enter("second order")
            self.found["second"] = self._second(places, dy)

    def _outputs(self, *xs):
        from autograd.builtins import tuple as traced

        y = self.twin(*xs, **self.case.statics)
        return traced(tuple(y) if isinstance(y, tuple | list) else (y,))

    def _gradients(self, vjp, dy):
        return () if vjp is None else tuple(vjp(dy))

    def _second(self, places, dy):
        """Differentiate the gradients by the cotangents, then by the inputs."""
        from autograd import make_vjp
        from autograd.builtins import tuple as traced

        names = list(self.inputs)

        def gradients(dy, watched):
            xs = [watched[places.index(k)] if k in places else self.inputs[name] for k, name in enumerate(names)]
            return traced(make_vjp(self._outputs, places)(*xs)[0](dy))

        watched = tuple(self.inputs[names[k]] for k in places)
        again, _ = make_vjp(lambda both: gradients(*both))((dy, watched))
        by_dy, by_x = again(tuple(np.array(v) for v in self.case.ddx))
        return tuple(np.array(g) for g in (*by_dy, *by_x))

    def changed(self):
        now = {**self.inputs, **{f"dy{k}": v for k, v in enumerate(self.dy)}}
        before = {**self.case.inputs, **{f"dy{k}": v for k, v in enumerate(self.case.dy or ())}}
        return tuple(name for name, x in now.items() if x.tobytes() != before[name].tobytes())


def _laid_out(x, layout):
    return np.array(x.T, order="C").T if layout == "transposed" else np.array(x)
