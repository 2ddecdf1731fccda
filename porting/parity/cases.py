"""Cases to ask: everyday numbers, both sides of each kink, wide ranges, or inputs that a check chooses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from porting.dtypes import as_dtype, wide
from porting.errors import RunnerError
from porting.numeric import samples
from porting.numeric.differences import as_tuple
from porting.parity.kept import kept
from porting.recordings.memory import digest_of, statics_text
from porting.runners import Case
from porting.spec import Op

Array = np.ndarray[Any, Any]

SHAPE: Final = (3, 4)
LENGTHS: Final = (4, 5, 3, 2, 6)  # of the axes that a contract names: all different, so that a transposition shows


@dataclass
class Cases:
    """Makes the cases of one op in one dtype; they follow from the seed, the label and the names given to them.

    Attributes
    ----------
    op : Op
        The op to ask about.
    dtype, device, mode : str
        What each case says.
    seed : int
        Inputs and cotangents follow from it.
    label : str
        Of the check, so that each check has numbers of its own.
    quick : bool
        Whether the first everyday case is enough.
    """

    op: Op
    dtype: str
    device: str = "cpu"
    mode: str = "eager"
    seed: int = 0
    label: str = ""
    quick: bool = False

    def variants(self) -> Iterator[dict[str, Any]]:
        """Yield the statics to check with: the defaults, then each further value of each static."""
        examples = self.op.contract.statics
        base = {name: values[0] for name, values in examples.items() if name not in self.op.settings({})}
        yield base
        for name, values in examples.items():
            for value in values:
                if base.get(name) != value:
                    yield {**base, name: value}

    def case(
        self,
        label: str = "",
        *,
        shape: tuple[int, ...] = SHAPE,
        scale: float = 1.0,
        statics: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Array] | None = None,
        order: int = 1,
        lengths: tuple[int, ...] = LENGTHS,
    ) -> Case:
        """Make a case: the given inputs, or drawn ones away from kinks; signed cotangents as far as the order goes.

        Where the contract has shapes, all axes of `shape` but the last stand for its ``...``, and `lengths` are those
        of the axes that it names, in the order in which they occur.
        """
        statics = next(self.variants()) if statics is None else dict(statics)

        def make() -> Case:
            return self._made(label, shape, scale, statics, inputs, order, lengths)

        asked = (self.label, label, self.dtype, shape, scale, statics_text(statics), order, lengths, self.seed)
        if self.op.memory is not None:
            made: Case = self.op.memory.case(repr(asked), inputs, make)
        else:
            given = "" if inputs is None else digest_of(inputs.values())
            made = kept(self.op, self.seed, (*asked, given), make)
        return replace(made, op=self.op, statics=statics, device=self.device, mode=self.mode)

    def _made(
        self,
        label: str,
        shape: tuple[int, ...],
        scale: float,
        statics: Mapping[str, Any],
        inputs: Mapping[str, Array] | None,
        order: int,
        lengths: tuple[int, ...],
    ) -> Case:
        rng = samples.generator(self.seed, self.op.name, self.label, label, self.dtype, str(shape))
        chosen = dict(inputs) if inputs is not None else self.draw(rng, shape, lengths, scale, statics)
        with np.errstate(all="ignore"):
            outputs = as_tuple(self.op(*(wide(x) for x in chosen.values()), **statics))
        silent = self._without_gradient(len(outputs))
        drawn = [_cotangent(rng, np.asarray(y), self.dtype) for y in outputs] if order else None
        dy = None if drawn is None else tuple(np.zeros_like(v) if k in silent else v for k, v in enumerate(drawn))
        ddx = tuple(samples.cotangent(rng, chosen[n].shape, self.dtype) for n in self.op.wrt) if order > 1 else None
        return Case(self.op, self.dtype, chosen, dy, ddx, statics=statics, device=self.device, mode=self.mode)

    def _without_gradient(self, outputs: int) -> tuple[int, ...]:
        silent = self.op.contract.nondiff
        if silent and (max(silent) >= outputs or {*range(outputs)} <= {*silent}):
            named = ",".join(map(str, silent))
            raise RunnerError(
                f"{self.op.name}: --nondiff {named} (Contract(nondiff=…)): outputs are counted from 0; there "
                f"{'is 1' if outputs == 1 else f'are {outputs}'}, and at least one must have a gradient"
            )
        return silent

    def shapes(self, shape: tuple[int, ...], lengths: tuple[int, ...] = LENGTHS) -> dict[str, tuple[int, ...]]:
        """Return the shape of each input; see `case`."""
        declared, sizes = self.op.contract.shapes, self._sizes(lengths)

        def resolved(given: tuple[Any, ...]) -> tuple[int, ...]:
            front, rest = (shape[:-1], given[1:]) if given[:1] == (...,) else ((), given)
            return *front, *(sizes[n] if isinstance(n, str) else n for n in rest)

        return {name: resolved(declared[name]) if name in declared else shape for name in self.op.inputs}

    def bounds(self, lengths: tuple[int, ...] = LENGTHS) -> dict[str, tuple[float, float] | range | None]:
        """Return where each input may be: an interval, the integers of a range, or anywhere."""
        domain, sizes = self.op.contract.domain, self._sizes(lengths)
        found = {name: domain.get(name) for name in self.op.inputs}
        return {name: range(sizes[d]) if isinstance(d, str) else d for name, d in found.items()}

    def takes(self, name: str, number: float) -> bool:
        """Whether a number may be put into an input: inside its domain, and nothing has to be prepared."""
        bounds = self.op.contract.domain.get(name)
        if name in self.op.contract.prepare:
            return False
        return bounds is None or (isinstance(bounds, tuple) and bounds[0] <= number <= bounds[1])

    def _sizes(self, lengths: tuple[int, ...]) -> dict[str, int]:
        names = dict.fromkeys(n for given in self.op.contract.shapes.values() for n in given if isinstance(n, str))
        return dict(zip(names, (*lengths, *range(7, 7 + len(names))), strict=False))

    def kinks(self, inputs: Mapping[str, Array], statics: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
        """Return where each input has kinks, given the others."""
        at = [wide(x) for x in inputs.values()]
        settings = self.op.settings(statics)
        with np.errstate(all="ignore"):  # a check may ask about numbers outside the domain
            return {name: tuple(k(*at, **settings) if callable(k) else k) for name, k in self.op.contract.kinks.items()}

    def ordinary(self, order: int = 1, *, vector: bool = True) -> Iterator[Case]:
        """Yield the everyday cases of every variant: two ranks, both sides of each kink, ten times wider numbers.

        Without `vector` there is one rank only.
        """
        for statics in self.variants():
            ordinary = self.case("ordinary", statics=statics, order=order)
            yield ordinary
            if self.quick:
                return
            if vector:
                yield self.case("vector", shape=(7,), statics=statics, order=order)
            close = self.case("close", statics=statics, scale=0.1)  # small: 16 bits resolve what is beside a kink
            for name, places in self.kinks(close.inputs, close.statics).items():
                beside = self._beside(name, places, close)
                yield self.case(f"beside the kinks of {name}", inputs=beside, statics=statics, order=order)
            if self.dtype in {"float32", "float64"}:  # in 16 bits intermediate results overflow: no formula is at fault
                yield self.case("wide", statics=statics, scale=10.0, order=order)

    def _beside(self, name: str, places: Sequence[Any], case: Case) -> dict[str, Array]:
        """Put the elements of an input close to its kinks, on both sides, as far as other kinks leave room."""
        rng = samples.generator(self.seed, self.op.name, "beside", name, self.dtype)
        x = case.inputs[name]
        kinks = np.stack([np.broadcast_to(np.asarray(p, dtype=np.float64), x.shape) for p in places])
        chosen = np.take_along_axis(kinks, rng.integers(len(places), size=(1, *x.shape)), axis=0)[0]
        near = chosen + rng.choice([-1.0, 1.0], x.shape) * rng.uniform(0.04, 0.08, x.shape)
        moved = near.astype(x.dtype)
        stuck = samples.near(moved, list(kinks), self.dtype)
        return {**case.inputs, name: np.where(stuck, x, moved)}

    def draw(
        self,
        rng: np.random.Generator,
        shape: tuple[int, ...] = SHAPE,
        lengths: tuple[int, ...] = LENGTHS,
        scale: float = 1.0,
        statics: Mapping[str, Any] | None = None,
    ) -> dict[str, Array]:
        """Draw the inputs: inside the domain, prepared as the contract says and, with `statics`, away from kinks."""
        shapes, bounds = self.shapes(shape, lengths), self.bounds(lengths)

        def one(name: str, wanted: tuple[int, ...] | None = None) -> Array:
            return samples.draw(rng, shapes[name] if wanted is None else wanted, self.dtype, bounds[name], scale)

        inputs = {name: one(name) for name in self.op.inputs}
        types = self.op.integer_types
        inputs |= {n: x.astype(types[n]) for n, x in inputs.items() if n in types and n not in self.op.contract.prepare}
        for name, prepared in self.op.contract.prepare.items():
            made = np.asarray(prepared(wide(inputs[name])))
            if made.dtype == bool and types.get(name) != "bool":
                raise RunnerError(f"{self.op.name}: {name} is made of booleans: say so, --input {name}=bool[…]{{…}}")
            inputs[name] = made.astype(types.get(name, inputs[name].dtype))
        for name, x in inputs.items():
            if name not in self.op.contract.prepare and x.dtype == bool and x.size > 1 and x.all() == x.any():
                x.reshape(-1)[0] ^= True  # a mask that masks nothing, or all, hides what is done with it
        if statics is None:
            return inputs
        return samples.move_off_kinks(inputs, lambda at: self.kinks(at, statics), one, self.dtype)


def with_number(x: Array, number: float, dtype: str, place: int = 0) -> Array:
    """Return a copy with the number, rounded to a type, at a place, counted row by row and round and round."""
    copy = x.copy()
    if copy.size:
        copy.reshape(-1)[place % copy.size] = rounded(number, (), dtype)
    return copy


def rounded(value: Any, shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array of one number in a type."""
    return np.full(shape, value, dtype=np.float64).astype(as_dtype(dtype))


def _cotangent(rng: np.random.Generator, y: Array, dtype: str) -> Array:
    """Draw the cotangent of an output: zeros for a mask or a count, which no gradient comes through."""
    drawn = samples.cotangent(rng, y.shape, dtype)
    return drawn if y.dtype.kind not in "biu" else np.zeros_like(drawn)
