"""The protocol between what asks and what answers: a `Case` goes in, an `Outcome` comes out."""

from __future__ import annotations

import inspect
import re
import traceback
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from porting.runners.uses import Audit, Use
    from porting.spec import Op

    Array = np.ndarray[Any, Any]
else:
    Array = np.ndarray  # NumPy 1.16 knows no parameters of it

# Where in a graph of TensorFlow it was, and how that is compiled.
_INSIDE = re.compile(r"\{\{(?:function_)?node [^}]*\}\}\s*|\[_XlaMustCompile[^\]]*\]|(?<=\]) name:\s*$")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")  # in memory: another one each time
_WRAP = "check a function around it that returns tensors alone"
_NESTS = (tuple, list, dict)
_NUMBERS = re.compile(r", numpy=[^>]*(?=>)")  # in the text of a tensor: with them no two errors are the same
LAYOUTS = ("transposed", "strided", "offset", "expanded")
SECOND = "second order"
NOT_POSSIBLE = "mode"  # the stage of an exception that says why a mode, or a use, cannot be had


@dataclass(frozen=True)
class Case:
    """One question: run this op on these numbers.

    Attributes
    ----------
    op : Op
        What to run.
    dtype : str
        The floating type under test; all floating arrays below have it.
    inputs : mapping of input name to numpy.ndarray
        The primals.
    dy : tuple of numpy.ndarray, optional
        One cotangent per output; without it only the value is asked for.
    ddx : tuple of numpy.ndarray, optional
        One cotangent per gradient; with it the vjp of the vjp is asked for.
    statics : mapping
        Keyword-only arguments; those left out take the op's defaults.
    device, mode : str
        Where and how to run: a key of `Runner.devices`, one of `Runner.modes`.
    layout, dy_layout : str
        Memory layout of the inputs and of the cotangents: ``contiguous`` or one of `LAYOUTS`. ``expanded`` wants arrays
        whose rows are equal.
    watch : tuple of str, optional
        The inputs to differentiate by; all of ``op.wrt`` when not given. The vjp has `None` for the others.
    used : tuple of int, optional
        The outputs that the gradient comes through; all when not given. The others get no cotangent at all.
    tx : tuple of numpy.ndarray, optional
        One tangent per input in ``op.wrt``; with it the Jacobian-vector product is asked for.
    use : Use
        How the op is used: ``plain``, or one of `Runner.uses`.
    other : Case, optional
        The second case of a use that wants two; it may have another one of its own.
    raw : bool
        Whether `Outcome.raw` is asked for too, which may take another call of the op.
    """

    op: Op
    dtype: str
    inputs: Mapping[str, Array]
    dy: tuple[Array, ...] | None = None
    ddx: tuple[Array, ...] | None = None
    statics: Mapping[str, Any] = field(default_factory=dict)
    device: str = "cpu"
    mode: str = "eager"
    layout: str = "contiguous"
    dy_layout: str = "contiguous"
    watch: tuple[str, ...] | None = None
    used: tuple[int, ...] | None = None
    tx: tuple[Array, ...] | None = None
    use: Use = "plain"
    other: Case | None = None
    raw: bool = False

    @property
    def watched(self) -> tuple[str, ...]:
        """The inputs to differentiate by, in the order of ``op.wrt``."""
        return self.op.wrt if self.watch is None else self.watch

    def in_single(self) -> Case:
        """Return the same numbers in float32, where they are narrower."""
        inputs = {n: x if x.dtype.kind in "iub" else x.astype(np.float32) for n, x in self.inputs.items()}
        dy = None if self.dy is None else tuple(v.astype(np.float32) for v in self.dy)
        return replace(self, dtype="float32", inputs=inputs, dy=dy)

    @property
    def earlier(self) -> tuple[Case, ...]:
        """The other case, preceded by the other case of that one, and so on: in the order in which they run."""
        return () if self.other is None else (*self.other.earlier, self.other)

    @property
    def arguments(self) -> list[Array]:
        """What the gradient is a function of: the cotangents, then the primals."""
        return [*(self.dy or ()), *self.inputs.values()]


class NoTensorError(TypeError):
    """An op returned something else than tensors: no exception of its own."""


