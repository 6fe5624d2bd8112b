"""Which GPUs torch sees."""

from __future__ import annotations


def names_of_gpus() -> list[str]:
    """One for each, as torch calls them; torch must be installed."""
    import torch

    cuda = torch.cuda
    found = [f"cuda:{i}, {cuda.get_device_name(i)}" for i in range(cuda.device_count())]
    return found + (["mps, of Apple"] if torch.backends.mps.is_available() else [])
