"""The clusterers: any table and whatever guides them; an honest answer or a documented error.

Their descent settles: it never rises, which is tried on ``history``, and the certificate is of the
first order. The search before it may rise, and a descent may end at a kink: see the docs.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, UnsupervisedHSIC
from properties.honest import RefusedError, check_directions, check_monotone, honest
from properties.strategies import SEEDS, tables
from properties.trials import examples

COUNTS = st.sampled_from((1, 2, 2, 3, 5))
KERNELS = st.sampled_from(("relative_gaussian", "gaussian", "cauchy"))


def judged(model, table, y=None):
    """The model, fitted and judged; None where the fit was refused."""
    try:
        with honest():
            model.fit(table.X, y)
    except RefusedError:
        assert not hasattr(model, "components_")
        return None
    check_directions(model.components_.T)
    check_monotone(model.result_.history)
    proof = model.certificate_
    assert proof.second_order is None
    assert not proof.verified
    assert model.labels_.shape == (table.n,)
    assert np.unique(model.labels_).size <= model.n_clusters_
    with honest():
        assert np.isfinite(model.transform(table.X)).all()
        assert set(model.predict(table.X).tolist()) <= set(_names(model))
    return model


def _names(model):
    return getattr(model, "classes_", np.arange(model.n_clusters_)).tolist()


@examples(3, 500)
@given(tables(most_rows=14, most_columns=4), COUNTS, KERNELS, st.integers(1, 2), SEEDS)
def test_clusters_are_honest(table, k, kernel, q, seed):
    q = min(q, len(table.columns))
    judged(UnsupervisedHSIC(k, q, kernel=kernel, random_state=seed), table)


@examples(3, 500)
@given(tables(most_rows=14, most_columns=4), COUNTS, SEEDS, st.booleans())
def test_guided_clusters_are_honest(table, k, seed, by_scores):
    rng = np.random.default_rng(seed)
    y = rng.standard_normal(table.n) if by_scores else rng.integers(-1, 2, table.n)
    judged(SemiSupervisedHSIC(k, 1, random_state=seed), table, y)


@examples(3, 500)
@given(tables(most_rows=14, most_columns=4), COUNTS, SEEDS)
def test_other_clusters_are_honest(table, k, seed):
    given_labels = np.random.default_rng(seed).integers(0, 2, table.n)
    judged(AlternativeHSIC(k, 1, random_state=seed), table, given_labels)
