"""The mutation operators: each yields pairs of an expression in gradient code and what to put in its place."""

from typing import Final

from porting.selftest.operators.cotangent import cotangent_spoiled
from porting.selftest.operators.formula import (
    comparison_changed,
    constant_changed,
    exponent_raised,
    minus_added,
    minus_dropped,
    operand_dropped,
    operands_exchanged,
    operator_swapped,
)
from porting.selftest.operators.function import (
    attribute_dropped,
    call_dropped,
    function_swapped,
    where_exchanged,
    where_one_sided,
)
from porting.selftest.operators.names import names_swapped, statics_swapped
from porting.selftest.operators.node import Operator
from porting.selftest.operators.returned import (
    gradient_cut_off,
    gradient_left_out,
    gradient_nothing,
    gradient_rounded,
    gradients_swapped,
    nan_hidden,
)

OPERATORS: Final[tuple[Operator, ...]] = (
    operator_swapped,
    operands_exchanged,
    exponent_raised,
    operand_dropped,
    constant_changed,
    comparison_changed,
    minus_dropped,
    minus_added,
    function_swapped,
    where_exchanged,
    where_one_sided,
    call_dropped,
    attribute_dropped,
    names_swapped,
    statics_swapped,
    cotangent_spoiled,
    gradients_swapped,
    gradient_left_out,
    gradient_nothing,
    gradient_cut_off,
    gradient_rounded,
    nan_hidden,
)
