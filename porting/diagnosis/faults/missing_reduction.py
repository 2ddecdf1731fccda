"""The sum over broadcast axes."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike
from porting.diagnosis.experiments import sum_to


@cause(
    rank=20,
    torch="Sum over the axes along which the input was repeated: db = (dy * x).sum_to_size(b.shape)",
    tf="Sum over the axes along which the input was repeated: tf.reduce_sum(dy * x, axis=…), reshaped to tf.shape(b).",
)
def missing_reduction(e: Evidence) -> str | None:
    """The gradient of an input that is broadcast is not summed over the axes along which it was repeated.

    Broadcasting uses an element many times, so its gradient is the sum over all uses. PyTorch's engine sums a
    gradient of the wrong shape for you without a word; TensorFlow hands it out as it is, and raises in tf.function.
    """
    for case, raw in e.raws:
        want = e.truth(case)
        for name, g in raw.items():
            shape = case.inputs[name].shape
            if want is None or g.shape == shape or g.size <= case.inputs[name].size:
                continue
            summed = sum_to(g, shape)
            if summed is not None and alike({name: summed}, {name: want[name]}):
                return f"gradient of {name} has shape {list(g.shape)}, the input {list(shape)}; summed it is right"
    return None
