"""What a mutant has in another place: small changes of one expression or one statement."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

__all__ = ["replacements"]

_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_LARGE = 100
_SWAPPED = (ast.Sub, ast.Div, ast.MatMult)
_COMPARISON: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),  # the boundary, and the contrary
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_NAMES = {"min": "max", "argmin": "argmax", "minimum": "maximum", "any": "all", "ceil": "floor"}
_NAMES |= {other: name for name, other in _NAMES.items()}
_SYMMETRIC = {"min", "max", "minimum", "maximum", "vdot", "hypot", "array_equal"}


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node; they share its children."""
    match node:
        case ast.BinOp():
            yield from _of_arithmetic(node)
        case ast.AugAssign(op=op) if type(op) in _ARITHMETIC:
            yield _with(node, op=_ARITHMETIC[type(op)]())
        case ast.Compare(ops=[op]):
            for other in _COMPARISON[type(op)]:
                yield _with(node, ops=[other()])
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=value):
            yield from (ast.Constant(other) for other in _of_number(value))
        case ast.Call():
            yield from _of_call(node)
        case ast.Slice():
            yield from (_with(node, **{end: None}) for end in _ends(node))
    yield from _of_condition(node)
    yield from _of_statement(node)


def _of_arithmetic(node: ast.BinOp) -> Iterator[ast.AST]:
    """Another operator, and the operands the other way round."""
    if other := _ARITHMETIC.get(type(node.op)):
        yield _with(node, op=other())
    if isinstance(node.op, _SWAPPED):
        yield _with(node, left=node.right, right=node.left)


def _of_number(value: object) -> tuple[float, ...]:
    """A truth value turned round; a number one larger, and one smaller or its negative.

    Of 0 the one larger alone: where it is an index, an axis or a bound, -1 is often the same. Of a
    large number twice and half of it: it is a size, of which one more or less is the same to all.
    """
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        if value >= _LARGE:
            return 2 * value, value // 2
        return (value + 1, value - 1) if value else (1,)
    if isinstance(value, float):
        larger = 2.0 * value if value >= _LARGE else value + 1.0
        return (larger, -value) if value else (1.0,)
    return ()


def _of_call(node: ast.Call) -> Iterator[ast.AST]:
    """The first two arguments the other way round, and min for max and the like."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    match node.args:
        case [first, second, *rest] if name not in _SYMMETRIC:
            is_one_kind = isinstance(first, ast.Starred) == isinstance(second, ast.Starred)
            if is_one_kind and ast.dump(first) != ast.dump(second):
                yield _with(node, args=[second, first, *rest])
    match node.func:
        case ast.Name(id=name) if name in _NAMES:
            yield _with(node, func=ast.Name(_NAMES[name], ast.Load()))
        case ast.Attribute(attr=name) if name in _NAMES:
            yield _with(node, func=_with(node.func, attr=_NAMES[name]))


def _ends(node: ast.Slice) -> list[str]:
    return [end for end in ("lower", "upper") if getattr(node, end) is not None]


def _of_condition(node: ast.AST) -> Iterator[ast.AST]:
    """The contrary, where a branch hangs on something that is not a comparison."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        if not isinstance(node.test, ast.Compare | ast.Constant):
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        negated = [ast.UnaryOp(ast.Not(), test) for test in node.ifs]
        yield _with(node, ifs=negated)


def _of_statement(node: ast.AST) -> Iterator[ast.AST]:
    """Nothing in its place; nothing returned; on with a loop, or out of it."""
    match node:
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.Return(value=value) if value is not None:
            if not isinstance(value, ast.Constant):  # a constant is changed itself
                yield ast.Return(ast.Constant(None))
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy with other fields."""
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made
