"""Engines of rows that are an array on a device."""
