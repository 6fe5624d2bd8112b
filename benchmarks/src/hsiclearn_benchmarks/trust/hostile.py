"""What somebody who means harm would put into a file: text of JSON, headers of ``.npy``, names."""

from __future__ import annotations

import json

__all__ = ["CLASSES", "HEADERS", "JSON", "NAMES", "long_json"]

CLASSES = (
    *("Pipeline", "FeatureUnion", "ColumnTransformer", "KNeighborsClassifier", "KMeans", "PCA"),
    *("StandardScaler", "OneHotEncoder", "SupervisedHSIC", "UnsupervisedHSIC", "Gaussian"),
    *("Combination", "Result", "Certificate", "Extension", "ByCentre", "ByVote", "KnownRows"),
    *("TableEncoder", "Popen", "os.system", "", "__class__"),
)

_VALUES: tuple[object, ...] = (
    *("", "CONVERGED", None, True, False, -1, 0, 1, 2, 3, 10**6, 2**31, 2**63, 10**18),
    *(-(10**30), 1e-320, 1e-200, 1e150, 1e300, -1e308, [], {}, [[]], "transform", "__class__"),
    *("\ud800", "\x1b[2J", "\0", "(a+)+$", "x" * 10_000, [0] * 1000, ["a", 1, None]),
    *(
        {"float": "nan"},
        {"float": "inf"},
        {"float": "-inf"},
        {"float": "9" * 10_000},
        {"float": []},
    ),
    *({"tuple": []}, {"tuple": [1, 2]}, {"tuple": {}}, {"mapping": [[1]]}, {"mapping": [[[], 1]]}),
    *({"slice": [0, 1, None]}, {"slice": [0, 1, 0]}, {"slice": []}, {"type": "builtins.int"}),
    *({"type": "os.system"}, {"type": []}, {"path": "../../etc/passwd"}, {"path": None}),
    *({"dtype": "|O"}, {"dtype": "<U999999999"}, {"dtype": "f8,f8"}, {"dtype": "a8"}),
    *({"status": "CONVERGED"}, {"status": "mro"}, {"status": {}}, {"array": "none"}, {"array": []}),
    *({"number": "none"}, {"objects": {"shape": [0, 10**15], "items": []}}),
    *({"objects": {"shape": [-1], "items": [1, "a"]}}, {"objects": {"shape": 3, "items": "abc"}}),
    *({"objects": {}}, {"class": "Popen", "parameters": {}, "fitted": {}}, {"class": []}),
    *({"class": "Pipeline", "parameters": {"steps": []}, "fitted": {}}, {"a": 1, "b": 2}),
    {"class": "KMeans", "parameters": {"n_clusters": 10**9}, "fitted": {}},
)
JSON: tuple[str, ...] = (
    *map(json.dumps, _VALUES),
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 4000, "9" * 100_000, "-0", "1e-999"),
    *('{"float": "nan", "float": "1"}', '{"a": 1, "a": 2}', '"\\ud800\\udc00"', '"\\udc00"'),
    *("", "[", "{", '"', "nul", "[1,]", "0x10", "'a'", "// a", "[" * 500 + "]" * 500),
    *("[" * 900 + "]" * 900, "[" * 100_000, '{"tuple": ' * 300 + "[]" + "}" * 300),
    '{"a":' * 50_000 + "1" + "}" * 50_000,
)
"""Text to put where a value was, some of it no JSON."""


def long_json(n: int) -> str:
    """A list of so many empty lists: what takes the most memory for its bytes."""
    return "[" + "[]," * n + "[]]"


_PLAIN = "{{'descr': {!r}, 'fortran_order': False, 'shape': {}, }}"
HEADERS: tuple[str, ...] = (
    *(_PLAIN.format("<f8", shape) for shape in ("(-1,)", "(10000000000000,)", "(0, 1000000000)")),
    *(_PLAIN.format("<f8", shape) for shape in ("(3.0,)", "(True,)", "[3]", "('3',)", "3", "(((")),
    *(_PLAIN.format("<f8", f"({n},)") for n in ("9" * 4000, "9" * 9000, "-" * 900 + "1", "0x10")),
    *(_PLAIN.format("<f8", f"({n})") for n in ("(" * 90 + ")" * 90, "1," * 70, "1+1j,", "1or 2,")),
    *(
        _PLAIN.format(dtype, "(1,)")
        for dtype in ("|O", "<U1000000000", "f8,f8", "|V8", "a8", "<c16")
    ),
    *(_PLAIN.format(dtype, "(0,)") for dtype in ("<U0", "|S0", "<M8[1000000000000D]", "<m8[xx]")),
    *(
        _PLAIN.format(dtype, "(1,)")
        for dtype in ("(1000000,1000000)f8", "\\d", ">f8", "|b1", "<i8")
    ),
    "{'descr': [('a', '<f8'), ('b', '|O')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': ('<f8', (100000, 100000)), 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': 1, 'shape': (1,), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1, }",
    "{'descr': '<f8'}",
    "__import__('os').system('true')",
    "{" + "'a':" * 10 + "}",
    "[" * 2000 + "]" * 2000,
    "-" * 5000 + "1",
    "'\\d'",
    "1is 2",
    "9" * 60_000,
    "",
)
"""Headers of arrays: numpy would read them as Python's literals."""

NAMES = (
    *("../model.json", "/etc/passwd", "C:\\model.json", "..\\model.json", "arrays/../model.json"),
    *("MODEL.JSON", "Model.json", "model.json\0.npy", "arrays/", "", ".", "..", "\ud7ff.npy"),
    *(
        "a" * 60_000,
        "con.npy",
        "arrays/x\n.npy",
        "manifest.json",
        "__proto__.json",
        "header.npy.npy",
    ),
)
"""Names for members."""
