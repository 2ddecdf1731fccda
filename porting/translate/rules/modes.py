"""Tests of the mode in which a function runs: the outcome is that of plain eager mode, so only one branch is left."""

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

_TRUTH = Abstract(Sort.STATIC, "bool")
YES = Rule(
    torch=["torch.is_grad_enabled()"],
    tf=["tf.executing_eagerly()", "tf.compat.v1.executing_eagerly_outside_functions()"],
    kind=_TRUTH,
)
NO = Rule(
    torch=[
        "torch.jit.is_scripting()",
        "torch.jit.is_tracing()",
        "torch.cuda.is_available()",
        "torch.is_autocast_enabled()",
        "torch.is_inference_mode_enabled()",
    ],
    tf=["tf.inside_function()"],
    kind=_TRUTH,
)
COMPILING = Rule(torch="torch.compiler.is_compiling()", kind=_TRUTH)
ELSEWHERE = Rule(torch="Tensor.is_cuda", kind=_TRUTH)
IS_TENSOR = Rule(torch=["torch.is_tensor(x: obj)"], tf=["tf.is_tensor(x)"], kind=_TRUTH)
WANTED = Rule(torch="Tensor.requires_grad", kind=_TRUTH)
SEES = Rule(torch=["torch.func.debug_unwrap(x: tensor, *, _recurse: recurse=True)"])
RULES = [YES, NO, COMPILING, ELSEWHERE, IS_TENSOR, WANTED, SEES]
YES.form("True", "torch", "tf", "numpy")
WANTED.form("True", "tf", "numpy")
NO.form("False", "torch", "tf", "numpy")
# Return the question that TensorFlow has: a function that is traced does not see the numbers either
COMPILING.form("not tf.executing_eagerly()", "tf")
COMPILING.form("False", "numpy")
ELSEWHERE.form("False", "tf", "numpy")


@SEES.writes("tf", "numpy")
def _sees(w: Writer, x: Expression) -> Expression:  # noqa: ARG001 - every rule's writer takes one
    return x
