"""Copies Keras layers and `tf.Module`s in another type; the originals are not changed."""

from __future__ import annotations

import copy
import inspect
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from porting.backends.tf.copied import Copy
from porting.backends.tf.keras_names import named
from porting.backends.tf.module import parts
from porting.backends.tf.untracked import places, tensors
from porting.dtypes import FLOATS
from porting.errors import PairError
from porting.runners.attributes import Attributes
from porting.runners.base import telling_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porting.runners.base import Array

_TRIES = 3  # a weight of which the sign is taken alone keeps it now and then


class KerasCopies:
    """Creates a layer again in a type, from its class or from its configuration; a first call builds it.

    Parameters
    ----------
    layer : keras.layers.Layer
        The layer.
    again : callable, optional
        Creates another layer, if a class was given.
    examples : sequence of numpy.ndarray
        The inputs of the first call, which builds it.
    statics : mapping
        The other arguments of that call.
    strict : bool
        Whether that call must not raise; if false, the call may raise after the layer is built.
    """

    def __init__(
        self,
        layer: Any,
        again: Callable[[], Any] | None,
        examples: Sequence[Array],
        statics: dict[str, Any],
        *,
        strict: bool,
    ) -> None:
        self._layer, self._again, self._examples, self._statics = layer, again, examples, statics
        self._strict = strict

    def __call__(self, dtype: str) -> Copy:
        """Return a copy in a type."""
        import tensorflow as tf

        from porting.runners import RUNNERS

        runner = RUNNERS["tf"]
        layer: Any = None
        settings = runner.state()
        try:
            with tf.init_scope(), tf.device("/CPU:0"), _policy(dtype):
                layer = self._made(dtype)
                with _unspent(layer):
                    self._build(layer, dtype)
        except Exception:
            if self._strict or not getattr(layer, "built", False):
                raise
        finally:
            runner.restore(settings)
        own = _untracked(layer, dtype)
        trained = {name: v for name, v in own.items() if v.trainable and v.dtype.is_floating}
        others = {name: v for name, v in own.items() if name not in trained}
        found = Copy(
            layer,
            {**_named(layer, layer.trainable_variables), **trained},
            {**_named(layer, layer.non_trainable_variables), **others},
            tuple(own),
            tuple(tensors(layer)),
        )
        given = self._layer.non_trainable_variables
        if self._again is None and len(given) == len(found.others) - len(others):  # as they are, after a training
            for mine, theirs in zip(found.others.values(), given, strict=False):
                mine.assign(tf.cast(_variable(theirs), mine.dtype))
        return found

    def _build(self, layer: Any, dtype: str) -> None:
        """Call a layer once; a second time if its own variables were not of the type then."""
        xs, before = _tensors(self._examples, dtype), _untracked(layer, dtype)
        try:
            layer(*xs, **self._statics)
        except Exception:
            if _untracked(layer, dtype).keys() == before.keys():
                raise
            layer(*xs, **self._statics)

    def _made(self, dtype: str) -> Any:
        if self._again is not None:
            return self._again()
        kind = type(self._layer)
        try:
            config = _retyped(self._layer.get_config(), dtype)
        except Exception as error:  # noqa: BLE001 - their own method, or Keras about its arguments
            raise _refused(self._layer, error) from None
        try:
            return kind.from_config(config)
        except Exception:  # noqa: BLE001 - an __init__ without **kwargs takes no name and no dtype
            taken = inspect.signature(kind.__init__).parameters
            try:
                return kind(**{name: value for name, value in config.items() if name in taken})
            except Exception as error:  # noqa: BLE001 - theirs
                raise _refused(self._layer, error) from None


def module_copies(module: Any, examples: Sequence[Array]) -> Callable[[str], Copy]:
    """Return a function that makes a deep copy of a `tf.Module` with its variables in a type.

    If a module makes its variables in its first call, a copy of it is called once.
    """
    import tensorflow as tf

    original = module
    if not module.variables:
        original = _deep(module, {})
        with _unspent(original):
            original(*_tensors(examples, "float32"))

    def copied(dtype: str) -> Copy:
        with tf.init_scope(), tf.device("/CPU:0"):
            memo = {id(v): _cast(v, dtype) for v in sorted(original.variables, key=_made_at)}
            known = {**memo}
            layer = _deep(original, memo)
            if not _moves(layer, _tensors(examples, dtype), list(known.values())):
                raise PairError(
                    f"tf: a copy of {type(module).__name__} does not compute with its own variables: a function that "
                    "it holds closes over the original, which is not to be changed; give a function of its inputs and "
                    "variables"
                )
        named = {known[id(v)].ref(): (name, v) for name, v in _paths(original)}
        trained = {name: known[id(v)] for name, v in named.values() if v.trainable and v.dtype.is_floating}
        others = {name: known[id(v)] for name, v in named.values() if name not in trained}
        return Copy(layer, trained, others)

    return copied


def _moves(layer: Any, inputs: Sequence[Any], variables: Sequence[Any]) -> bool:
    """Whether what a call gives follows its variables; all are put back. What raises is told where it is asked."""
    import numpy as np
    import tensorflow as tf

    trained = [v for v in variables if v.trainable and v.dtype.is_floating]
    before, attributes, rng = [v.numpy() for v in variables], Attributes(parts(layer)), np.random.default_rng(0)
    try:
        answers = [tf.nest.flatten(layer(*inputs))]
        for _ in range(_TRIES if trained else 0):
            for variable in trained:
                variable.assign(tf.cast(3 * rng.normal(size=variable.shape), variable.dtype))
            answers.append(tf.nest.flatten(layer(*inputs)))
    except Exception:  # noqa: BLE001 - whatever it raises
        return True
    finally:
        for variable, number in zip(variables, before, strict=True):
            variable.assign(number)
        attributes.put_back()
    first, *others = [[np.asarray(y) for y in answer] for answer in answers]
    return not others or any(not np.array_equal(a, b) for one in others for a, b in zip(first, one, strict=False))


