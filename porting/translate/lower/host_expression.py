"""Translates expressions that run on the host, in NumPy and SciPy."""

from typing import ClassVar, Final

import libcst as cst

from porting.translate.abstract_value import ARRAY, STATIC, TENSOR, Abstract, Sort
from porting.translate.code import Expression, build, name, source
from porting.translate.lower.attributes import attribute as attribute_of
from porting.translate.lower.calling import call as called_by
from porting.translate.lower.calling import plain
from porting.translate.lower.expression import Expressions, Typed

ARRAYS: Final = ("np.", "scipy.")
_ITSELF: Final = {"torch.from_numpy", "torch.autograd.Variable", "torch.as_tensor", "torch.tensor"}
_METHODS: Final = {"numpy", "cpu", "detach", "contiguous"}


class HostExpressions(Expressions):
    """Translates what runs on the host: tensors and arrays are both arrays there."""

    def call(self, node: cst.Call) -> Typed:
        """Translate a call: what takes a tensor to an array, or back, does nothing."""
        path = self.path(node.func)
        if path in _ITSELF and len(node.args) >= 1:
            made, kind = self.typed(node.args[0].value)
            if kind.sort is Sort.ARRAY or (kind.tensor and path != "torch.tensor"):
                return self._in_type(made, node), TENSOR
        if path == "torch.Tensor" and len(node.args) == 1:
            made, kind = self.typed(node.args[0].value)
            if kind.sort is Sort.ARRAY:
                return build("np.asarray({x}, np.float32)", x=made), TENSOR
        if path.startswith(ARRAYS):
            made, _ = plain(self, node, name(source(node.func)))
            if path.startswith("scipy.") and path.count(".") > 1 and source(node.func).startswith("scipy."):
                self.imports.add(path.rpartition(".")[0])
            static = (
                all(self.typed(a.value)[1].sort in {Sort.STATIC, Sort.SHAPE} for a in node.args)
                and path.count(".") == 1
            )
            return made, STATIC if static and node.args else ARRAY
        if isinstance(node.func, cst.Attribute) and not path:
            made, kind = self.typed(node.func.value)
            title = node.func.attr.value
            if kind.sort in {Sort.TENSOR, Sort.UNKNOWN} and title in _METHODS:
                return made, ARRAY if title == "numpy" else kind
            if kind.tensor and title == "item":
                return build("{x}.item()", x=made), STATIC
        called = called_by(self, node)
        arrays = path in self.names.imported.values() and any(
            self.typed(a.value)[1].sort is Sort.ARRAY for a in node.args
        )
        return (called[0], ARRAY) if arrays else called

    def _in_type(self, made: Expression, node: cst.Call) -> Expression:
        said = next((a.value for a in node.args if a.keyword and a.keyword.value == "dtype"), None)
        return made if said is None else build("{x}.astype({dtype})", x=made, dtype=self(said))

    def attribute(self, node: cst.Attribute) -> Typed:
        """Translate an attribute; an array has no device."""
        if node.attr.value == "data" and not self.path(node):
            return self.typed(node.value)
        if node.attr.value == "device" and not self.path(node):
            return cst.Name("None"), Abstract(Sort.DEVICE)
        return attribute_of(self, node)

    handlers: ClassVar = {**Expressions.handlers, cst.Call: call, cst.Attribute: attribute}
