"""Every mutant of a file: where it differs, and which lines have to run for a test to see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .operators import replacements

__all__ = ["Mutant", "mutants_of", "mutated"]

_WORDS = {"tell", "warn", "Advice", "TypeVar", "cast"}  # calls whose arguments are for a reader
_SIZES = {"abs", "norm", "safe_norm"}
_NAMELESS = {"__all__", "__slots__"}
_NOT_CODE = {"annotation", "returns", "decorator_list", "bases", "keywords"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One change of one file; ``number`` is its place among those of the file.

    A test can see it that runs one of ``lines`` of the file or, of a constant, a default or an
    attribute of a class, a line anywhere that says one of ``names``.
    """

    file: str
    number: int
    line: int
    text: str  # of that line
    change: str
    lines: tuple[int, ...]
    names: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """For a list."""
        return f"{self.line}: {self.change}"


def mutants_of(file: str, source: str) -> list[Mutant]:
    """All mutants of a file, in the order of the source."""
    texts = source.splitlines()
    found: list[Mutant] = []
    for site in _Sites(ast.parse(source)).found:
        for other in _others(site):
            line = getattr(site.node, "lineno", site.lines[0] if site.lines else 1)
            change = f"`{_short(site.node)}` → `{_short(other)}`"
            text = texts[line - 1].strip()
            found.append(Mutant(file, len(found), line, text, change, site.lines, site.names))
    return found


def mutated(source: str, number: int) -> ast.Module:
    """The file with that change, to be compiled."""
    tree = ast.parse(source)
    count = 0
    for site in _Sites(tree).found:
        for other in _others(site):
            if count == number:
                _put(site, other)
                return ast.fix_missing_locations(tree)
            count += 1
    raise ValueError(f"A file has mutants 0 to {count - 1}. Got {number}.")


@dataclass(frozen=True)
class _Site:
    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    lines: tuple[int, ...]
    names: tuple[str, ...]


def _others(site: _Site) -> Iterator[ast.AST]:
    """What may stand there; not a difference the other way round of which only the size counts."""
    has_no_sign = isinstance(site.parent, ast.Call) and _name_of(site.parent.func) in _SIZES
    for other in replacements(site.node):
        if isinstance(site.node, ast.BinOp) and isinstance(other, ast.BinOp):
            is_turned = other.left is site.node.right and isinstance(other.op, ast.Sub)
            if has_no_sign and is_turned:
                continue
        yield other


def _put(site: _Site, other: ast.AST) -> None:
    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        if hasattr(site.node, name):
            setattr(other, name, getattr(site.node, name))
    if site.index is None:
        setattr(site.parent, site.field, other)
    else:
        getattr(site.parent, site.field)[site.index] = other


class _Sites:
    """A walk over what is code and not words: no docstrings, types, messages or imports."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[_Site] = []
        self._lines: tuple[int, ...] = ()
        self._names: tuple[str, ...] = ()
        self._depth = 0  # of functions
        self._children(tree)

    def _visit(self, node: ast.AST, parent: ast.AST, field: str, index: int | None) -> None:
        if _is_words(node, parent, field):
            return
        before = self._lines, self._names
        if isinstance(node, ast.stmt):
            self._enter(node)
        is_code = bool(self._lines or self._names)
        if is_code and not _is_docstring(node):
            self.found.append(_Site(node, parent, field, index, self._lines, self._names))
        if not isinstance(node, ast.Raise) and not _is_docstring(node):
            self._depth += isinstance(node, _FUNCTIONS)
            self._children(node)
            self._depth -= isinstance(node, _FUNCTIONS)
        self._lines, self._names = before

    def _enter(self, node: ast.stmt) -> None:
        """The lines, or the names, by which a test can see a change of this statement."""
        self._lines, self._names = (), ()
        if isinstance(node, _FUNCTIONS):  # of the head, only defaults are left: see _is_words
            last = node.end_lineno or node.lineno
            self._lines = tuple(range(node.body[0].lineno, last + 1))
        elif self._depth:
            self._lines = _head(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self._names = tuple(
                n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)
            )
        # Of a statement at the top that is none of these nothing is changed.

    def _children(self, node: ast.AST) -> None:
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                self._visit(value, node, field, None)
            elif isinstance(value, list):
                for index, child in enumerate(value):
                    if isinstance(child, ast.AST):
                        self._visit(child, node, field, index)


def _is_words(node: ast.AST, parent: ast.AST, field: str) -> bool:
    """What is for a reader, for a type checker or for the import system."""
    is_apart = field in _NOT_CODE and not isinstance(parent, ast.Call)
    if is_apart or isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
        return True
    match node:
        case ast.FunctionDef(name=name, decorator_list=decorators):
            known = {ast.unparse(decorator) for decorator in decorators}
            return name == "__repr__" or bool(known & {"abstractmethod", "overload"})
        case ast.If(test=ast.Name(id=name)):
            return name == "TYPE_CHECKING"
        case ast.Call(func=function) | ast.Expr(value=ast.Call(func=function)):
            return _name_of(function) in _WORDS
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in _NAMELESS
    return False


def _is_docstring(node: ast.AST) -> bool:
    """A statement that is a string; also the ``...`` of a body without one."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _head(node: ast.stmt) -> tuple[int, ...]:
    """The lines of a statement without those of the statements in it."""
    last = min(
        (child.lineno for child in _bodies(node)), default=(node.end_lineno or node.lineno) + 1
    )
    return tuple(range(node.lineno, max(last, node.lineno + 1)))


def _bodies(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in ("body", "orelse", "finalbody"):
        children = getattr(node, field, [])
        yield from (child for child in children if isinstance(child, ast.stmt))


def _short(node: ast.AST) -> str:
    """Source in a line, cut where it is long."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:87]}..."
