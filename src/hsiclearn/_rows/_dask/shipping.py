"""A task as bytes. What lives on the cluster is in them by name; there, names become what is local.

So a task is written as if all rows were here, and none of them travels with it. Pickles go between
processes of one cluster alone, which run each other's code anyway.
"""

from __future__ import annotations

import io
import pickle  # nosec B403
from collections.abc import Mapping
from typing import Any

import cloudpickle

from ..._columns import AbstractColumn


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Leaves columns out, and notes which."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self.columns: dict[str, Any] = {}

    def persistent_id(self, obj: Any) -> str | None:
        """The name of a column; nothing else has one."""
        if not isinstance(obj, AbstractColumn):
            return None
        name: str = obj.name
        self.columns[name] = obj
        return name


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, columns: Mapping[str, Any]) -> None:
        super().__init__(file)
        self._columns = columns

    def persistent_load(self, pid: Any) -> Any:
        """What is here of a column."""
        return self._columns[pid]


def packed(task: Any) -> tuple[bytes, dict[str, Any]]:
    """A task, and by name the columns that it uses."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(task)
    return file.getvalue(), pickler.columns


def unpacked(data: bytes, columns: Mapping[str, Any]) -> Any:
    """The task, with what is here in the place of the columns."""
    return _Unpickler(io.BytesIO(data), columns).load()
