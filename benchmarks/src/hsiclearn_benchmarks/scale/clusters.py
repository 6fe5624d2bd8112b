"""Clusterings of many rows, beside those of few rows solved on all their pairs."""

from __future__ import annotations

from sklearn.metrics import normalized_mutual_info_score

from ..alone import Outcome
from ..bench import Bench, cpu_seconds, megabytes, seconds
from ..parts import Goal, Part, markdown
from .tasks import fit_clusters, predict_clusters

__all__ = ["measure_clusters"]

_N, _SAMPLE = 1e5, 4e3
_KINDS = ("blobs", "moons")
_ESTIMATORS = {False: "UnsupervisedHSIC", True: "AlternativeHSIC"}


def measure_clusters(bench: Bench) -> Part:
    """Each estimator on each kind of clusters."""
    # A twentieth would be the most rows that are solved on all pairs, a minute's work.
    n, sample = bench.size(_N / 5 if bench.quick else _N), bench.size(_SAMPLE)
    rows, shared = [], []
    for kind in bench.some(_KINDS):
        for guided, name in bench.some(list(_ESTIMATORS.items())):
            problem = {"kind": kind, "guided": guided, "n": n}
            all_rows = bench.run(f"{kind}, {name}", fit_clusters, **problem)
            few = bench.run(
                f"{kind}, {name}, {sample} rows", predict_clusters, sample=sample, **problem
            )
            agreement = _agreement(all_rows, few)
            shared.append(agreement)
            rows.append([f"{kind}, {name}", *_figures(all_rows, few, agreement)])
    head = ["clusters", "seconds", "CPU seconds", "MB beyond X", "engine"]
    head += [f"NMI with {sample:,} rows, tiled", "its seconds", "NMI with the truth", "ended"]
    known = [value for value in shared if value is not None]
    worst = min(known) if len(known) == len(shared) else None
    return Part(
        f"Clusters: {n:,} rows, 2 columns of noise, k = q = 2",
        markdown(head, rows),
        [Goal("lowest NMI with the answer of few rows", worst, 0.98, at_most=False)],
        notes=[
            "`AlternativeHSIC` sees a table of two clusterings and is given one of them; the truth "
            "is the other. The table of `UnsupervisedHSIC` holds one clustering."
        ],
    )


def _agreement(all_rows: Outcome, few: Outcome) -> float | None:
    if not (all_rows.finished and few.finished):
        return None
    labels = all_rows.figures["labels"], few.figures["labels"]
    return float(normalized_mutual_info_score(*labels))


def _figures(all_rows: Outcome, few: Outcome, agreement: float | None) -> list[str]:
    f = all_rows.figures
    truth = normalized_mutual_info_score(f["truth"], f["labels"]) if all_rows.finished else None
    return [
        *(seconds(all_rows), cpu_seconds(all_rows)),
        *(f"{megabytes(all_rows):.0f}", f.get("engine", "")),
        *(_text(agreement), seconds(few), _text(truth)),
        f.get("status", all_rows.status).lower(),
    ]


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