@dataclass(frozen=True)
class Raised:
    """An exception that an op raised: its stage, its message, and its place in the op's own file.

    A second derivative may be refused on purpose, in the way that a framework has for it.
    """

    stage: str
    type: str
    message: str
    where: str
    on_purpose: bool = False

    @property
    def is_returned(self) -> bool:
        """Whether the op raised nothing: it returned something else than tensors."""
        return self.type == NoTensorError.__name__

    @property
    def told(self) -> str:
        """A sentence: what was raised where, or what was returned that is no tensor."""
        return str(self) if self.is_returned else f"{self.stage} raised {self}"

    def __str__(self) -> str:
        """One line; see `telling_line`."""
        telling = telling_line(self.message)
        if self.is_returned:
            return telling
        if telling.startswith(f"{self.type}: "):
            return telling
        return f"{self.type}: {telling}" if telling else self.type


def telling_line(message: str) -> str:
    """Return the line of an exception's message that says what is wrong: the first line that is not part of a stack.

    For a function that TensorFlow traced, it is the last line. Keras puts the layer's name and colours in front.
    """
    lines = [line for line in _COLOUR.sub("", message).strip().splitlines() if line.strip()] or [""]
    if lines[0].startswith("in user code"):
        return lines[-1].strip()
    wrapped = lines[0].startswith("Exception encountered when calling") and lines[1:]
    return _INSIDE.sub("", lines[1].strip() if wrapped else lines[0]).strip()


@dataclass(frozen=True)
class Outcome:
    """One answer. What was not asked for, or not reached before `raised`, is empty.

    Attributes
    ----------
    value : tuple of numpy.ndarray
        The outputs.
    vjp : tuple of numpy.ndarray or None
        One gradient per input in ``op.wrt``, as the framework returns it to its user.
    raw : tuple of numpy.ndarray or None, or None
        The same gradients as the op's own backward returned them, before the framework repaired shape and dtype; `None`
        if they were not asked for, or could not be seen.
    second : tuple of numpy.ndarray or None
        The vjp of the vjp by each cotangent `dy`, then by each input in ``op.wrt``; `None` where the framework sees no
        dependence.
    ty : tuple of numpy.ndarray or None
        The Jacobian-vector product, one array per output; `None` where the framework sees no dependence.
    changed : tuple of str
        Names of inputs, cotangents (``dy0``) and outputs (``y0``) that the op overwrote.
    audit : Audit
        What the use ``audited`` saw of the op's insides; see the runner.
    raised : Raised, optional
        What went wrong.
    """

    value: tuple[Array, ...] = ()
    vjp: tuple[Array | None, ...] = ()
    raw: tuple[Array | None, ...] | None = None
    second: tuple[Array | None, ...] = ()
    ty: tuple[Array | None, ...] = ()
    changed: tuple[str, ...] = ()
    audit: Audit = field(default_factory=dict)  # type: ignore[assignment]  # of Python 3.7 no type
    raised: Raised | None = None


_listeners: list[Callable[[str], None]] = []
_watches: list[Callable[[str], None]] = []
_asked: list[str] = []  # the sides that are asked for the truth just now, by key, or ``like``; or what follows
TRIED = "tried inputs"  # while inputs are tried that nobody described


def on_stage(listener: Callable[[str], None]) -> None:
    """Register a function that is called with each stage that a runner enters, to know where a worker died."""
    _listeners[:] = [listener]


def enter(stage: str) -> str:
    """Announce a stage, ``forward``, ``backward`` or ``second order``, and return it."""
    said = f"{stage} of {_asked[-1]}" if _asked else stage
    for listener in (*_listeners, *_watches):
        listener(said)
    return stage


class OutOfTimeError(BaseException):
    """No further stage may start; like Ctrl-C this can come anywhere, and it is not a fault of the op."""


@contextmanager
def timed(until: float) -> Iterator[dict[str, float]]:
    """Measure how long each stage takes; a stage lasts until the next one begins.

    Parameters
    ----------
    until : float
        After this, on the clock `time.monotonic`, entering a stage raises `OutOfTimeError`.
    """
    seconds: dict[str, float] = {}
    stage, since = "", monotonic()

    def watch(entered: str) -> None:
        nonlocal stage, since
        now = monotonic()
        if stage:
            seconds[stage] = seconds.get(stage, 0.0) + now - since
        stage, since = entered, now
        if entered and now > until:
            raise OutOfTimeError

    _watches.append(watch)
    try:
        yield seconds
    finally:
        watch("")
        _watches.remove(watch)


@contextmanager
def asked_for_the_truth(side: str) -> Iterator[None]:
    """While this is open, stages are announced as stages of the side that is the truth, or as `TRIED`; see `called`."""
    _asked.append(side)
    try:
        yield
    finally:
        _asked.pop()


