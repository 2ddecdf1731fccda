"""Decorators that say how a function runs, or where it is listed, and change no number: it is read without them."""

from typing import Any, Final

import libcst as cst

from porting.translate.code import source
from porting.translate.names import Names

_TRANSPARENT: Final = {
    "staticmethod", "functools.wraps", "functools.lru_cache", "functools.cache", "typing.no_type_check",
    "torch.jit.script", "torch.jit.script_if_tracing", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
    "torch.compile", "torch.compiler.disable", "torch._dynamo.disable", "torch.compiler.allow_in_graph",
    "torch.fx.wrap", "torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd", "torch.amp.custom_fwd",
    "torch.amp.custom_bwd",
    "tf.function", "tf.autograph.experimental.do_not_convert", "tf.autograph.to_graph",
}  # fmt: skip
# By whatever path: libraries have their own for versions of a framework that have none, or have others.
_BY_NAME: Final = {
    "custom_fwd", "custom_bwd", "jit_fuser", "tf_export", "keras_export", "register_keras_serializable",
    "add_dispatch_support", "beartype", "jaxtyped", "typechecked",
}  # fmt: skip
_COMPILERS: Final = (".jit.script", ".jit.ignore", ".jit.script_if_tracing")


def is_transparent(decorator: cst.Decorator, names: Names) -> bool:
    """Whether a decorator is known, or said by the user, to change no number."""
    path = names.path(_maker(decorator)) or called(decorator)
    compiles = f".{path}".endswith(_COMPILERS)
    return path in _TRANSPARENT or compiles or path.rpartition(".")[2] in _BY_NAME or _is_said(decorator, names)


def called(decorator: cst.Decorator) -> str:
    """Return what a decorator is called in the source: ``torch.jit.script``."""
    return source(_maker(decorator))


def unknown(decorator: cst.Decorator) -> str:
    """Say that a decorator is none of those, and what to type if it changes no number all the same."""
    title = called(decorator)
    if title.endswith("custom_gradient"):
        return f"@{title} gives it a gradient of its own, which is not translated within another one"
    return f"@{title} may change numbers; if it does not, --transparent {title}"


def without_decorators(node: Any, names: Names, notes: list[str]) -> Any:
    """Return a definition without the decorators that the user says to change no number; add them to `notes`."""
    return node.visit(_Without(names, notes)) if names.transparent else node


def _is_said(decorator: cst.Decorator, names: Names) -> bool:
    """Whether the user says that a decorator changes no number, by its whole name or its last part."""
    title = called(decorator)
    return not {title, title.rpartition(".")[2]}.isdisjoint(names.transparent)


def _maker(decorator: cst.Decorator) -> cst.BaseExpression:
    call = decorator.decorator
    return call.func if isinstance(call, cst.Call) else call


class _Without(cst.CSTTransformer):
    def __init__(self, names: Names, notes: list[str]) -> None:
        self._names = names
        self._notes = notes

    def leave_Decorator(self, original_node: cst.Decorator, updated_node: cst.Decorator) -> Any:
        if not _is_said(original_node, self._names):
            return updated_node
        note = f"`@{called(original_node)}` is left out: it was said to change no number"
        self._notes += [note] if note not in self._notes else []
        return cst.RemoveFromParent()
