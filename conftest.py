"""One BLAS thread per worker, set before anything loads numpy.

Idle threads of a BLAS spin on the cores that the other workers need. Workers and commands started
by a test inherit the setting; tests of limits raise the number of threads themselves.
"""

import base64
import gc
import importlib
import os
import sys

import pytest

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
# Kernels of a GPU are imitated on the host; Triton asks once, when it is loaded.
os.environ["TRITON_INTERPRET"] = "1"

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)  # the smallest PNG


@pytest.fixture
def unrendered(monkeypatch):
    """Figures are drawn but not rendered: what a page takes longest for, and its words do not need.

    Pages with their pictures are in ``tests/plotting/page/test_page.py`` and in that of the demo.
    """
    monkeypatch.setattr(
        "matplotlib.figure.Figure.savefig", lambda _, file, **settings: file.write(DOT)
    )


@pytest.fixture
def without_refits(monkeypatch):
    """Clusters are not looked for again on halves of the rows: most of the time of a small fit.

    Refits are in ``tests/alternation/test_agreement.py``. Not for fits that other tests share.
    """
    nothing = importlib.import_module("hsiclearn").Agreement()
    monkeypatch.setattr("hsiclearn._alternation.agreement.measure_agreement", lambda *_: nothing)


@pytest.fixture
def tensors_stay(monkeypatch):
    """Tensors of torch's CPU are taken as if they were on a GPU, not as what numpy sees as well."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hsiclearn") and hasattr(module, "is_on_host"):
            monkeypatch.setattr(module, "is_on_host", lambda X: False)


@pytest.fixture
def crossed(monkeypatch):
    """How many numbers came to the host each time, of arrays that nothing else can take there."""
    strict = importlib.import_module("array_api_strict")
    array_type, found = type(strict.asarray([0.0])), []
    to_device = array_type.to_device

    def counted(self, *args, **kwargs):
        size = 1
        for length in self.shape:
            size *= length
        found.append(size)
        return to_device(self, *args, **kwargs)

    monkeypatch.setattr(array_type, "to_device", counted)
    return found


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Ten thousand tests and the libraries stay: whoever looks for garbage passes over them.

    Else each search of all objects, of which there are millions, takes a third of a second: a
    tenth of the time of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(items):
    """Tests of arrays as they are on a device have a verb of their own."""
    for item in items:
        if "tensors_stay" in getattr(item, "fixturenames", ()):
            item.add_marker("devices")
