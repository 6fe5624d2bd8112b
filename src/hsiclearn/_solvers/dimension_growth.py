"""Dimension growth: the columns of W one after the other, each by gradient descent.

D. Niu, J. Dy, M. Jordan: Iterative Discovery of Multiple Alternative Clustering Views, IEEE
Transactions on Pattern Analysis and Machine Intelligence 36, 2014. "DG" in the paper's tables.
"""

from __future__ import annotations

from typing import final

import numpy as np

from .._arrays import FloatArray
from .._linalg import null_space_of, orthonormal_basis, safe_norm
from .._objective import AbstractObjective, Point
from .._result import Status
from ._base import AbstractSolver, Step
from .stiefel import barzilai_borwein

_MOVES = 1000  # per column, at least; more where max_iter is more
_TRIALS = 30  # per line search
_LONGEST = 1.0  # tangent of the largest angle a move may turn
_SUFFICIENT = 1e-4  # of the decrease the slope promises


@final
class DimensionGrowthSolver(AbstractSolver):
    r"""Greedy: w_j minimises ``cost([w_1 .. w_j])`` with the columns before it fixed.

    The unit vector w_j is orthogonal to them, so the descent direction is kept in their
    complement::

        g = 2 (I - VV') Phi(V) w_j,    V = [w_1 .. w_j]
        w_j <- (w_j - t g) / |w_j - t g|

    with t from Barzilai and Borwein, halved until the cost of V falls enough (Armijo). A column
    is done when ``|(I - VV') Phi(V) w_j| / |Phi(V)|_F <= tol``, and W when its last column is.
    Only then is that column stationary given the others: the frame as a whole is not, for
    q > 1, and the certificate says by how much.

    One step is one move of one column, and sees only V, so most steps leave no record. A record
    is made per finished column, of the full frame: V completed by the columns of the start not
    yet grown, made orthogonal to it. So costs in the history compare with those of other
    solvers, at one evaluation more per column, and ``max_iter`` counts columns; the moves of a
    column have a budget of their own, 1000 or ``10 max_iter`` if that is more, with three
    evaluations for each.
    """

    def __init__(self, objective: AbstractObjective, tol: float) -> None:
        super().__init__(objective, tol)
        self._outcome = Status.CONVERGED
        self._grown: Point | None = None  # at V

    @property
    def trials(self) -> int:
        """A line search, and the full frame if it fails."""
        return _TRIALS + 1

    @property
    def budget(self) -> int:
        """Three evaluations for each move of each column."""
        return 1 + (3 * self._most_moves + self.trials) * self._frame.shape[1]

    @property
    def _most_moves(self) -> int:
        return _MOVES * max(100, self.max_iter) // 100

    def start(self, W: FloatArray) -> Step:
        """Evaluate the start; its columns are where those of W will start from."""
        self._frame, self._done = W, 0
        self._shown = self.objective.point(W)
        return Step(self._shown, "start", evaluations=1)

    def step(self) -> Step:
        """Begin a column, move it, or finish it."""
        if self._grown is None:
            return self._begin()
        here = self._grown
        if here.vanishes or safe_norm(here.residual[:, -1]) <= self.tol * here.scale:
            return self._finish(here)
        if self._moves == self._most_moves:
            self._outcome = Status.MAX_ITER
            return self._finish(here)
        return self._move(here)

    def best(self, visited: Step) -> Point:
        """The full frame as it is, or as the column under way makes it where that is lower."""
        if self._grown is None or visited.status is not None:
            return visited.point
        return min(visited.point, self._completed(self._grown), key=lambda point: point.cost)

    def _begin(self) -> Step:
        V = self._frame[:, : self._done + 1]
        whole = V.shape == self._frame.shape
        self._grown = self._shown if whole else self.objective.point(V)
        self._moves, self._length = 0, 0.5 / self._grown.norm
        return Step(self._shown, "move", evaluations=0 if whole else 1, moved=False)

    def _move(self, here: Point) -> Step:
        fixed, w = here.W[:, :-1], here.W[:, -1]
        gradient = 2.0 * here.residual[:, -1]
        size = safe_norm(gradient)
        length = min(self._length, _LONGEST / size)
        rounding = 10.0 * np.finfo(float).eps * abs(here.cost)
        for evaluations in range(1, _TRIALS + 1):
            moved = w - length * gradient
            moved = moved - fixed @ (fixed.T @ moved)  # what rounding has left of them
            moved /= np.linalg.norm(moved)
            trial = self.objective.point(np.concatenate([fixed, moved[:, None]], axis=1))
            if trial.cost <= here.cost - _SUFFICIENT * length * size**2 + rounding:
                self._moves += 1
                change = 2.0 * trial.residual[:, -1] - gradient
                wanted = barzilai_borwein(moved - w, change, long=self._moves % 2 == 1)
                self._length = 2.0 * self._length if wanted is None else wanted
                self._grown = trial
                return Step(self._shown, "move", evaluations=evaluations, moved=False, iterations=1)
            length *= 0.5
        self._outcome = Status.STALLED
        return self._finish(here, _TRIALS)

    def _finish(self, here: Point, evaluations: int = 0) -> Step:
        """Fix the column, and show the full frame."""
        self._grown, self._done = None, here.W.shape[1]
        if here.W.shape == self._frame.shape:
            self._shown = here
            status = Status.VANISHED if here.vanishes else self._outcome
            return Step(here, "column", evaluations=evaluations, status=status, iterations=0)
        self._shown = self._completed(here)
        self._frame = self._shown.W
        return Step(self._shown, "column", evaluations=evaluations + 1, iterations=0)

    def _completed(self, here: Point) -> Point:
        """The full frame, its missing columns those of the start off V."""
        V = here.W
        if V.shape == self._frame.shape:
            return here
        complement = null_space_of(V)
        # By QR, so that the next column is the projected start, whatever follows; a start
        # inside the span of V still gives unit vectors off it.
        rest = complement @ orthonormal_basis(complement.T @ self._frame[:, V.shape[1] :])
        return self.objective.point(np.concatenate([V, rest], axis=1))
