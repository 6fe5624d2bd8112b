"""Clustering beside its rivals: how often it is right, how low it gets, how long it takes."""
