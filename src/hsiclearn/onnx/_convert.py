"""The four estimators as skl2onnx asks for them: outputs, their shapes, their nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from skl2onnx import update_registered_converter
from skl2onnx.common.data_types import (
    DoubleTensorType,
    FloatTensorType,
    Int64TensorType,
    StringTensorType,
)

from .._arrays import Array
from .._devices import to_host
from .._estimators import (
    AlternativeHSIC,
    BaseHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
)
from ._embedding import clusters_at
from ._graph import Node, Nodes

_LABELS = "labels"  # the option
_PASSES_ON = ("SklearnIdentity", "SklearnCast")  # operators that give an output its name


def register() -> None:
    """Tell skl2onnx of the four; a second time changes nothing."""
    update_registered_converter(SupervisedHSIC, "HsicLearnMap", _shape_of_map, _convert_map)
    for cls in (UnsupervisedHSIC, SemiSupervisedHSIC, AlternativeHSIC):
        update_registered_converter(
            cls,
            f"HsicLearn{cls.__name__}",
            _shapes_of_clusters,
            _convert_clusters,
            parser=_parse_clusters,
            options={_LABELS: [True, False]},
        )


def _parse_clusters(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """``label`` and ``scores``, or what ``transform`` gives alone."""
    operator = scope.declare_local_operator(f"HsicLearn{type(model).__name__}", model)
    operator.inputs = inputs
    if scope.get_options(model, {_LABELS: True})[_LABELS]:
        operator.outputs.append(scope.declare_local_variable("label", Int64TensorType()))
        operator.outputs.append(scope.declare_local_variable("scores", FloatTensorType()))
    else:
        operator.outputs.append(scope.declare_local_variable("variable", FloatTensorType()))
    return operator.outputs


def _shape_of_map(operator: Any) -> None:
    """``(rows, components)``, in the type that ``transform`` answers in."""
    step = operator.raw_operator
    if len(operator.inputs) != 1:
        raise ValueError(
            f"{type(step).__name__} must have one table as its input to be written as ONNX. Got "
            f"{len(operator.inputs)} inputs. Put a ColumnTransformer or a scaler before it, which "
            "makes one of them, or pass X as an array: to_onnx(model, X.to_numpy()[:1])."
        )
    (table,) = operator.inputs
    kind = FloatTensorType if isinstance(table.type, FloatTensorType) else DoubleTensorType
    operator.outputs[-1].type = kind([table.get_first_dimension(), step.components_.shape[0]])


def _shapes_of_clusters(operator: Any) -> None:
    _shape_of_map(operator)
    if len(operator.outputs) == 1:
        return
    label = operator.outputs[0]
    if any(user.type not in _PASSES_ON for user in label.operators_inputs_):
        raise ValueError(
            "The outputs of a clustering that another step follows must be those of `transform`. "
            f"Got a {type(operator.raw_operator).__name__} with labels. Pass "
            'to_onnx(..., options={id(step): {"labels": False}}).'
        )
    is_text = _names(operator.raw_operator).dtype.kind == "U"
    kind = StringTensorType if is_text else Int64TensorType
    label.type = kind([operator.inputs[0].get_first_dimension()])


def _names(step: BaseHSIC) -> Array:
    """What clusters are called, in a type that ONNX has."""
    names = np.asarray(to_host(step._label_names))
    if names.dtype.kind in "iub":
        return names.astype(np.int64)
    if names.dtype.kind == "U" or all(isinstance(name, str) for name in names.tolist()):
        return names.astype(str)
    raise TypeError(
        f"Labels must be integers or text to be written as ONNX. Got {names.dtype} in "
        f"{type(step).__name__}. Name them so, or convert `transform` alone: "
        'options={id(step): {"labels": False}}.'
    )


def _convert_map(scope: Any, operator: Any, container: Any) -> None:
    """``X W`` in the type of X."""
    graph = Nodes(container.target_opset)
    _map(graph, operator).add_to(scope, container)


def _map(graph: Nodes, operator: Any) -> Node:
    """The product; integers are taken for numbers of double precision, as in Python."""
    (table,), output = operator.inputs, operator.outputs[-1]
    dtype = np.float32 if isinstance(output.type, FloatTensorType) else np.float64
    W = to_host(operator.raw_operator.components_).T.astype(dtype)
    is_float = isinstance(table.type, FloatTensorType | DoubleTensorType)
    X = table if is_float else graph.Cast(table, to=dtype)
    return graph.MatMul(X, W, output_names=[output])


def _convert_clusters(scope: Any, operator: Any, container: Any) -> None:
    graph = Nodes(container.target_opset)
    _map(graph, operator).add_to(scope, container)
    if len(operator.outputs) == 2:
        _labels(graph, operator).add_to(scope, container)


def _labels(graph: Nodes, operator: Any) -> Node:
    """``predict``, in double precision."""
    step, names = operator.raw_operator, _names(operator.raw_operator)
    X = graph.Cast(operator.inputs[0], to=np.float64)
    w = graph.MatMul(X, to_host(step.components_).T)
    w = graph.Sub(w, to_host(step._offset)[None, :])
    if step.n_clusters_ == 1:  # the first name for each row
        cluster = graph.ArgMin(w, axis=1, keepdims=0)
        places = graph.Mul(cluster, np.zeros(1, dtype=np.int64))
    else:
        places = clusters_at(graph, w, step._labelling)
    return graph.at(names, places, output_names=[operator.outputs[0]])