def whose(stage: str) -> tuple[str, str]:
    """Return a stage, and the key of the side that was asked for the truth at that time, if there was one."""
    entered, _, side = stage.partition(" of ")
    return entered, side


def called(side: str) -> str:
    """Return the name, for people, of a side that is asked for the truth."""
    return "the plain version" if side == "like" else f"the {side} side"


def installed_version(*names: str) -> str:
    """Return the version of the first of some distributions that is installed, or nothing."""
    from importlib.metadata import PackageNotFoundError, version  # novm - not asked of a worker

    for name in names:
        with suppress(PackageNotFoundError):
            return version(name)
    return ""


@lru_cache(maxsize=64)
def source_of(function: Callable[..., Any]) -> str:
    """Return ``path:line`` of a function, the path relative to the current folder where it lies below."""
    owner = _owner(function)
    try:
        file, line = inspect.getsourcefile(owner), inspect.getsourcelines(owner)[1]
    except (OSError, TypeError):
        inner = inspect.unwrap(function)  # that of a framework is no function of a file
        return getattr(inner, "__name__" if inspect.isbuiltin(inner) else "__qualname__", repr(inner))
    return f"{_short(file or '?')}:{line}"


def raised_by(error: Exception, stage: str, function: Callable[..., Any], refusal: str = "") -> Raised:
    """Describe an exception by the innermost frame in the file that defines the function; the same one, in one text.

    If there is none, as of a gradient that the function has of another file, a frame in the same folder is taken.
    `refusal` is what the framework says where a second derivative is refused on purpose.
    """
    frames = _frames(error, function) or _frames(error, function, beside=True)
    where = f"{_short(frames[-1].filename)}:{frames[-1].lineno}" if frames else source_of(function)
    try:
        message = str(error)
    except Exception as second:  # noqa: BLE001 - an exception whose own text cannot be had
        message = f"(its message cannot be read: {type(second).__name__})"
    on_purpose = stage == SECOND and bool(refusal) and refusal in message
    return Raised(stage, type(error).__name__, _NUMBERS.sub("", _ADDRESS.sub("0x...", message)), where, on_purpose)


def blames(error: Exception, function: Callable[..., Any]) -> bool:
    """Tell whether an exception came out of the file that defines the function."""
    return bool(_frames(error, function))


def _frames(error: Exception, function: Callable[..., Any], beside: bool = False) -> list[traceback.FrameSummary]:
    try:
        file = inspect.getsourcefile(_owner(function)) or ""
    except TypeError:  # a callable object, or one of C
        return []
    rewritten = getattr(error, "ag_error_metadata", None)  # by AutoGraph, which knows the lines of the source
    lines = reversed(getattr(rewritten, "translated_stack", ()))
    found = [*traceback.extract_tb(error.__traceback__), *lines]
    if beside:
        return [frame for frame in found if Path(frame.filename).parent == Path(file).parent]
    return [frame for frame in found if frame.filename == file]


def _owner(function: Callable[..., Any]) -> Any:
    """Return what stands in the source: of a decorated function the inner one, of ``SomeFunction.apply`` the class.

    Of a layer or another object that is called, its class.
    """
    found = inspect.unwrap(function)
    owner = getattr(found, "__self__", None) or found
    return owner if inspect.isclass(owner) or inspect.isroutine(owner) else type(owner)


def as_outputs(result: Any, is_tensor: Callable[[Any], bool], what: str) -> tuple[Any, ...]:
    """Return the outputs as a tuple, nested ones in their order, those of a dictionary in that of its keys.

    One of several that is None is no output.

    Raises
    ------
    NoTensorError
        If one is no tensor, or there is none.
    """
    outputs = tuple(unnested(result)) if isinstance(result, _NESTS) else (result,)
    if not outputs:
        raise NoTensorError(f"the op returned nothing where {what} is wanted; {_WRAP}")
    for output in outputs:
        if not is_tensor(output):
            raise NoTensorError(f"the op returned {type(output).__name__} where {what} is wanted; {_WRAP}")
    return outputs


def unnested(result: Any) -> Iterator[Any]:
    """Yield what stands in nested tuples, lists and dictionaries; frameworks order the keys of a dictionary too."""
    parts = [result[key] for key in sorted(result, key=str)] if isinstance(result, dict) else result
    for part in parts:
        if isinstance(part, _NESTS):
            yield from unnested(part)
        elif part is not None:
            yield part


def _short(path: str) -> str:
    resolved = Path(path).resolve()
    try:
        return str(resolved.relative_to(Path.cwd()))
    except ValueError:
        return str(resolved)
