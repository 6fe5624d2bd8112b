"""A fit on a cluster, from the rows to a model that is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
from distributed import Client, LocalCluster

import hsiclearn
from hsiclearn import SupervisedHSIC


def start() -> Client:
    """A cluster on this machine: its workers are threads here, or processes of their own."""
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    )
    return Client(cluster)


def make_rows(n: int = 20_000, d: int = 10) -> tuple[da.Array, da.Array]:
    """Rows that are not here: each chunk is made where it is needed."""
    X = da.random.default_rng(0).normal(size=(n, d), chunks=(n // 4, d)).astype("float32")
    y = da.sin(2.0 * X[:, 0]) + X[:, 1] ** 2
    return X, y


def read_rows(folder: Path) -> tuple[dd.DataFrame, dd.Series]:
    """The same from a folder of Parquet; the column y is the target."""
    table = dd.read_parquet(folder)
    return table[[name for name in table.columns if name != "y"]], table["y"]


def fit(X: Any, y: Any, checkpoint: Path) -> SupervisedHSIC:
    """What is fitted is as in memory; the file is for the day the cluster is lost."""
    model = SupervisedHSIC(2, bandwidth="median", checkpoint=checkpoint, resume=True)
    model.fit(X, y)
    print(model.engine_, model.result_.engine_reason)
    return model


def write_directions(model: SupervisedHSIC, X: Any, folder: Path) -> None:
    """Projected rows, a file for each chunk: nothing is computed before it is written."""
    Z = model.transform(X)
    dd.from_dask_array(Z, columns=["hsic0", "hsic1"]).to_parquet(folder)


def save_and_load(model: SupervisedHSIC, path: Path) -> np.ndarray:
    """A model needs no cluster once it is fitted."""
    hsiclearn.save(model, path)
    return hsiclearn.load(path).transform(np.zeros((3, 10), dtype=np.float32))
