"""Errors and warnings. Each message says the rule, the values seen and the remedy."""

from __future__ import annotations

__all__ = [
    "CheckpointError",
    "ClusterError",
    "DataCorruptError",
    "DataNotFoundError",
    "DegenerateDataError",
    "DependenceWarning",
    "DeviceMemoryError",
    "InvalidKernelError",
    "MissingExtraError",
    "ModelFileError",
    "NotConvergedWarning",
    "SpreadWarning",
]


_APART = {"bench": "pip install ./benchmarks in a clone of hsic-learn"}  # extras that are packages


class InvalidKernelError(ValueError):
    """A kernel's three functions contradict each other, or its parameters are out of range."""


class DegenerateDataError(ValueError):
    """The data leave nothing to optimise: equal rows, constant columns, or a single class."""


class CheckpointError(ValueError):
    """A checkpoint is damaged, or belongs to another problem than the one at hand."""


class ClusterError(RuntimeError):
    """A cluster that has the rows was lost, or cannot run what is asked of it."""


class DeviceMemoryError(MemoryError):
    """A device has no memory left for a sum over rows, however few of them at a time."""


class ModelFileError(ValueError):
    """A model file is damaged, of a later format, or something else."""


class DataNotFoundError(OSError):
    """A data set is in no folder, not in the cache, and not within reach of the network."""


class DataCorruptError(ValueError):
    """A file was found or fetched, but it does not hold the data set that was published."""


class DependenceWarning(UserWarning):
    """The objective is well defined but will not find what its user most likely wants."""


class SpreadWarning(DependenceWarning):
    """Rows hardly vary along a direction, or only a few of them do."""


class NotConvergedWarning(UserWarning):
    """A solver stopped before its rule was met (estimators raise scikit-learn's own class)."""


class MissingExtraError(ImportError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        install = _APART.get(extra, f"pip install 'hsic-learn[{extra}]'")
        super().__init__(
            f"{purpose} needs {package}, which is not installed. Install it with: {install}"
        )
