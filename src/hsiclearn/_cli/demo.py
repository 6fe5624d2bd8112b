"""``hsiclearn demo``: the wine data, and a ring that linear methods miss."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from .._arrays import Array, FloatArray
from .._estimators import SupervisedHSIC
from .._linalg import orthonormal_basis, sine_of_largest_angle
from ..datasets import make_planted
from ..exceptions import MissingExtraError
from ..inspection import feature_importances
from ..plotting import ProjectionDisplay, report, require_matplotlib, save_picture
from .tables import Column, Table, TableEncoder
from .wording import text_table


def run_demo(output: Path) -> None:
    """Print both parts and the answer; write ``wine.png`` and ``report.html`` into ``output``."""
    model, wines, growers = _wine(output)
    print()
    _ring()
    print()
    _answer(model, wines)
    print()
    _report(model, wines, growers, output / "report.html")


def _accuracy(reducer: Any, X: FloatArray, y: Array) -> float:
    """Cross-validated accuracy of 5 nearest neighbours after a reduction."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = make_pipeline(StandardScaler(), reducer, KNeighborsClassifier(5))
    return float(cross_val_score(model, X, y, cv=folds).mean())


def _wine(output: Path) -> tuple[Pipeline, Table, Array]:
    wine = load_wine()
    hsic = SupervisedHSIC(n_components=2)
    reducers = {"SupervisedHSIC": hsic, "LDA": LinearDiscriminantAnalysis(), "PCA": PCA(2)}
    print(
        f"Wine: {len(wine.data)} wines, {wine.data.shape[1]} measurements (standardised), "
        "3 growers, reduced to 2 dimensions\n\n"
        "  Accuracy of 5 nearest neighbours in the plane, 5-fold cross-validation"
    )
    for name, reducer in reducers.items():
        print(f"    {name:<16}{_accuracy(reducer, wine.data, wine.target):7.1%}")

    wines = Table(map(Column.of_numbers, wine.feature_names, wine.data.T))
    model = Pipeline([("table", TableEncoder(scale=True)), ("hsic", hsic)]).fit(wines, wine.target)
    _describe(hsic, wine.feature_names)
    names = [f"grower {i}" for i in (1, 2, 3)]
    display = ProjectionDisplay(model.transform(wines), y=wine.target, class_names=names)
    try:
        picture = save_picture({"Wine: SupervisedHSIC": display}, output / "wine.png")
        print(f"    picture      {picture}")
    except MissingExtraError as error:
        print(f"    no picture   {error}")
    return model, wines, np.array(names)[wine.target]


def _describe(hsic: SupervisedHSIC, feature_names: Sequence[str]) -> None:
    print(
        "\n  SupervisedHSIC on all rows\n"
        f"    bandwidth    {hsic.bandwidth_:.3f}, chosen on rows held out\n"
        f"    cost         {hsic.cost_:.3f} (minus the dependence: lower is stronger)\n"
        f"    status       {hsic.result_.status.value}\n"
        f"    certificate  {hsic.certificate_.verdict}"
    )
    for i, component in enumerate(hsic.components_, start=1):
        largest = np.argsort(-np.abs(component), kind="stable")[:3]
        loadings = ", ".join(f"{feature_names[j]} {component[j]:+.2f}" for j in largest)
        print(f"    component {i}  {loadings}, ...")


def _ring() -> None:
    X, y, plane = make_planted("ring")
    hsic = SupervisedHSIC(n_components="auto").fit(X, y)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    found = {
        "SupervisedHSIC": (SupervisedHSIC(hsic.n_components_), hsic.components_.T),
        "LDA": (lda, orthonormal_basis(lda.scalings_)),
        "PCA": (PCA(2), PCA(2).fit(X).components_.T),
    }
    print(
        f"Ring: {X.shape[0]} rows, {X.shape[1]} columns; the class says whether a row lies inside\n"
        "or outside a circle in a hidden plane. The class means agree: nothing for LDA.\n\n"
        f"    {'':<16}directions   angle to the plane   5-NN accuracy"
    )
    for name, (reducer, W) in found.items():
        degrees = np.degrees(np.arcsin(sine_of_largest_angle(plane, W)))
        accuracy = _accuracy(reducer, X, y)
        print(f"    {name:<16}{W.shape[1]:>10}{degrees:>13.0f} degrees{accuracy:>16.1%}")
    assert hsic.selection_ is not None
    print(
        f"\n  SupervisedHSIC chose {hsic.n_components_} directions and the bandwidth "
        f"{hsic.bandwidth_:.2f} by itself; on rows held out they\n"
        f"  explain {hsic.selection_.explained_share:.0%} of the target."
    )


def _answer(model: Pipeline, wines: Table) -> None:
    """What the directions of the wine data are made of, as a table."""
    importances = feature_importances(model, wines)
    order = np.argsort(-importances, kind="stable")
    components = model[-1].components_
    head = ("measurement", "component 1", "component 2", "importance")
    rows = [
        (wines.names[j], *(f"{w:+.2f}" for w in components[:, j]), f"{importances[j]:.0%}")
        for j in order
    ]
    print("The answer for the wines: what the two directions are made of\n")
    print(text_table(head, rows))


def _report(model: Pipeline, wines: Table, growers: Array, path: Path) -> None:
    """The page, with its path in the last line."""
    try:
        require_matplotlib()
        path.parent.mkdir(parents=True, exist_ok=True)
        settings = {"command": "hsiclearn demo"}
        title = "178 wines of three growers"
        print(report(model, wines, growers, path, title=title, settings=settings, overwrite=True))
    except MissingExtraError as error:
        print(f"No report: {error}")
