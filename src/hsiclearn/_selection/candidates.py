"""The answers that a rule compares: the list of them, and each one's fit when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial

import numpy as np

from .._arrays import FloatArray
from .._columns import Column
from .._engines import rough_engine
from .._linalg import Basis, orthonormal_basis, row_space
from .._objective import Objective
from .._rows import AbstractRows, as_rows
from .._solvers import (
    RoughFit,
    SecondMoments,
    gradient_directions,
    rough_fit,
    sharpened,
    start_from_name,
)
from .._threads import side_by_side
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from .metric import IDENTITY, RELEVANCE, basis_of
from .relevance import basis_of_weights, weighed
from .ridge import error_of_sum, level_margin

DEPENDENCE, PREDICTION = "dependence", "prediction"
"""What a fit looks for: HSIC, or how well rows are predicted in the subspace."""

PATH = "path"
"""The start that is Phi(0) at the first kernel, and then the fit with the kernel before."""
ARRAY = "array"
"""The start that is given."""
SECOND_MOMENTS = "second-moments"
GRADIENTS = "gradients"
"""The start of a prediction that is made of the gradients of a regression on all columns."""
STARTS = (PATH, SECOND_MOMENTS)
"""Where fits begin, unless a user says otherwise."""

_GAIN = 1e-4  # of the cost, by five steps: what is left moves no loss that decides
_NOTICED = 0.005  # of what is to be explained: nobody sees less on a map
_FEW_COLUMNS = 100  # up to which second moments are a small matrix


@dataclass(frozen=True, eq=False)
class Candidate:
    """One fit that a rule compared.

    W is orthonormal in ``metric``, unless it was made to predict: see ``objective``; ``weights``
    are those of the columns, where the metric is made of them, ``instead`` what was best before it,
    of one that was made to predict. ``losses``
    are what each row adds to ``held_out``, which is NaN where it was not needed, ``leave_one_out``
    where rows held out alone decide: they are plenty, or hardly more than columns, and then
    ``held_out`` is that of the first splits where these were enough to rule a candidate out.
    ``W_without`` has, for each split, the W that was fitted without the rows it holds out; empty
    where none was needed.
    """

    n_components: int
    kernel: AbstractKernel
    start: str
    leave_one_out: float
    held_out: float
    metric: str = IDENTITY
    objective: str = DEPENDENCE
    weights: FloatArray | None = field(default=None, repr=False, compare=False)
    losses: FloatArray | None = field(default=None, repr=False, compare=False)
    W: FloatArray | None = field(default=None, repr=False, compare=False)
    W_without: tuple[FloatArray, ...] = field(default=(), repr=False, compare=False)
    instead: Candidate | None = field(default=None, repr=False, compare=False)

    def __eq__(self, other: object) -> bool:
        """Equal in all that a file keeps; a loss that was not needed is equal to one that was not.

        NaN is equal to nothing, so that no candidate that was read would be the chosen one.
        """
        if not isinstance(other, Candidate):
            return NotImplemented
        return self._kept == other._kept

    def __hash__(self) -> int:
        """Of the same."""
        return hash(self._kept)

    @property
    def _kept(self) -> tuple[object, ...]:
        values = (getattr(self, one.name) for one in fields(self) if one.compare)
        return tuple(None if isinstance(v, float) and np.isnan(v) else v for v in values)

    @property
    def criterion(self) -> float:
        """``J = (LOO + HO) / 2``; HO where there is no LOO."""
        if np.isnan(self.leave_one_out):
            return self.held_out
        return 0.5 * (self.leave_one_out + self.held_out)

    def is_clearly_below(self, other: Candidate) -> bool:
        """Whether the criterion is lower by half a standard error or more, and worth noticing.

        The error is that of the difference on the rows held out, the same for both; two per cent
        of the loss, and half a per cent of what is to be explained, are noticed. Where there is no
        LOO of this one, rows held out alone are compared.
        """
        assert self.losses is not None
        assert other.losses is not None
        mine, theirs = self.criterion, other.criterion
        if np.isnan(self.leave_one_out):
            mine, theirs = self.held_out, other.held_out
        margin = level_margin(theirs, error_of_sum(other.losses - self.losses))
        return theirs - mine > max(float(margin), _NOTICED)

    @property
    def leaves_something(self) -> bool:
        """Whether so much is unexplained that another candidate can be clearly below."""
        return max(self.criterion, self.held_out) > _NOTICED

    def basis_on(self, rows: AbstractRows, row_weights: Column | None = None) -> Basis:
        """The coordinates in which its metric is that of the columns."""
        if self.weights is not None:
            return basis_of_weights(self.weights)
        return basis_of(self.metric, rows, row_weights)

    @property
    def bandwidth(self) -> float | None:
        """The scale of the kernel, where it has one."""
        return self.kernel.scale


@dataclass(frozen=True, eq=False)
class Proposal:
    """A subspace to be fitted: with which kernel, from where, and orthonormal in which metric.

    ``start`` is a name from :data:`hsiclearn._solvers.START_NAMES`, made anew for every kernel;
    ``"random 1"``, ``"random 2"`` ... for different draws; ``"array"`` for the one given; or
    ``"path"``, which follows the answer from the smoothest kernel, where the objective has few
    local minima, down to the finest: ``follows`` is the proposal before, None for Phi(0).
    """

    kernel: AbstractKernel
    start: str
    follows: Proposal | None = None
    place: str = ""  # of the kernel among the others, for messages
    metric: str = IDENTITY
    objective: str = DEPENDENCE


def of_unit_size(A: FloatArray) -> FloatArray:
    """A map that is made to predict, at the Frobenius norm that q orthonormal columns have."""
    return A * (np.sqrt(A.shape[1]) / max(float(np.linalg.norm(A)), np.finfo(float).tiny))


def predictions(found: Proposal, weighed: Proposal | None = None) -> list[Proposal]:
    """Those made to predict: from subspaces that were found, and from gradients.

    Of one with columns weighed, in columns rescaled so: those of little weight move little.
    """
    kernel, place, metric = found.kernel, found.place, found.metric
    starts = [found] if weighed is None else [found, weighed]
    return [
        *(Proposal(f.kernel, DEPENDENCE, f, f.place, f.metric, PREDICTION) for f in starts),
        Proposal(kernel, GRADIENTS, None, place, metric, PREDICTION),
    ]


def weighings(found: Proposal, kernels: Sequence[AbstractKernel]) -> list[Proposal]:
    """Those with columns weighed by their part in a subspace that was found.

    At its scale, and at the next finer, since fewer columns then have a part.
    """
    places = [k for k, kernel in enumerate(kernels) if kernel.scale == found.kernel.scale]
    both = kernels[places[0] :][:2] if places else [found.kernel]
    return [Proposal(kernel, found.start, found, found.place, RELEVANCE) for kernel in both]


def proposals(
    kernels: Sequence[AbstractKernel], starts: Sequence[str], metric: str = IDENTITY
) -> list[list[Proposal]]:
    """All answers to compare in one metric: for each kernel, smooth to fine, one from every start.

    This is the place for more of them. Whatever is listed here is fitted by :class:`Fits`, on all
    rows and without those held out, and the losses decide.
    """
    levels: list[list[Proposal]] = []
    before: Proposal | None = None
    for k, kernel in enumerate(kernels, start=1):
        place = f"{k} of {len(kernels)}"
        follow = {PATH: before}
        here = [Proposal(kernel, s, follow.get(s), place, metric) for s in starts]
        before = next((one for one in here if one.start == PATH), None)
        levels.append(here)
    return levels


@dataclass(eq=False)
class _Table:
    """Rows in the coordinates of a metric, in no more columns than they need."""

    basis: Basis
    X: FloatArray
    gamma: AbstractGamma
    q: int

    @cached_property
    def second_moments(self) -> FloatArray:
        """A start that no kernel has a part in: made once."""
        if self.X.shape[1] <= _FEW_COLUMNS:
            rng = np.random.default_rng(0)
            return start_from_name(SECOND_MOMENTS, Objective(self.X, self.gamma), self.q, rng)
        return SecondMoments(as_rows(self.X), self.gamma).roughly_lowest(self.q)


@dataclass(eq=False)
class Fits:
    """Proposals fitted in q dimensions on the rows X, each one once and when it is asked for.

    ``Y`` are the responses that predictions are of; ``init`` is what the start ``"array"`` stands
    for; ``seed`` that of random starts.
    """

    X: FloatArray
    gamma: AbstractGamma
    Y: FloatArray
    q: int
    init: FloatArray | None = None
    seed: int = 0
    max_iter: int = 100
    _known: dict[Proposal, RoughFit] = field(default_factory=dict, init=False)
    _tables: dict[str, _Table] = field(default_factory=dict, init=False)
    weights: dict[Proposal, FloatArray] = field(default_factory=dict, init=False)
    """Those of the columns, of proposals that weigh them."""

    def _table(self, metric: str) -> _Table:
        """The rows in a metric of their own: of rows held out nothing is known here."""
        if metric not in self._tables:
            basis = basis_of(metric, as_rows(self.X), self.gamma.row_weights)
            narrow, X = row_space(basis.lower(self.X), self.q)
            self._tables[metric] = _Table(basis.then(narrow), X, self.gamma, self.q)
        return self._tables[metric]

    def fit_all(self, level: Sequence[Proposal]) -> list[RoughFit]:
        """Several at once: of them at most one follows another."""
        for one in level:  # made here, not in two threads
            table = self._table(one.metric)
            if one.start == SECOND_MOMENTS:
                _ = table.second_moments
        return side_by_side([partial(self.fit, one) for one in level], self.X.shape[0])

    def fit(self, proposal: Proposal) -> RoughFit:
        """The subspace in the columns of X; whatever it follows is fitted before it."""
        waiting: list[Proposal] = []
        following: Proposal | None = proposal
        while following is not None and following not in self._known:
            waiting.append(following)
            following = following.follows
        for one in reversed(waiting):
            if one.objective == PREDICTION:
                self._known[one] = self._made_to_predict(one)
            elif one.metric == RELEVANCE:
                self._known[one] = self._weighed(one)
            else:
                self._known[one] = self._dependent(one)
        return self._known[proposal]

    def _dependent(self, proposal: Proposal) -> RoughFit:
        table = self._table(proposal.metric)
        objective = Objective(table.X, self.gamma, proposal.kernel, rough_engine)
        found = rough_fit(objective, self._start(proposal, objective), _GAIN)
        return RoughFit(table.basis.lift(found.W), found.cost)

    def _weighed(self, proposal: Proposal) -> RoughFit:
        assert proposal.follows is not None
        found = weighed(self.X, self.gamma, proposal.kernel, self._known[proposal.follows].W)
        self.weights[proposal] = found.weights
        return RoughFit(found.W, found.cost)

    def _made_to_predict(self, proposal: Proposal) -> RoughFit:
        """In the coordinates of its metric, or of the weights that it follows."""
        begun, v = proposal.follows, self.gamma.row_weights
        if begun is not None and begun in self.weights:
            basis = basis_of_weights(self.weights[begun])
            X = basis.lower(self.X)
        else:
            table = self._table(proposal.metric)
            basis, X = table.basis, table.X
        if begun is None:
            start = gradient_directions(X, self.Y, self.q, v)
        else:
            start = basis.coordinates(self._known[begun].W)
        found = sharpened(X, self.Y, start, max_iter=self.max_iter, weights=v)
        return RoughFit(of_unit_size(basis.lift(found.A)), found.losses[-1])

    def _start(self, proposal: Proposal, objective: Objective) -> FloatArray:
        given = self.init if proposal.start == ARRAY else None
        if proposal.follows is not None:
            given = self._known[proposal.follows].W
        if given is not None:
            return orthonormal_basis(self._table(proposal.metric).basis.coordinates(given))
        if proposal.start == SECOND_MOMENTS:
            return self._table(proposal.metric).second_moments
        name, _, number = proposal.start.partition(" ")
        rng = np.random.default_rng([self.seed, int(number or 0)])
        return start_from_name("phi-zero" if name == PATH else name, objective, self.q, rng)
