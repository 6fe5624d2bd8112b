"""Engines in linear time: sums over pairs become sums over rows."""
