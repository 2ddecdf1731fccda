"""An op as it is checked: under whose truth, answered by whom, with what is known of its sides."""

from collections.abc import Mapping
from typing import Any

from porting.spec import Op


class Subject(Op):
    """An op under circumstances that are not a part of its promise: a side of a pair, or a recorded op.

    It is made by `porting.pairs.stand_in.standing_in`. What is found out of its sides while they are asked, such as
    `narrow`, is noted on it.

    Attributes
    ----------
    truth : str
        The source of the truth: ``oracle``, or the backend whose side is the truth in float64 (see `porting.Pair`).
    answers : mapping of str to runner
        The runners of this op only, in place of the runners of this process (see `porting.runners.runner_of`).
    memory : object, optional
        What is recorded, or replayed (see `porting.recordings.memory`).
    stands_for : Op, optional
        The op whose recorded truth this one has.
    draws : str
        The side that draws random numbers, and what to do about it; empty if none does.
    common : str
        ``forward`` or ``backward``, the last one that draws, if both sides are given the same random numbers.
    narrow : str
        The side that takes float32 only, so that nothing is compared in float64; empty if none does.
    truth_in : str
        The type in which the side that has the truth answers, if it refuses float64; else empty.
    widest : str
        The widest type that it is declared for.
    integer_types : mapping of str to str
        The types of those integers that are not ``int64``.
    complex_inputs : tuple of str
        The inputs that hold complex numbers, where the contract promises them; empty if all do.
    vectors : tuple of str
        The outputs that are vectors of either sign; see `porting.pairs.either_sign`.
    """

    truth: str
    answers: Mapping[str, Any]
    memory: Any
    stands_for: Op | None
    draws: str
    common: str
    narrow: str
    truth_in: str
    widest: str
    integer_types: Mapping[str, str]
    complex_inputs: tuple[str, ...]
    vectors: tuple[str, ...]

    def __setattr__(self, name: str, value: Any) -> None:
        """Note what is known of the circumstances."""
        object.__setattr__(self, name, value)
