"""The registry lists every final class, so that none escapes the contract tests."""

import importlib
import inspect
import pkgutil

import pytest

import hsiclearn._alternation
import hsiclearn._engines
import hsiclearn._linalg
import hsiclearn._objective
import hsiclearn._rows
import hsiclearn._solvers
import hsiclearn.gamma
import hsiclearn.kernels
from hsiclearn._alternation import AbstractStrategy, Labelling
from hsiclearn._engines import AbstractEngine
from hsiclearn._engines.features import Features
from hsiclearn._linalg import AbstractSymmetric, Basis
from hsiclearn._objective import AbstractObjective, Point
from hsiclearn._rows import AbstractRows
from hsiclearn._solvers import AbstractSolver
from hsiclearn.gamma import AbstractGamma
from hsiclearn.kernels import AbstractKernel, kernel_from_name, kernel_names
from registry import ENGINES, ENGINES_ELSEWHERE, ENGINES_OF_GPUS, GAMMAS, KERNELS, LINEAR_ENGINES

CASES = {
    "kernels": (hsiclearn.kernels, AbstractKernel, {type(k) for k in KERNELS.values()}),
    "gamma": (hsiclearn.gamma, AbstractGamma, {type(g) for g, _ in GAMMAS.values()}),
    "engines": (
        hsiclearn._engines,
        AbstractEngine,
        {
            getattr(engine, "func", engine)
            for engine in (
                *(ENGINES | LINEAR_ENGINES).values(),
                *ENGINES_ELSEWHERE,
                *ENGINES_OF_GPUS,
            )
        },
    ),
}


def subclasses(cls):
    for child in cls.__subclasses__():
        yield child
        yield from subclasses(child)


def concrete_classes(package, base):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
    return {
        cls
        for cls in subclasses(base)
        if cls.__module__.startswith("hsiclearn.") and not inspect.isabstract(cls)
    }


@pytest.mark.parametrize("name", CASES)
def test_every_concrete_class_is_registered(name):
    package, base, registered = CASES[name]
    found = concrete_classes(package, base)
    assert len(found) >= 2
    assert registered == found


def test_every_kernel_with_a_name_is_registered_alone():
    registered = {type(kernel) for kernel in KERNELS.values()}
    assert {type(kernel_from_name(name)) for name in kernel_names()} <= registered


FAMILIES = {
    **{name: (package, base) for name, (package, base, _) in CASES.items()},
    "features": (hsiclearn._engines, Features),
    "solvers": (hsiclearn._solvers, AbstractSolver),
    "objectives": (hsiclearn._objective, AbstractObjective),
    "points": (hsiclearn._objective, Point),
    "strategies": (hsiclearn._alternation, AbstractStrategy),
    "labellings": (hsiclearn._alternation, Labelling),
    "rows": (hsiclearn._rows, AbstractRows),
    "matrices": (hsiclearn._linalg, AbstractSymmetric),
    "bases": (hsiclearn._linalg, Basis),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_concrete_classes_are_final(name):
    """Behaviour is inherited from abstract classes only: a concrete class has no children."""
    found = concrete_classes(*FAMILIES[name])
    assert len(found) >= 2
    assert not {cls for cls in found if set(cls.__mro__[1:]) & found}
