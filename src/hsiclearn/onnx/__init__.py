"""Fitted models in ONNX, a format that runs without Python: once imported, skl2onnx knows ours.

::

    import hsiclearn.onnx
    from skl2onnx import to_onnx

    proto = to_onnx(pipeline, X[:1])

It needs skl2onnx, the extra ``onnx``. All four estimators can be converted, alone and in a
pipeline. ``transform`` is a matrix product in the type of X, as it is in Python (integers become
double precision, as there). The clustering estimators have two outputs, as scikit-learn's
``KMeans`` has: ``label`` is ``predict(X)``, computed in double precision whatever the type of X,
and ``scores`` is ``transform(X)``. ``options={id(step): {"labels": False}}`` leaves ``label`` out,
as it must be where another step follows.
"""

from __future__ import annotations

from ..exceptions import MissingExtraError

try:
    from ._convert import register
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] not in ("skl2onnx", "onnx"):
        raise
    raise MissingExtraError(error.name.partition(".")[0], "onnx", __name__) from error

__all__: list[str] = []

register()