def _paths(module: Any) -> list[tuple[str, Any]]:
    """Return name and variable, each once: by the attributes that lead to it, which have names where it may not."""
    import tensorflow as tf

    found = module._flatten(predicate=lambda v: isinstance(v, tf.Variable), with_path=True)  # noqa: SLF001 - see its docs
    seen: dict[Any, tuple[str, Any]] = {}
    for path, variable in found:
        seen.setdefault(variable.ref(), (".".join(map(str, path)), variable))
    return list(seen.values())


def _made_at(variable: Any) -> int:
    """Return which number a variable has of all that were made: a gradient gets `variables` in this order."""
    number = str(getattr(variable, "_unique_id", "")).rpartition("_")[2]  # not public: without it they stay as they are
    return int(number) if number.isdecimal() else 0


def _cast(variable: Any, dtype: str) -> Any:
    import tensorflow as tf

    value = tf.cast(variable, dtype) if variable.dtype.is_floating else tf.identity(variable)
    name = variable.name.partition(":")[0]
    return tf.Variable(value, trainable=variable.trainable, name=name, shape=variable.shape)  # it may be unknown


def _deep(module: Any, memo: dict[int, Any]) -> Any:
    """Return a deep copy, with what the memo says in the place of what it was made from."""
    try:
        return copy.deepcopy(module, memo)
    except Exception as error:  # noqa: BLE001 - whatever it holds
        name = type(module).__name__
        said = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
        raise PairError(
            f"tf: {name} cannot be copied ({said}), and its own variables are not to be changed; give a tf.Module "
            "that copy.deepcopy takes, or a function of its variables"
        ) from None


def _named(layer: Any, variables: Sequence[Any]) -> dict[str, Any]:
    return {name: _variable(v) for name, v in named(layer, variables).items()}


def _untracked(layer: Any, dtype: str) -> dict[str, Any]:
    """Return the variables that Keras does not track, in the type, by the paths that lead to them."""
    for before in places(layer):
        if before.variable.dtype.is_floating and before.variable.dtype.name != dtype:
            place = next(now for now in places(layer) if now.variable is before.variable)  # a tuple is another one now
            place.put(_cast(place.variable, dtype))
    return {place.path: place.variable for place in places(layer)}


def _variable(variable: Any) -> Any:
    """Return the variable of TensorFlow that one of Keras 3 stands for."""
    import tensorflow as tf

    return variable if isinstance(variable, tf.Variable) else variable.value


@contextmanager
def _unspent(layer: Any) -> Iterator[None]:
    """Take back what a first call sets, after it has built a layer: its variables, and plain attributes.

    They are looked at where `call` begins, which finds the layer built; those of layers that are built later than that
    where they are made.
    """
    import tensorflow as tf

    made: dict[Any, tuple[Any, Array]] = {}
    attributes: list[Attributes] = []

    def seen(variable: Any) -> Any:
        with tf.init_scope():
            made[id(variable)] = variable, variable.numpy()
        return variable

    def call(*xs: Any, **given: Any) -> Any:
        vars(layer).pop("call", None)
        for variable, _ in list(made.values()):
            seen(variable)
        attributes.append(Attributes(part for part in parts(layer) if getattr(part, "built", True)))
        return layer.call(*xs, **given)

    vars(layer)["call"] = call
    try:
        with tf.variable_creator_scope(lambda create, **given: seen(create(**given))):
            yield
    finally:
        vars(layer).pop("call", None)
        for variable, number in made.values():
            variable.assign(number)
        for held in attributes:
            held.put_back()


@contextmanager
def _policy(dtype: str) -> Iterator[None]:
    """Have Keras make layers of a type: also those that a layer makes inside, without a dtype."""
    import keras

    before, floats = keras.config.dtype_policy(), keras.config.floatx()
    keras.config.set_floatx(dtype)
    keras.config.set_dtype_policy(dtype)
    try:
        yield
    finally:
        keras.config.set_floatx(floats)
        keras.config.set_dtype_policy(before)


def _retyped(config: Any, dtype: str) -> Any:
    """Return a configuration with each floating type in it replaced, also in those of layers inside."""
    if isinstance(config, dict):
        return {n: dtype if n == "dtype" and _is_floating(v) else _retyped(v, dtype) for n, v in config.items()}
    return [_retyped(part, dtype) for part in config] if isinstance(config, list) else config


def _is_floating(value: Any) -> bool:
    return value in FLOATS if isinstance(value, str) else isinstance(value, dict)


def _tensors(examples: Sequence[Any], dtype: str) -> list[Any]:
    """Return arrays, or lists of them, as tensors."""
    import tensorflow as tf

    found: list[Any] = tf.nest.map_structure(lambda x: _tensor(x, dtype), list(examples))
    return found


def _tensor(x: Array, dtype: str) -> Any:
    import tensorflow as tf

    if x.dtype.kind == "c":
        return tf.cast(x, "complex128" if dtype == "float64" else "complex64")
    return tf.cast(x, dtype) if x.dtype.kind == "f" else tf.constant(x)


def _refused(layer: Any, error: Exception) -> PairError:
    name = type(layer).__name__
    telling = telling_line(str(error))
    return PairError(
        f"tf: {name} cannot be made again in another type ({type(error).__name__}: {telling}); give its class, and "
        f"the arguments with --static NAME=VALUE, a function without arguments that makes one, as file.py:make, or a "
        f"{name} whose get_config says them"
    )
