"""The shape of the package: what is private stays so, and a name means one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import hsiclearn

ROOT = Path(hsiclearn.__file__).parent
TREES = {file.relative_to(ROOT): ast.parse(file.read_text()) for file in ROOT.rglob("*.py")}


def imports_of(file):
    """``(path of the module, names)`` of every relative import, the path from the root."""
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = list(file.parts[: len(file.parts) - node.level])
            yield (*above, *(node.module or "").split(".")), [name.name for name in node.names]


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def test_no_module_takes_what_is_private_to_another_package():
    taken = [
        f"{file}: {'.'.join(path)} {names}"
        for file in TREES
        for path, names in imports_of(file)
        if path[0] not in ("", file.parts[0])
        and any(is_private(name) for name in (*path[1:], *names))
    ]
    assert taken == []


def test_no_two_classes_have_the_same_name():
    homes = defaultdict(list)
    for file, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(file))
    homes.pop("Table")  # both are public names: of a data set, and of old, of the command
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
