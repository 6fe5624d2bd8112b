"""Why a solver stopped."""

from __future__ import annotations

from enum import Enum

from .._advice import Advice


class Status(Enum):
    """Why a solver stopped; the value is a sentence that names the next move."""

    CONVERGED = Advice("Converged: the stopping rule is met. Nothing to do.")
    SETTLED = Advice(
        "Settled: further steps bring no gain worth them. The certificate says where (at a kink, "
        "or where the descent creeps) and what could be left to gain; that clusters exist it does "
        "not say:",
        "read agreement_.",
        "read how well its labels agree.",
    )
    EIGENVALUES_SETTLED = Advice(
        "The eigenvalues of Phi settled, which is Algorithm 1's own stopping rule. It does not "
        "prove optimality:",
        "read the certificate, or use solver='spectral'.",
        "read the certificate.",
    )
    CYCLING = Advice(
        "Algorithm 1 cycles: its iterates return to an earlier subspace and will never converge. "
        "The visited subspace of lowest cost is returned.",
        "Use solver='spectral'.",
        "Fit it again by hsiclearn fit.",
    )
    MAX_ITER = Advice(
        "The iteration budget ran out before the stopping rule was met.",
        "(a) Raise max_iter; (b) loosen tol; (c) if the bandwidth is far below the median "
        "distance, raise it.",
        "(a) Raise --max-iter; (b) loosen --tol; (c) if the bandwidth is far below the median "
        "distance, raise it by --bandwidth.",
    )
    VANISHED = Advice(
        "Phi vanishes: every pair of projected rows is so many bandwidths apart that the objective "
        "is flat to rounding, and any subspace is as good.",
        "(a) Raise the bandwidth; (b) lower n_components; (c) check that the target varies and its "
        "classes have weight.",
        "(a) Raise --bandwidth; (b) lower --components; (c) check that the target varies and its "
        "classes have weight.",
    )
    STALLED = Advice(
        "No step lowers the cost beyond rounding, yet the gradient is above",
        "tol. The answer is as good as double precision allows: (a) loosen tol; (b) scale the "
        "columns of X.",
        "--tol. The answer is as good as double precision allows: (a) loosen --tol; (b) leave "
        "--no-scale out, so that columns are standardised.",
    )
    COARSE = Advice(
        "The landmarks allowed are too few for the accuracy asked for: the subspace may be off by "
        "more than",
        "engine_error.angle says is tolerable. (a) Raise the bandwidth; (b) lower n_components; "
        "(c) engine='tiled' is exact, at a cost that grows with the square of the rows; (d) loosen "
        "tol.",
        "is tolerable. (a) Raise --bandwidth; (b) lower --components; (c) --engine tiled is exact, "
        "at a cost that grows with the square of the rows; (d) loosen --tol.",
    )
    INTERRUPTED = Advice(
        "Interrupted: the solver was stopped before its rule was met. The best iterate so far is "
        "returned, verified to first order only.",
        "(a) Fit again with the same checkpoint and resume=True; (b) without a checkpoint, pass "
        "the components as init.",
        "Run the command again.",
    )

    @property
    def converged(self) -> bool:
        """Whether the solver's own stopping rule was met."""
        return self in (Status.CONVERGED, Status.SETTLED, Status.EIGENVALUES_SETTLED)
