"""What the paper compares with besides: LDA, PCA + SVM, SVM; PCA + SC, SC."""

from __future__ import annotations

from typing import Any

from sklearn.cluster import SpectralClustering
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

from ..._arrays import Array, FloatArray
from ._base import Clustered, Clusterer, Reduced, Reducer, Report, paper_kernel

__all__ = ["METHODS"]


class _Svm(Reducer):
    key, title, order = "svm", "SVM", 12

    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """All columns."""
        return Reduced()


class _Lda(_Svm):
    key, title, order = "lda", "LDA", 10

    def classifier(self) -> Any:
        """LDA classifies by itself."""
        return LinearDiscriminantAnalysis()


class _PcaSvm(_Svm):
    key, title, order = "pca+svm", "PCA + SVM", 11

    def reduce(self, X: FloatArray, y: Array, q: int, report: Report) -> Reduced:
        """Directions of largest variance."""
        return Reduced(PCA(q, random_state=0).fit(X).components_.T)


class _Sc(Clusterer):
    key, title, order = "sc", "SC", 14

    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """scikit-learn's spectral clustering with the paper's kernel."""
        affinity = rbf_kernel(X, gamma=0.5 / paper_kernel(X).bandwidth ** 2)

        def labels(seed: int) -> Array:
            model = SpectralClustering(k, affinity="precomputed", random_state=seed)
            with threadpool_limits(1):
                return model.fit(affinity).labels_

        labels(0)  # so that its time is in the time of the method
        return Clustered(labels)


class _PcaSc(_Sc):
    key, title, order = "pca+sc", "PCA + SC", 13

    def cluster(self, X: FloatArray, k: int, q: int, report: Report) -> Clustered:
        """The same on directions of largest variance."""
        return super().cluster(PCA(q, random_state=0).fit_transform(X), k, q, report)


METHODS = (_Lda(), _PcaSvm(), _Svm(), _PcaSc(), _Sc())
