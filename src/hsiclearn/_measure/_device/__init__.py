"""HSIC of rows that are on a device: all pairs in tiles there, features and permutations, too.

Only numbers, small matrices and labels come to the host.
"""

from __future__ import annotations

from .choice import device_choice
from .given import Device, DeviceNumbers, device_of, label_side, with_labels_alike
from .landmarks import device_feature_sums
from .orders import drawn_on_device
from .sides import (
    DeviceSide,
)
from .thin import Thin
from .tiles import Marginals, blocks_on_device, sums_on_device

__all__ = [
    "Device",
    "DeviceNumbers",
    "DeviceSide",
    "Marginals",
    "Thin",
    "blocks_on_device",
    "device_choice",
    "device_feature_sums",
    "device_of",
    "drawn_on_device",
    "label_side",
    "sums_on_device",
    "with_labels_alike",
]
