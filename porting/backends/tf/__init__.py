"""TensorFlow."""

from pathlib import Path
from typing import Final

from porting.backends.backend import Backend

BACKEND: Final = Backend(
    key="tf",
    title="TensorFlow",
    runner="porting.backends.tf.runner:TensorFlowRunner",
    place="porting.backends.tf.tensors",
    folder=Path(__file__).parent,
    types_apart=(
        ("cannot compute", "expected to be a"),
        ("must have the same type",),
        ("that does not match type",),
        ("conversion requested dtype",),
    ),
    packages=("tensorflow", "keras"),
    preloaded=("porting.backends.tf.run",),
    has=("calls by keyword", "captured variables", "oneDNN", "sparse cotangents", "tracing", "XLA"),
    catalogued=True,
    draws="porting.backends.tf.draws:drawing",
)
