"""Refuses an op of the catalogue whose oracle is not written yet: there is no truth to compare a twin with."""

from collections.abc import Iterable

from porting.pairs.pair import Pair
from porting.parity.plan import UsageError
from porting.spec import Op


def ensure_written(ops: Iterable[Op | Pair]) -> None:
    """Refuse an op of the catalogue whose value or gradient raises `NotImplementedError`, as `porting new` writes it.

    Raises
    ------
    UsageError
        If there is one; the message says what to write where.
    """
    for op in ops:
        if isinstance(op, Pair) or op.stands_for is not None or not op.in_catalogue:
            continue
        for what, function in (("formula", op.value), ("gradient", op.rule)):
            if function is None or "NotImplementedError" in function.__code__.co_names:
                raise UsageError(f"write the {what} of {op.name} in {op.module.replace('.', '/')}.py")
