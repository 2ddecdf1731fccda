"""Translates expressions: each sort of expression has a file with its functions."""

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import libcst as cst

from porting.translate.abstract_value import TENSOR, Abstract
from porting.translate.code import Expression, build, source
from porting.translate.lower import applying, comprehensions, literals, operators
from porting.translate.lower.attributes import attribute
from porting.translate.lower.calling import call
from porting.translate.lower.subscripts import element_of as element_of
from porting.translate.lower.subscripts import subscript
from porting.translate.lower.translating import TIGHT as TIGHT
from porting.translate.lower.translating import Translating
from porting.translate.lower.translating import Typed as Typed
from porting.translate.lower.type_promotion import meeting
from porting.translate.refusal import Refusal as Refusal
from porting.translate.rule import Rule
from porting.translate.rules import Found

_NO_RULE: Final = '''
def _no_rule(why):
    """Raise where the source has what was not translated."""
    raise NotImplementedError(why)
'''


class Expressions(Translating):
    """Translates expressions of one function."""

    handlers: ClassVar[Mapping[type[cst.CSTNode], Callable[[Any, Any], Typed]]] = {
        cst.Name: literals.variable,
        **dict.fromkeys(literals.KINDS, literals.as_is),
        cst.ConcatenatedString: literals.texts,
        cst.FormattedString: literals.formatted,
        cst.Tuple: literals.in_tuple,
        cst.List: literals.in_list,
        cst.Set: literals.in_set,
        cst.Dict: literals.in_dict,
        cst.UnaryOperation: operators.unary,
        cst.BooleanOperation: operators.boolean,
        cst.IfExp: operators.choice,
        cst.Comparison: operators.comparison,
        cst.BinaryOperation: operators.binary,
        cst.Lambda: comprehensions.function,
        cst.GeneratorExp: comprehensions.comprehension,
        cst.ListComp: comprehensions.comprehension,
        cst.SetComp: comprehensions.comprehension,
        cst.Subscript: subscript,
        cst.Attribute: attribute,
        cst.Call: call,
    }

    def typed(self, node: Expression) -> Typed:
        """Translate an expression, and say what is known of its value."""
        handler = self.handlers.get(type(node))
        if handler is None:
            raise Refusal(f"{source(node)[:60]}: not translated", node)
        try:
            made = handler(self, node)
        except Refusal as refusal:
            refusal.node = refusal.node or node
            if self.partial is None or not isinstance(node, cst.Call | cst.Attribute):
                raise
            self.partial.append(refusal)
            self.helper("_no_rule", _NO_RULE)
            return build("_no_rule({why})", why=cst.SimpleString(json.dumps(str(refusal)))), TENSOR
        return made

    def apply(self, found: Found, node: cst.Call, receiver: Typed | None) -> Typed:
        """Translate a call for which there is a rule."""
        what = found.signature.path if receiver is None else f".{found.signature.path.rpartition('.')[2]}"
        given, kinds = applying.bound(self, found, node, receiver, what)
        return self.write(found.rule, given, kinds, what)

    def write(self, rule: Rule, given: Mapping[str, Any], kinds: Mapping[str, Abstract], what: str) -> Typed:
        """Write an operation as a call of the other framework."""
        return applying.written(self, rule, given, kinds, what)

    def meeting(
        self,
        left: Expression,
        kind: Abstract,
        right: Expression,
        other: Abstract,
        *,
        arithmetic: bool = False,
    ) -> tuple[Expression, Expression]:
        """Return two operands of types that TensorFlow accepts together: it converts only Python numbers."""
        return meeting(self.to, left, kind, right, other, arithmetic=arithmetic, scope=self.scope)
