"""The profiles of hypothesis, and the count of examples."""

import pytest

from properties.trials import register_profiles, write_counts

register_profiles()


@pytest.fixture(scope="session", autouse=True)
def _counts():
    yield
    write_counts()
