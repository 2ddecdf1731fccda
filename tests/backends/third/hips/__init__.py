"""HIPS autograd as a third framework: what a package adds that has one of its own."""

from pathlib import Path

from porting.backends import Backend

BACKEND = Backend(
    key="hips",
    title="HIPS autograd",
    runner="hips.runner:HipsRunner",
    place="hips.tensors",
    folder=Path(__file__).parent,
)
