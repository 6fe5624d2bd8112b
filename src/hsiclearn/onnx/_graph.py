"""Nodes of ONNX with names of mathematics; numpy arrays are constants."""

from __future__ import annotations

from typing import Any

import numpy as np
from skl2onnx.algebra import onnx_ops

from .._arrays import Array, FloatArray

Node = Any
"""What an operator of ONNX gives: an input of others."""


class Nodes:
    """Makes nodes for one version of ONNX."""

    def __init__(self, opset: int) -> None:
        self._opset = opset

    def __getattr__(self, name: str) -> Any:
        """An operator by its name in ONNX: ``graph.MatMul(a, b)``."""
        if name.startswith("_"):
            raise AttributeError(name)
        operator = getattr(onnx_ops, f"Onnx{name}")

        def node(*inputs: Any, **attributes: Any) -> Node:
            return operator(*inputs, op_version=self._opset, **attributes)

        return node

    def column(self, table: Node, place: int) -> Node:
        """One column of a table, as a table."""
        return self.Gather(table, np.array([place], dtype=np.int64), axis=1)

    def at(self, values: Array, places: Node, **attributes: Any) -> Node:
        """The values at these places."""
        return self.Gather(values, places, axis=0, **attributes)

    def squared_distances(self, rows: Node, others: FloatArray) -> Node:
        """``|w_i - x_j|^2``, summed over differences: of equal rows it is 0, not its rounding.

        A column at a time, so that no table is larger than rows times others.
        """
        total = None
        for c in range(others.shape[1]):
            difference = self.Sub(self.column(rows, c), others[:, c][None, :])
            square = self.Mul(difference, difference)
            total = square if total is None else self.Add(total, square)
        return total
