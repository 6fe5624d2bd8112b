"""Seconds of a default fit on tables of ordinary size, beside a rival's."""
