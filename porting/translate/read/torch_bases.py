"""What ``torch.nn.Linear`` and ``torch.nn.Conv2d`` give to a module that is derived from them.

Source: PyTorch's ``nn.Linear`` and ``nn.Conv2d``. Both draw weight and bias evenly within 1 / sqrt(fan_in): for the
weight this is what ``kaiming_uniform_(weight, a=sqrt(5))`` comes to, sqrt(2 / (1 + 5)) sqrt(3 / fan_in).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import libcst as cst

from porting.translate.code import Expression, build, source
from porting.translate.names import Names
from porting.translate.read.any_layer import with_arguments
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal

_LINEAR: Final = """
class Linear:
    def __init__(self, in_features, out_features, bias=True):
        self.in_features = in_features
        self.out_features = out_features
        bound = in_features ** -0.5
        self.weight = torch.nn.Parameter(torch.empty(out_features, in_features).uniform_(-bound, bound))
        if bias:
            self.bias = torch.nn.Parameter(torch.empty(out_features).uniform_(-bound, bound))
        else:
            self.bias = None

    def forward(self, input):
        return torch.nn.functional.linear(input, self.weight, self.bias)
"""
_CONV2D: Final = """
class Conv2d:
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.groups = groups
        bound = (in_channels // groups * self.kernel_size[0] * self.kernel_size[1]) ** -0.5
        self.weight = torch.nn.Parameter(
            torch.empty(out_channels, in_channels // groups, *self.kernel_size).uniform_(-bound, bound)
        )
        if bias:
            self.bias = torch.nn.Parameter(torch.empty(out_channels).uniform_(-bound, bound))
        else:
            self.bias = None

    def forward(self, input):
        return torch.nn.functional.conv2d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )
"""
_TEXTS: Final = {"Linear": _LINEAR, "Conv2d": _CONV2D}
BASES: Final = {f"torch.nn.{part}{title}": title for title in _TEXTS for part in ("", "modules.")}


@cache
def _methods(title: str) -> dict[str, cst.FunctionDef]:
    node = cst.ensure_type(cst.parse_module(_TEXTS[title]).body[0], cst.ClassDef)
    return {s.name.value: s for s in node.body.body if isinstance(s, cst.FunctionDef)}


def method(title: str, wanted: str) -> cst.FunctionDef:
    """Return a method of a base."""
    return _methods(title)[wanted]


def constructed(title: str, call: cst.Call, own: str) -> tuple[list[Any], list[cst.Param]]:
    """Return the statements that a constructor of a base stands for, and arguments that are handed on to it.

    Parameters
    ----------
    title : str
        ``Linear`` or ``Conv2d``.
    call : libcst.Call
        The call, in a class that is derived from it; of ``*args`` and ``**kwargs`` each is an argument of its own then.
    own : str
        What the object is called there.

    Raises
    ------
    Refusal
        If it is given what is not translated.
    """
    init = _methods(title)["__init__"]
    given = parameters_of(init)[1:]
    names = [p.name.value for p in given]
    bound: dict[str, Expression] = {}
    for n, argument in enumerate(a for a in call.args if not a.star):
        key = argument.keyword.value if argument.keyword else names[n] if n < len(names) else ""
        if key not in names:
            raise Refusal(f"{source(call)[:60]}: {key or 'an argument'} is not translated", call)
        bound[key] = argument.value
    starred = any(a.star for a in call.args)
    handed = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in given if p.name.value not in bound] * starred
    left = {} if starred else {p.name.value: p.default for p in given if p.name.value not in bound}
    if missing := [title for title, default in left.items() if default is None]:
        raise Refusal(f"{source(call)[:60]}: {missing[0]} is not given", call)
    return with_arguments(init, {**left, **bound}, own), handed


def called(title: str, call: cst.Call, own: str) -> Expression:
    """Return what ``super().forward(x)`` computes."""
    forward = _methods(title)["forward"]
    if len(call.args) != 1 or call.args[0].star:
        raise Refusal(f"{source(call)[:60]}: not translated", call)
    (line,) = with_arguments(forward, {"input": call.args[0].value}, own)
    return build("{x}", x=line.body[0].value)


def with_torch(names: Names) -> None:
    """Let the statements of a base find what they name."""
    line = cst.ensure_type(cst.parse_statement("import torch"), cst.SimpleStatementLine)
    names.add(cst.ensure_type(line.body[0], cst.Import))


def without_stars(parameters: cst.Parameters, handed: Sequence[cst.Param]) -> cst.Parameters:
    """Return a signature with the arguments of a base in the place of ``*args`` and ``**kwargs``."""
    own = [*parameters.params, *handed]
    given = [*(p for p in own if p.default is None), *(p for p in own if p.default is not None)]
    return parameters.with_changes(
        params=[p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in given],
        star_arg=cst.MaybeSentinel.DEFAULT,
        star_kwarg=None,
    )
