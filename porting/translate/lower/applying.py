"""Applies rules to calls: matches arguments with parameters, and writes the call of the other framework."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract
from porting.translate.code import Expression, build, name, source
from porting.translate.dialects import DIALECTS, FRAMEWORKS, TITLES
from porting.translate.lower.translating import TIGHT, Translating, Typed
from porting.translate.refusal import Refusal
from porting.translate.rule import Parameter, Rule
from porting.translate.rules import Found

_NEW: Final = m.Call(
    func=m.Attribute(
        value=m.OneOf(*(m.Name(made.alias) for made in FRAMEWORKS.values() if made.placed)),
        attr=m.OneOf(*map(m.Name, ("zeros", "ones", "rand", "randn", "full", "empty", "eye", "arange", "linspace"))),
    )
)


def bound(
    t: Translating, found: Found, node: cst.Call, receiver: Typed | None, what: str
) -> tuple[dict[str, Any], dict[str, Abstract]]:
    """Return the arguments of a call by the names of its rule, translated, and their kinds."""
    given: dict[str, Any] = {}
    kinds: dict[str, Abstract] = {}
    parameters = list(found.signature.parameters)
    if receiver is not None:
        first = parameters.pop(0)
        given[first.name], kinds[first.name] = receiver
    places = [p for p in parameters if p.kind not in {"keyword", "named"}]
    for argument in node.args:
        if argument.star == "**" or (argument.star and not (places and places[0].kind == "several")):
            raise Refusal(f"{what}(*...): the arguments are not known here", node)
        parameter = _parameter(argument, parameters, places)
        if parameter is None:
            said = argument.keyword.value if argument.keyword else f"argument {source(argument.value)[:40]}"
            raise Refusal(f"{what}: {said} is not in its rule", node)
        if parameter.name.startswith("_"):  # where it is, what it is called: of no concern to the numbers
            continue
        made, kind = t.typed(argument.value)
        if parameter.kind == "several":
            given.setdefault(parameter.name, []).append(
                cst.StarredElement(made) if argument.star else cst.Element(made)
            )
        elif parameter.kind == "named":
            given.setdefault(parameter.name, []).append(cst.Arg(made, argument.keyword, TIGHT))
        elif parameter.default is None or source(made) != parameter.default:
            given[parameter.name] = made
        kinds[parameter.name] = kind
    missing = next(
        (
            p.keyword
            for p in parameters
            if p.default is None and p.kind not in {"several", "named"} and p.name not in given and p.name[0] != "_"
        ),
        None,
    )
    if missing:
        raise Refusal(f"{what}: {missing} is not given", node)
    return given, kinds


def _parameter(argument: cst.Arg, parameters: Sequence[Parameter], places: list[Parameter]) -> Parameter | None:
    """Return the parameter that gets an argument; of those that are given by place, it is taken."""
    if argument.keyword is None:
        return places[0] if places and places[0].kind == "several" else places.pop(0) if places else None
    spelled = argument.keyword.value
    ways = ([p for p in parameters if p.keyword == spelled], [p for p in parameters if p.name == spelled])
    others = [p for p in parameters if p.kind == "named"]
    return next((p for found in (*ways, others) for p in found), None)


def written(t: Translating, rule: Rule, given: Mapping[str, Any], kinds: Mapping[str, Abstract], what: str) -> Typed:
    """Write an operation as a call of the other framework."""
    kind, axes = rule.kind_of(kinds), rule.axes(kinds, given)
    writer = rule.writers.get(t.to)
    if writer is not None:
        before, t.kinds = t.kinds, dict(kinds)
        made = writer(t, **given)
        t.kinds = before
        made, kind = made if isinstance(made, tuple) else (made, kind)
        return _placed(t, made), kind.of_axes(axes)
    if not getattr(rule, t.to):
        raise Refusal(f"{what}: no counterpart in {TITLES[t.to]}")
    return _placed(t, _called(rule.signatures(t.to)[0], given, what)), kind.of_axes(axes)


def _placed(t: Translating, made: Expression) -> Expression:
    """Have a new tensor of PyTorch be made where the others are: TensorFlow does so by itself."""
    if not DIALECTS[t.to].placed or not m.matches(made, _NEW):
        return made
    call = cst.ensure_type(made, cst.Call)
    keywords = {a.keyword.value: a.value for a in call.args if a.keyword}
    dtype = keywords.get("dtype")
    if "device" in keywords:
        return made
    if m.matches(dtype, m.Attribute(attr=m.Name("dtype"))) if dtype is not None else False:
        where = cst.ensure_type(dtype, cst.Attribute).value
    else:
        like = next((n for n, kind in t.scope.items() if kind.tensor and kind.number == "float"), "")
        if not like:
            return made
        where = cst.Name(like)
    return call.with_changes(
        args=[*call.args, cst.Arg(build("{x}.device", x=where), keyword=cst.Name("device"), equal=TIGHT)]
    )


def _called(there: Any, given: Mapping[str, Any], what: str) -> Expression:
    """Return a call in the other framework: by position as far as that goes, then by keyword."""
    known = {p.name for p in there.parameters}
    extra = next((n for n in given if n not in known), None)
    if extra:
        raise Refusal(f"{what}: {extra} has no counterpart in {there.path}")
    arguments: list[cst.Arg] = []
    by_name = False
    parameters: Iterable[Parameter] = there.parameters
    if there.method:
        first, *parameters = there.parameters
        function: Expression = cst.Attribute(given[first.name], cst.Name(there.method))
    else:
        function = name(there.path)
    if there.attribute:
        return function
    for parameter in parameters:
        if parameter.name not in given:
            if parameter.default is None and parameter.kind != "several":
                raise Refusal(f"{what}: {parameter.name} is not given, which {there.path} wants")
            by_name = parameter.kind != "several"
            continue
        value = given[parameter.name]
        if parameter.kind == "several":
            arguments += [cst.Arg(e.value, star="*" if isinstance(e, cst.StarredElement) else "") for e in value]
        elif (
            by_name
            or parameter.kind == "keyword"
            or (source(value) in {"True", "False"} and parameter.default is not None)
        ):
            by_name = True
            arguments.append(cst.Arg(value, keyword=cst.Name(parameter.keyword), equal=TIGHT))
        else:
            arguments.append(cst.Arg(value))
    return cst.Call(function, arguments)
