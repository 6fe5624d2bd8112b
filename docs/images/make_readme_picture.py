"""Draw ``wine.png``, the picture in the README: a hidden ring, and the wine data.

Run from a clone with the extra ``plot`` installed: ``python docs/images/make_readme_picture.py``.
"""

from pathlib import Path

from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.datasets import make_planted
from hsiclearn.plotting import ProjectionDisplay, save_picture

X, y, _ = make_planted("ring")
ring_hsic = SupervisedHSIC(n_components=2).fit(X, y)
wine = load_wine()
wines = StandardScaler().fit_transform(wine.data)
wine_hsic = SupervisedHSIC(n_components=2).fit(wines, wine.target)

sides, growers = ("inside", "outside"), ("grower 1", "grower 2", "grower 3")
panels = {
    "Hidden ring: PCA": ProjectionDisplay(PCA(2).fit_transform(X), y=y, class_names=sides),
    "Hidden ring: SupervisedHSIC": ProjectionDisplay(
        ring_hsic.transform(X), y=y, class_names=sides
    ),
    "Wine: SupervisedHSIC": ProjectionDisplay(
        wine_hsic.transform(wines), y=wine.target, class_names=growers
    ),
}
save_picture(panels, Path(__file__).with_name("wine.png"), panel_size=(3.0, 3.1), dpi=100)
