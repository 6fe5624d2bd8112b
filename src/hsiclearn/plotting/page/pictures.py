"""Pictures by the Displays, for what needs no script and for readers who have none."""

from __future__ import annotations

import base64
from collections.abc import Callable
from io import BytesIO
from typing import Any, cast

import numpy as np

from ..._arrays import Array
from ...inspection import Stability
from .._axes import matplotlib_module
from .._names import shown as plain_text
from ..convergence import ConvergenceDisplay
from ..loadings import LoadingsDisplay
from ..picture import Display
from ..projection import ProjectionDisplay
from ..spectrum import SpectrumDisplay
from ..stability import StabilityDisplay
from .points import MOST_COMPONENTS, composition, held_out_rows, sample_rows, title
from .reading import Reading

_MOST_ROWS = 10_000  # of a still picture: more only cover each other
_DPI = 110
_ALIKE = 1e-3  # eigenvalues that agree to this are drawn as what they are: alike


def draw_pictures(
    reading: Reading, standardised: Array, shown: Array, stability: Stability | None
) -> dict[str, Any]:
    """All still pictures of a page, as addresses; None where there is nothing to draw."""
    step, names = cast(Any, reading.step), reading.names
    convergence = ConvergenceDisplay(step.result_.history, tol=step.certificate_.tol)
    bars = (8.4, max(2.6, 1.4 + 0.24 * min(20, len(names))))
    graph = getattr(step, "graph_eigenvalues_", ()), getattr(step, "n_clusters_", 1)
    return {
        "rows": _map(reading, standardised, shown),
        "loadings": _png(LoadingsDisplay(standardised, feature_names=names), bars),
        "convergence": _png(convergence, (8.4, 3.8)),
        "spectrum": _spectrum(step.eigenvalues_, step.n_components_, "phi"),
        "graph": _spectrum(*graph, "graph"),
        "stability": None
        if stability is None
        else _png(StabilityDisplay(stability, feature_names=names), (8.8, 4.6)),
    }


def _png(
    display: Display,
    size: tuple[float, float] = (6.4, 4.2),
    finish: Callable[[Any], None] | None = None,
) -> str:
    """A display as the address of an image. The figure is made without pyplot: no window opens."""
    figure = matplotlib_module("figure").Figure(figsize=size, dpi=_DPI, layout="constrained")
    axes = figure.subplots()
    display.plot(ax=axes)
    if finish is not None:
        finish(axes)
    file = BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"


def _map(reading: Reading, standardised: Array, shown: Array) -> str:
    """The first two components, coloured and placed as the map of the page is at first."""
    Z, held_out = reading.projection, held_out_rows(reading, shown) if reading.is_wide else None
    if held_out is not None:
        shown = shown[held_out[0]]
        Z = np.full_like(Z[:, :MOST_COMPONENTS], np.nan)
        Z[shown] = held_out[1]
    by = reading.colourings[0] if reading.colourings else None
    codes = by.values[shown] if by is not None and by.is_classes else None
    some = shown[sample_rows(shown.size, codes, _MOST_ROWS, 0)]
    names = [
        plain_text(title(k, composition(row, reading.names)), 60)
        for k, row in enumerate(standardised[: Z.shape[1]])
    ]
    colours: dict[str, Any] = {}
    if by is not None:
        colours = {"y": by.values[some], "target": by.kind}
    if by is not None and by.is_classes:
        codes = np.unique(by.values[some])
        colours["class_names"] = ["unknown" if c < 0 else by.names[c] for c in codes]
    return _png(ProjectionDisplay(Z[some], axis_names=names, **colours))


def _spectrum(eigenvalues: Array, n_components: int, kind: str) -> str | None:
    values = np.asarray(eigenvalues, dtype=np.float64)
    if values.size < n_components or not np.isfinite(values).all():
        return None
    return _png(SpectrumDisplay(values, n_components=n_components, kind=kind), finish=_plain_axis)


def _plain_axis(axes: Any) -> None:
    """No offset beside the axis, which makes a gap of 1e-8 look wide; nor a zoom into one."""
    axes.ticklabel_format(axis="y", useOffset=False)
    low, high = axes.get_ylim()
    if high - low < _ALIKE * abs(high):
        axes.set_ylim(min(0.0, 1.1 * high), max(0.0, 1.1 * high))
        for note in list(axes.texts):  # a gap of no height; the caption says so
            note.remove()
