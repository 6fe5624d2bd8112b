"""Fits on a cluster: what is noted of tasks, what is foretold of them, and files of parts."""

import pytest

from hsiclearn_benchmarks.cluster import PARTS, run_cluster
from hsiclearn_benchmarks.cluster.data import in_chunks, lazy_rows, planted
from hsiclearn_benchmarks.cluster.given import Given
from hsiclearn_benchmarks.cluster.simulate import Cluster, Question, seconds_of
from hsiclearn_benchmarks.cluster.trace import traced


def test_traffic_knows_nothing_of_the_number_of_rows():
    told = []
    part = PARTS["traffic"](Given(scale=0.02, tell=told.append))
    assert len(told) == 4
    assert "20,000" in part.table
    classes, _ = part.goals
    assert classes.is_met


def test_a_trace_has_every_task():
    X, _ = in_chunks(*planted(900, 3, "real"), 9)
    from hsiclearn._rows import as_rows

    with traced() as trace:
        mean = as_rows(X).mean()
    assert mean.shape == (3,)
    [fold] = trace.of("mean")
    assert len(fold.shares) == 9
    assert len(fold.merges) == 3  # eight of nine, the ninth, and both
    assert fold.task_bytes > 0
    assert 0.0 < fold.seconds < trace.seconds


def test_lazy_rows_are_the_same_whenever_they_are_made():
    X, y = lazy_rows(1000, 4, 300)
    assert X.chunks[0] == y.chunks[0] == (300, 300, 300, 100)
    assert (X.compute(scheduler="synchronous") == X.compute(scheduler="synchronous")).all()
    assert set(y.compute(scheduler="synchronous")) == {0, 1, 2}


def test_events_by_hand():
    """Eight chunks of a second on two workers of a core: four each, and one merge of eight."""
    question = Question(chunks=8, share=1.0, merge=0.1, task_bytes=0, answer_bytes=0)
    free = Cluster(workers=2, cores=1, task=0.0, own=0.0, latency=0.0)
    assert seconds_of(question, free) == pytest.approx(4.7)
    assert seconds_of(question, Cluster(8, 1, 0.0, 0.0, 0.0)) == pytest.approx(1.7)
    slow = seconds_of(question, Cluster(8, 1, 0.2, 0.0, 0.0))
    assert slow == pytest.approx(9 * 0.1 + 1.0 + 8 * 0.1 + 0.7 + 0.1)


def test_a_wrong_part_is_named():
    with pytest.raises(ValueError, match="columns"):
        next(run_cluster(["columns"]))


@pytest.mark.slow
def test_fits_live_through_a_kill():
    part = PARTS["kills"](Given(scale=0.05))
    kills, lost, worst = part.goals
    assert kills.value == 1
    assert lost.is_met
    assert worst.is_met
