"""Measure dependence: HSIC, its normalised form, and the test of independence."""

from __future__ import annotations

from .estimates import cka, hsic, hsic_estimate
from .independence import hsic_test
from .records import HsicEstimate, HsicTestResult

__all__ = ["HsicEstimate", "HsicTestResult", "cka", "hsic", "hsic_estimate", "hsic_test"]
