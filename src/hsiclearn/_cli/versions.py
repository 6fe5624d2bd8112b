"""What a bug report needs: versions, libraries of linear algebra and the machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from .._version import __version__

_DISTRIBUTION = "hsic-learn"
_NOT_OF_USERS = {"test", "browser", "docs", "check", "dist", "bench"}
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def versions() -> str:
    """All of it, a line each."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield f"hsiclearn {__version__}"
    yield f"python {platform.python_version()} ({platform.python_implementation()})"
    yield f"platform {platform.platform()}"
    yield _cores()
    for name, extra in _packages():
        yield f"{name} {_version(name)}{f' (extra {extra})' if extra else ''}"
    yield from _linear_algebra()
    yield from _gpus()


def _cores() -> str:
    from .._threads import usable_cores

    told = [f"{name}={os.environ[name]}" for name in _THREADS if name in os.environ]
    return ", ".join([f"cores {os.cpu_count()}, of which a fit takes {usable_cores()}", *told])


def _packages() -> list[tuple[str, str]]:
    """What it needs, then what its extras bring, as it was installed; each name once."""
    try:
        lines = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:  # a folder of sources that nothing has installed
        return [(name, "") for name in ("numpy", "scipy", "scikit-learn", "threadpoolctl")]
    found: dict[str, str] = {}
    for line in lines:
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        if name != _DISTRIBUTION and not (extra and extra[1] in _NOT_OF_USERS):
            found.setdefault(name, extra[1] if extra else "")
    return list(found.items())


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is not installed"


def _linear_algebra() -> Iterator[str]:
    """Libraries as they are loaded by numpy, scipy and scikit-learn, of which any may be broken."""
    try:
        for name in ("numpy", "scipy.linalg", "sklearn.cluster"):
            import_module(name)
        from threadpoolctl import threadpool_info
    except Exception as error:  # the report is of what does not work
        yield f"{type(error).__name__}: {error}"
        return
    for each in sorted(threadpool_info(), key=lambda each: (each["user_api"], each["filepath"])):
        words = (each["internal_api"], each.get("version"), each.get("threading_layer"))
        said = " ".join(str(word) for word in words if word)
        place = os.path.join(*os.path.normpath(each["filepath"]).split(os.sep)[-2:])
        yield f"{each['user_api']} {said}, threads {each['num_threads']}, {place}"


def _gpus() -> Iterator[str]:
    if find_spec("torch") is None:
        return
    try:
        from .._engines.device.gpus import names_of_gpus

        for name in names_of_gpus() or ["none that torch sees"]:
            yield f"gpu {name}"
    except Exception as error:  # as above
        yield f"gpu {type(error).__name__}: {error}"


if __name__ == "__main__":  # where the extra `cli` is missing
    print(versions())
